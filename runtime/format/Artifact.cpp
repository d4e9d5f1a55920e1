//===- Artifact.cpp - The .gnnx file --------------------------------------===//
#include "runtime/format/Artifact.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <zip.h>
#include <zlib.h>

namespace gnnc::format {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kManifest = "manifest.json", *kPlan = "plan.json",
                     *kWeights = "weights.safetensors", *kCodeFolder = "kernels/";

bool fail(std::string &error, const std::string &path, const std::string &what) {
  error = path + ": " + what;
  return false;
}

std::uint32_t checksum(const std::byte *data, std::size_t size) {
  uLong crc = crc32_z(0, nullptr, 0);
  return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef *>(data), size));
}

struct Member {
  std::string name;
  Bytes bytes;
};

Bytes weightBytes(const TensorFile &weights) {
  std::string text = tensorHeader(weights);
  for (const Tensor &tensor : weights.tensors)
    text.append(reinterpret_cast<const char *>(tensor.bytes.data), tensor.bytes.size);
  return Bytes::fromString(std::move(text));
}

Bytes manifest(const Plan &plan, const std::vector<Member> &members) {
  Json json = {{"format", "gnnx"}, {"version", plan.version}, {"producer", plan.producer}};
  json["members"] = Json::array();
  for (const Member &member : members)
    json["members"].push_back({{"name", member.name},
                               {"bytes", member.bytes.size},
                               {"crc32", checksum(member.bytes.data, member.bytes.size)}});
  return Bytes::fromString(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

struct ZipError {
  zip_error_t value;
  ZipError() { zip_error_init(&value); }
  ~ZipError() { zip_error_fini(&value); }
  std::string text() { return zip_error_strerror(&value); }
};

/// Packs the members, uncompressed and with a fixed date: the same artefact has
/// the same bytes, and tensors are read without unpacking.
bool pack(const std::vector<Member> &members, std::string &out, std::string &what) {
  ZipError error;
  zip_source_t *target = zip_source_buffer_create(nullptr, 0, 0, &error.value);
  if (!target) {
    what = error.text();
    return false;
  }
  zip_source_keep(target); // zip_close below gives up one reference
  zip_t *zip = zip_open_from_source(target, ZIP_TRUNCATE, &error.value);
  if (!zip) {
    what = error.text();
    zip_source_free(target);
    zip_source_free(target);
    return false;
  }
  bool good = true;
  for (const Member &member : members) {
    zip_source_t *source = zip_source_buffer(zip, member.bytes.data, member.bytes.size, 0);
    zip_int64_t index =
        source ? zip_file_add(zip, member.name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (source && index < 0)
      zip_source_free(source);
    good = good && index >= 0 &&
           zip_set_file_compression(zip, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0) == 0 &&
           zip_file_set_dostime(zip, static_cast<zip_uint64_t>(index), 0, 0x21 /* 1980-01-01 */,
                                0) == 0;
  }
  if (!good || zip_close(zip) != 0) {
    what = zip_strerror(zip);
    zip_discard(zip);
    zip_source_free(target);
    return false;
  }
  zip_stat_t info;
  good = zip_source_stat(target, &info) == 0 && zip_source_open(target) == 0;
  if (good) {
    out.resize(info.size);
    good = zip_source_read(target, out.data(), info.size) == static_cast<zip_int64_t>(info.size);
    zip_source_close(target);
  }
  if (!good)
    what = zip_error_strerror(zip_source_error(target));
  zip_source_free(target);
  return good;
}

/// Unpacks all members of a zip in memory.
bool unpack(const std::string &path, const Bytes &file, std::vector<Member> &members,
            std::string &error) {
  ZipError zipError;
  zip_source_t *source = zip_source_buffer_create(file.data, file.size, 0, &zipError.value);
  zip_t *zip =
      source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &zipError.value) : nullptr;
  if (!zip) {
    if (source)
      zip_source_free(source);
    return fail(error, path, "not a gnnx artefact, or a damaged one: " + zipError.text());
  }
  std::unique_ptr<zip_t, decltype(&zip_discard)> guard(zip, zip_discard);
  for (zip_int64_t i = 0; i < zip_get_num_entries(zip, 0); ++i) {
    auto index = static_cast<zip_uint64_t>(i);
    zip_stat_t info;
    zip_stat_init(&info);
    if (zip_stat_index(zip, index, 0, &info) != 0)
      return fail(error, path, std::string("damaged: ") + zip_strerror(zip));
    const std::string label = path + ": member " + info.name;
    // Members are stored as they are, so none can be larger than the file.
    if (info.comp_method != ZIP_CM_STORE || info.size > file.size)
      return fail(error, label, "is compressed or too large; gnnc stores members uncompressed");
    std::shared_ptr<std::byte> data = allocateBytes(info.size);
    if (!data)
      return fail(error, label,
                  "out of memory, " + std::to_string(info.size) + " bytes were needed");
    zip_file_t *stream = zip_fopen_index(zip, index, 0);
    zip_int64_t got = stream ? zip_fread(stream, data.get(), info.size) : -1;
    // Reading past the end is what makes libzip compare the checksum.
    char beyond;
    bool good =
        stream && got == static_cast<zip_int64_t>(info.size) && zip_fread(stream, &beyond, 1) == 0;
    std::string what = good ? "" : stream ? zip_file_strerror(stream) : zip_strerror(zip);
    if (stream)
      zip_fclose(stream);
    if (!good)
      return fail(error, label, "damaged: " + what);
    members.push_back({info.name, {data, data.get(), info.size}});
  }
  return true;
}

const Member *find(const std::vector<Member> &members, const std::string &name) {
  for (const Member &member : members)
    if (member.name == name)
      return &member;
  return nullptr;
}

std::string textOf(const Bytes &bytes) {
  return {reinterpret_cast<const char *>(bytes.data), bytes.size};
}

/// Compares the members with what manifest.json says about them.
bool checkManifest(const std::string &path, const std::vector<Member> &members,
                   std::string &error) {
  const Member *member = find(members, kManifest);
  if (!member)
    return fail(error, path, "not a gnnx artefact: manifest.json is missing");
  const std::string label = path + ": manifest.json";
  Json json = Json::parse(textOf(member->bytes), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("format", Json()) != "gnnx" || !json.contains("version") ||
      !json["version"].is_number_integer() || !json.contains("members") ||
      !json["members"].is_array())
    return fail(error, label, "damaged: not a manifest of a gnnx artefact");
  if (json["version"] != kFormatVersion)
    return fail(error, path,
                "artefact has format version " + json["version"].dump() +
                    ", this runtime reads version " + std::to_string(kFormatVersion) +
                    "; compile the program again");
  if (json["members"].size() + 1 != members.size())
    return fail(error, label,
                "lists " + std::to_string(json["members"].size()) + " members, the file has " +
                    std::to_string(members.size() - 1));
  for (const Json &entry : json["members"]) {
    if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string() ||
        !entry.contains("bytes") || !entry.contains("crc32"))
      return fail(error, label, "damaged: an entry lacks name, bytes or crc32");
    std::string memberName = entry["name"].get<std::string>();
    const Member *listed = find(members, memberName);
    if (!listed)
      return fail(error, path, "member " + memberName + " is missing");
    if (entry["bytes"] != listed->bytes.size)
      return fail(error, path,
                  "member " + memberName + " has " + std::to_string(listed->bytes.size) +
                      " bytes, the manifest says " + entry["bytes"].dump());
    std::uint32_t found = checksum(listed->bytes.data, listed->bytes.size);
    if (entry["crc32"] != found)
      return fail(error, path,
                  "member " + memberName + " is damaged: checksum " + std::to_string(found) +
                      ", the manifest says " + entry["crc32"].dump());
  }
  return true;
}

/// Each weight of the plan is there with the type and shape it names.
bool checkWeights(const Artifact &artifact, std::string &what) {
  std::vector<std::int64_t> none(artifact.plan.symbols.size(), 0);
  for (const Buffer &buffer : artifact.plan.buffers) {
    if (buffer.kind != Buffer::Kind::Weight)
      continue;
    std::vector<std::int64_t> shape;
    shape.reserve(buffer.shape.size());
    for (const Formula &extent : buffer.shape)
      shape.push_back(extent.evaluate(none));
    const Tensor *tensor = artifact.weights.find(buffer.name);
    if (!tensor) {
      what = "weight '" + buffer.name + "' is missing; the program needs " +
             describe(buffer.dtype, shape);
      return false;
    }
    if (tensor->dtype != buffer.dtype || tensor->shape != shape) {
      what = "weight '" + buffer.name + "' is " + describe(tensor->dtype, tensor->shape) +
             "; the program needs " + describe(buffer.dtype, shape);
      return false;
    }
  }
  return true;
}

} // namespace

