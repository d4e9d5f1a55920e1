//===- SafeTensors.cpp - Read and write safetensors files -----------------===//
#include "runtime/format/SafeTensors.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

namespace gnnc::format {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kPrefix = 8;              // little-endian header length
constexpr std::size_t kMaxHeader = 100'000'000; // the format's own limit

bool fail(std::string &error, const std::string &label, const std::string &what) {
  error = label + ": " + what;
  return false;
}

/// elements * size in bytes; false when it does not fit.
bool byteCount(DType dtype, const std::vector<std::int64_t> &shape, std::size_t &bytes) {
  std::int64_t count = static_cast<std::int64_t>(sizeOf(dtype));
  for (std::int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count))
      return false;
  bytes = static_cast<std::size_t>(count);
  return true;
}

struct Entry {
  Tensor tensor;
  std::size_t begin = 0, end = 0;
};

/// A non-negative integer below 2^63, as extents and offsets are.
bool readCount(const Json &json, std::int64_t &out) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > INT64_MAX)
    return false;
  out = json.get<std::int64_t>();
  return true;
}

/// Reads one header entry; `what` gets the complaint.
bool readEntry(const Json &json, Entry &entry, std::string &what) {
  if (!json.is_object() || !json.contains("dtype") || !json.contains("shape") ||
      !json.contains("data_offsets")) {
    what = "header entry lacks dtype, shape or data_offsets";
    return false;
  }
  const Json &dtype = json["dtype"], &shape = json["shape"], &offsets = json["data_offsets"];
  if (!dtype.is_string() || !parseDType(dtype.get<std::string>(), entry.tensor.dtype)) {
    what = "element type " + dtype.dump(-1, ' ', true, Json::error_handler_t::replace) +
           " is not known";
    return false;
  }
  bool good = shape.is_array();
  for (std::size_t i = 0; good && i < shape.size(); ++i)
    good = readCount(shape[i], entry.tensor.shape.emplace_back());
  if (!good) {
    what = "shape is not a list of non-negative integers";
    return false;
  }
  std::int64_t begin = 0, end = 0;
  if (!offsets.is_array() || offsets.size() != 2 || !readCount(offsets[0], begin) ||
      !readCount(offsets[1], end) || begin > end) {
    what = "data_offsets is not a pair [begin, end] with begin <= end";
    return false;
  }
  entry.begin = static_cast<std::size_t>(begin);
  entry.end = static_cast<std::size_t>(end);
  std::size_t needed = 0;
  if (!byteCount(entry.tensor.dtype, entry.tensor.shape, needed)) {
    what = describe(entry.tensor.dtype, entry.tensor.shape) + " is larger than 2^63 bytes";
    return false;
  }
  if (needed != entry.end - entry.begin) {
    what = describe(entry.tensor.dtype, entry.tensor.shape) + " needs " + std::to_string(needed) +
           " bytes, data_offsets give " + std::to_string(entry.end - entry.begin);
    return false;
  }
  return true;
}

bool readMetadata(const Json &json, std::map<std::string, std::string> &metadata) {
  if (!json.is_object())
    return false;
  for (const auto &[key, value] : json.items()) {
    if (!value.is_string())
      return false;
    metadata[key] = value.get<std::string>();
  }
  return true;
}

} // namespace

std::int64_t Tensor::elements() const {
  return static_cast<std::int64_t>(bytes.size / sizeOf(dtype));
}

Tensor Tensor::view(std::string name, DType dtype, std::vector<std::int64_t> shape,
                    const void *data) {
  Tensor tensor{std::move(name), dtype, std::move(shape), {}};
  tensor.bytes.data = static_cast<const std::byte *>(data);
  byteCount(dtype, tensor.shape, tensor.bytes.size);
  return tensor;
}

