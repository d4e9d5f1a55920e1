//===- Npz.cpp - Sets of gnn-benchmark ------------------------------------===//
#include "benchmarks/data/Npz.h"

#include "benchmarks/data/Assemble.h"
#include "benchmarks/data/NumpyArray.h"
#include "runtime/format/FileIO.h"

#include <charconv>
#include <deque>
#include <memory>
#include <zip.h>

namespace gnnc::bench {
namespace {

/// The members of one archive, which keeps the bytes of those that were read.
class Archive {
public:
  explicit Archive(const std::string &path) : path(path) {
    int code = 0;
    archive.reset(zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
    if (archive)
      return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string what = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw Failure(path + ": not an archive of arrays: " + what);
  }

  bool has(const std::string &member) const {
    return zip_name_locate(archive.get(), (member + ".npy").c_str(), 0) >= 0;
  }

  NumpyArray read(const std::string &member, std::size_t dimensions) {
    const std::string where = path + ": " + member;
    NumpyArray array = parse(unpack(member, where), where);
    array.check(dimensions, where);
    return array;
  }

  const std::string path;

private:
  struct Close {
    void operator()(zip_t *archive) const { zip_discard(archive); }
    void operator()(zip_file_t *file) const { zip_fclose(file); }
  };

  std::string_view unpack(const std::string &member, const std::string &where) {
    const std::string name = member + ".npy";
    zip_stat_t stat;
    if (zip_stat(archive.get(), name.c_str(), 0, &stat) != 0)
      throw Failure(path + ": has no array '" + member + "'");
    auto memory = format::allocateBytes(stat.size);
    if (!memory)
      throw Failure(where + ": no memory for " + std::to_string(stat.size) + " bytes");
    std::unique_ptr<zip_file_t, Close> file(zip_fopen(archive.get(), name.c_str(), 0));
    zip_uint64_t done = 0;
    while (file && done < stat.size) {
      zip_int64_t part = zip_fread(file.get(), memory.get() + done, stat.size - done);
      if (part <= 0)
        break;
      done += static_cast<zip_uint64_t>(part);
    }
    // The checksum is compared when the end is read.
    std::byte more;
    if (!file || done != stat.size || zip_fread(file.get(), &more, 1) != 0)
      throw Failure(where + ": damaged, " + std::to_string(done) + " bytes could be unpacked of " +
                    std::to_string(stat.size));
    kept.push_back(memory);
    return {reinterpret_cast<const char *>(memory.get()), stat.size};
  }

  /// What stands behind 'key': in the header, up to one of `ends`.
  static std::string_view entry(std::string_view header, std::string_view key,
                                std::string_view ends, const std::string &where) {
    std::size_t at = header.find(key);
    std::size_t end =
        at == std::string_view::npos ? at : header.find_first_of(ends, at + key.size());
    if (end == std::string_view::npos)
      throw Failure(where + ": the array's header '" + std::string(header.substr(0, 80)) +
                    "' has no " + std::string(key));
    return header.substr(at + key.size(), end - at - key.size());
  }

  static NumpyArray parse(std::string_view bytes, const std::string &where) {
    using namespace std::string_view_literals;
    auto byte = [&](std::size_t at) {
      return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at]));
    };
    if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY"sv))
      throw Failure(where + ": not an array of numpy");
    const bool isFirst = byte(6) == 1;
    const std::size_t start = isFirst ? 10 : 12;
    std::size_t size = byte(8) | byte(9) << 8;
    if (!isFirst)
      size |= byte(10) << 16 | byte(11) << 24;
    if (size > bytes.size() - start)
      throw Failure(where + ": the array's header has " + std::to_string(size) +
                    " bytes, there are " + std::to_string(bytes.size() - start));
    std::string_view header = bytes.substr(start, size);
    NumpyArray array;
    std::string_view type = entry(header, "'descr': '", "'", where);
    array.setType(type.substr(0, 1), type.substr(std::min<std::size_t>(1, type.size())), where);
    array.columnMajor = entry(header, "'fortran_order': ", ",}", where) == "True";
    for (std::string_view shape = entry(header, "'shape': (", ")", where); !shape.empty();) {
      std::int64_t extent = 0;
      auto [end, code] = std::from_chars(shape.data(), shape.data() + shape.size(), extent);
      if (code != std::errc() || extent < 0)
        throw Failure(where + ": the array's shape has '" + std::string(shape.substr(0, 20)) +
                      "', expected a count");
      array.shape.push_back(extent);
      shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
      shape.remove_prefix(std::min(shape.find_first_not_of(", "), shape.size()));
    }
    array.bytes = bytes.substr(start + size);
    return array;
  }