bool writeArtifact(const std::string &path, const Artifact &artifact, std::string &error) {
  std::string what;
  if (!checkWeights(artifact, what))
    return fail(error, path, what);
  std::vector<Member> members = {{kPlan, Bytes::fromString(toJson(artifact.plan))}};
  for (const Code &code : artifact.code)
    members.push_back({kCodeFolder + code.name, code.bytes});
  members.push_back({kWeights, weightBytes(artifact.weights)});
  members.insert(members.begin(), {kManifest, manifest(artifact.plan, members)});
  std::string packed;
  if (!pack(members, packed, what))
    return fail(error, path, "cannot pack: " + what);
  Piece piece{packed.data(), packed.size()};
  return writeFile(path, &piece, 1, error);
}

bool readArtifact(const std::string &path, Artifact &artifact, std::string &error) {
  artifact = {};
  Bytes file;
  std::vector<Member> members;
  if (!readFile(path, file, error) || !unpack(path, file, members, error) ||
      !checkManifest(path, members, error))
    return false;
  const Member *plan = find(members, kPlan), *weights = find(members, kWeights);
  if (!plan || !weights)
    return fail(error, path, std::string("member ") + (plan ? kWeights : kPlan) + " is missing");
  std::string what;
  if (!fromJson(textOf(plan->bytes), artifact.plan, what))
    return fail(error, path, what);
  if (!parseTensors(path + ": " + kWeights, weights->bytes, artifact.weights, error))
    return false;
  if (!checkWeights(artifact, what))
    return fail(error, path, what);
  const std::size_t folder = std::strlen(kCodeFolder);
  for (Member &member : members)
    if (member.name.compare(0, folder, kCodeFolder) == 0)
      artifact.code.push_back({member.name.substr(folder), std::move(member.bytes)});
  return true;
}

} // namespace gnnc::format