std::string describe(DType dtype, const std::vector<std::int64_t> &shape) {
  std::string text = std::string(name(dtype)) + "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

const Tensor *TensorFile::find(const std::string &name) const {
  for (const Tensor &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

bool readTensors(const std::string &path, TensorFile &file, std::string &error) {
  Bytes bytes;
  return readFile(path, bytes, error) && parseTensors(path, bytes, file, error);
}

bool parseTensors(const std::string &label, const Bytes &bytes, TensorFile &file,
                  std::string &error) {
  file = {};
  if (bytes.size < kPrefix)
    return fail(error, label,
                "not a safetensors file: " + std::to_string(bytes.size) +
                    " bytes, a header needs at least 8");
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kPrefix; ++i)
    length |= static_cast<std::uint64_t>(bytes.data[i]) << (8 * i);
  if (length > kMaxHeader)
    return fail(error, label,
                "not a safetensors file: header length " + std::to_string(length) +
                    " is above the limit of " + std::to_string(kMaxHeader));
  if (length > bytes.size - kPrefix)
    return fail(error, label,
                "short file: the header has " + std::to_string(length) + " bytes, the file " +
                    std::to_string(bytes.size - kPrefix) + " after its first 8");
  const char *text = reinterpret_cast<const char *>(bytes.data) + kPrefix;
  // A name given twice would silently lose a tensor: the parser's callback sees both.
  std::set<std::string> names;
  std::string twice;
  auto onEvent = [&](int depth, Json::parse_event_t event, Json &parsed) {
    if (depth == 1 && event == Json::parse_event_t::key)
      if (!names.insert(parsed.get<std::string>()).second)
        twice = parsed.get<std::string>();
    return true;
  };
  Json header = Json::parse(text, text + length, onEvent, /*allow_exceptions=*/false);
  if (!twice.empty())
    return fail(error, label, "tensor '" + twice + "' is in the header twice");
  if (!header.is_object())
    return fail(error, label, "the header is not a JSON object");

  std::vector<Entry> entries;
  for (const auto &[key, value] : header.items()) {
    if (key == "__metadata__") {
      if (!readMetadata(value, file.metadata))
        return fail(error, label, "__metadata__ is not an object of strings");
      continue;
    }
    Entry entry;
    std::string what;
    if (!readEntry(value, entry, what))
      return fail(error, label, "tensor '" + key + "': " + what);
    entry.tensor.name = key;
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });

  const std::byte *data = bytes.data + kPrefix + length;
  std::size_t available = bytes.size - kPrefix - length, position = 0;
  for (Entry &entry : entries) {
    const std::string where = "tensor '" + entry.tensor.name + "': ";
    if (entry.begin != position)
      return fail(error, label,
                  where + "data begin at byte " + std::to_string(entry.begin) + ", expected at " +
                      std::to_string(position) +
                      (entry.begin < position ? " (they overlap)" : " (a gap)"));
    if (entry.end > available)
      return fail(error, label,
                  where + "data end at byte " + std::to_string(entry.end) + ", the file has " +
                      std::to_string(available));
    position = entry.end;
    Bytes &view = entry.tensor.bytes;
    view = {bytes.owner, data + entry.begin, entry.end - entry.begin};
    if (reinterpret_cast<std::uintptr_t>(view.data) % sizeOf(entry.tensor.dtype)) {
      std::shared_ptr<std::byte> copy = allocateBytes(view.size);
      if (!copy)
        return fail(error, label,
                    where + "out of memory, " + std::to_string(view.size) + " bytes were needed");
      std::memcpy(copy.get(), view.data, view.size);
      view = {copy, copy.get(), view.size};
    }
    file.tensors.push_back(std::move(entry.tensor));
  }
  if (position != available)
    return fail(error, label,
                std::to_string(available - position) +
                    " bytes follow the last tensor; the header names none there");
  return true;
}

std::string tensorHeader(const TensorFile &file) {
  Json header = Json::object();
  if (!file.metadata.empty())
    header["__metadata__"] = file.metadata;
  std::size_t position = 0;
  for (const Tensor &tensor : file.tensors) {
    header[tensor.name] = {{"dtype", name(tensor.dtype)},
                           {"shape", tensor.shape},
                           {"data_offsets", {position, position + tensor.bytes.size}}};
    position += tensor.bytes.size;
  }
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append((kPrefix - text.size() % kPrefix) % kPrefix, ' '); // aligns the data
  std::string prefixed;
  for (std::size_t i = 0; i < kPrefix; ++i)
    prefixed.push_back(static_cast<char>(text.size() >> (8 * i) & 0xff));
  return prefixed + text;
}

bool writeTensors(const std::string &path, const TensorFile &file, std::string &error) {
  std::string header = tensorHeader(file);
  std::vector<Piece> pieces = {{header.data(), header.size()}};
  for (const Tensor &tensor : file.tensors)
    pieces.push_back({tensor.bytes.data, tensor.bytes.size});
  return writeFile(path, pieces.data(), pieces.size(), error);
}

} // namespace gnnc::format