  std::unique_ptr<zip_t, Close> archive;
  std::deque<std::shared_ptr<std::byte>> kept;
};

NumpyCsr readCsr(Archive &archive, const std::string &prefix) {
  NumpyArray shape = archive.read(prefix + "_shape", 1);
  if (shape.elements() != 2 || shape.integer(0) < 0 || shape.integer(1) < 0)
    throw Failure(archive.path + ": " + prefix + "_shape has " + std::to_string(shape.elements()) +
                  " numbers, expected two counts");
  NumpyCsr matrix;
  matrix.rows = shape.integer(0);
  matrix.columns = shape.integer(1);
  matrix.indptr = archive.read(prefix + "_indptr", 1);
  matrix.indices = archive.read(prefix + "_indices", 1);
  matrix.values = archive.read(prefix + "_data", 1);
  matrix.check(archive.path + ": " + prefix);
  return matrix;
}

void needNodes(const GraphData &graph, std::int64_t rows, const std::string &where) {
  if (rows != graph.numNodes)
    throw Failure(where + ": has " + std::to_string(rows) + " rows, adj has " +
                  std::to_string(graph.numNodes));
}

void readFeatures(GraphData &graph, Archive &archive) {
  if (archive.has("attr_matrix")) {
    NumpyArray dense = archive.read("attr_matrix", 2);
    needNodes(graph, dense.shape[0], archive.path + ": attr_matrix");
    makeFeatures(graph, dense.shape[1], archive.path);
    for (std::int64_t row = 0; row < graph.numNodes; ++row)
      for (std::int64_t column = 0; column < graph.numFeatures; ++column)
        graph.x[row * graph.numFeatures + column] =
            static_cast<float>(dense.number(dense.place(row, column)));
  } else if (archive.has("attr_data")) {
    NumpyCsr sparse = readCsr(archive, "attr");
    needNodes(graph, sparse.rows, archive.path + ": attr");
    makeFeatures(graph, sparse.columns, archive.path);
    sparse.addTo(graph.x, [](std::int64_t row) { return row; });
  }
}

} // namespace

GraphData readNpz(const std::string &path, const std::string &name) {
  Archive archive(path);
  GraphData graph;
  graph.name = name;
  graph.realData = true;
  NumpyCsr adjacency = readCsr(archive, "adj");
  if (adjacency.rows != adjacency.columns)
    throw Failure(path + ": adj is " + std::to_string(adjacency.rows) + "x" +
                  std::to_string(adjacency.columns) + ", expected a square matrix");
  graph.numNodes = adjacency.rows;
  EdgeList edges;
  for (std::int64_t row = 0; row < adjacency.rows; ++row)
    for (std::int64_t at = adjacency.indptr.integer(row); at < adjacency.indptr.integer(row + 1);
         ++at)
      edges.add(row, adjacency.indices.integer(at));
  setSimpleEdges(graph, edges, /*mirrored=*/true);
  readFeatures(graph, archive);
  if (archive.has("labels")) {
    NumpyArray labels = archive.read("labels", 1);
    needNodes(graph, labels.elements(), path + ": labels");
    for (std::int64_t node = 0; node < graph.numNodes; ++node)
      graph.y.push_back(labels.integer(node));
    countClasses(graph);
  }
  return graph;
}

} // namespace gnnc::bench
