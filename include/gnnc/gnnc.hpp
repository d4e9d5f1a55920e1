//===- gnnc.hpp - C++ API of the gnnc runtime -----------------------------===//
//
// Header-only and thin: owners for the objects of gnnc.h, a Result for what can
// fail, tensors as views of the caller's memory. Nothing throws of itself.
// Threads, ownership and the meaning of statuses are those of gnnc.h.
//
//   auto device = gnnc::Device::open("cpu");
//   if (!device) return fail(device.error().message);
//   auto program = device->load("gcn.gnnx");
//   auto graph = gnnc::Graph::create<int64_t>(n, n, src, dst);
//   auto session = program->bind(*graph);
//   auto status = session->run({gnnc::Tensor("x", x, {n, 1433})},
//                              {gnnc::Tensor("out", out, {n, 7})});
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_GNNC_HPP
#define GNNC_GNNC_HPP

#include "gnnc/gnnc.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gnnc {

/// A failure: its status (never GNNC_OK) and one line.
struct Error {
  gnnc_status status = GNNC_INTERNAL;
  std::string message;
};

/// A value or an Error, in the manner of std::expected.
template <class T>
class [[nodiscard]] Result {
public:
  Result(T value) : content(std::move(value)) {}
  Result(Error error) : failure(std::move(error)) {}

  bool has_value() const { return content.has_value(); }
  explicit operator bool() const { return has_value(); }
  T &value() { return *content; }
  const T &value() const { return *content; }
  T &operator*() { return *content; }
  const T &operator*() const { return *content; }
  T *operator->() { return &*content; }
  const T *operator->() const { return &*content; }
  /// Meaningful when there is no value.
  const Error &error() const { return failure; }

private:
  std::optional<T> content;
  Error failure;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : failure(std::move(error)), good(false) {}

  bool has_value() const { return good; }
  explicit operator bool() const { return good; }
  const Error &error() const { return failure; }

private:
  Error failure;
  bool good = true;
};

namespace detail {

inline Error lastError(gnnc_status status) { return {status, gnnc_last_error()}; }

template <auto Release>
struct Releaser {
  template <class T>
  void operator()(T *object) const {
    Release(object);
  }
};
template <class T, auto Release>
using Owner = std::unique_ptr<T, Releaser<Release>>;

template <class T>
constexpr gnnc_dtype dtypeOf() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, float>)
    return GNNC_F32;
  else if constexpr (std::is_same_v<U, double>)
    return GNNC_F64;
  else if constexpr (std::is_same_v<U, int32_t>)
    return GNNC_I32;
  else if constexpr (std::is_same_v<U, int64_t>)
    return GNNC_I64;
  else {
    static_assert(std::is_same_v<U, uint8_t>, "no element type of gnnc; name it explicitly");
    return GNNC_U8;
  }
}

} // namespace detail

/// A named view of memory that the caller keeps; row-major and contiguous.
class Tensor {
public:
  template <class T>
  Tensor(std::string name, T *data, std::vector<int64_t> shape, bool onDevice = false)
      : Tensor(std::move(name), const_cast<std::remove_cv_t<T> *>(data), detail::dtypeOf<T>(),
               std::move(shape), onDevice) {}
  Tensor(std::string name, void *data, gnnc_dtype dtype, std::vector<int64_t> shape,
         bool onDevice = false)
      : name(std::move(name)), data(data), dtype(dtype), shape(std::move(shape)),
        onDevice(onDevice) {}

  /// For the C API; valid as long as this object.
  gnnc_tensor view() const {
    return {name.c_str(),    data, dtype, static_cast<int32_t>(shape.size()), shape.data(),
            onDevice ? 1 : 0};
  }

private:
  std::string name;
  void *data;
  gnnc_dtype dtype;
  std::vector<int64_t> shape;
  bool onDevice;
};

namespace detail {
inline std::vector<gnnc_tensor> views(const std::vector<Tensor> &tensors) {
  std::vector<gnnc_tensor> out;
  for (const Tensor &tensor : tensors)
    out.push_back(tensor.view());
  return out;
}
} // namespace detail

/// A validated copy of an edge list. Edge e runs from src[e] to dst[e].
class Graph {
public:
  /// Any mix of counts; src and dst must be equally long. `index`: I32 or I64 tensors
  /// of rank 1 with rows of their own.
  template <class Index>
  static Result<Graph> create(int64_t numDst, int64_t numSrc, std::span<const Index> src,
                              std::span<const Index> dst, const std::vector<Tensor> &edgeData = {},
                              const std::vector<Tensor> &index = {}) {
    if (src.size() != dst.size())
      return Error{GNNC_INVALID_ARGUMENT, "src has " + std::to_string(src.size()) +
                                              " entries, dst " + std::to_string(dst.size())};
    std::vector<gnnc_tensor> data = detail::views(edgeData);
    gnnc_graph_desc desc{numDst,
                         numSrc,
                         static_cast<int64_t>(src.size()),
                         src.data(),
                         dst.data(),
                         detail::dtypeOf<Index>(),
                         data.data(),
                         static_cast<int32_t>(data.size())};
    return create(desc, index);
  }
  static Result<Graph> create(const gnnc_graph_desc &desc, const std::vector<Tensor> &index = {}) {
    std::vector<gnnc_tensor> tensors = detail::views(index);
    gnnc_graph *graph = nullptr;
    if (gnnc_status status = gnnc_graph_create_indexed(
            &desc, tensors.data(), static_cast<int32_t>(tensors.size()), &graph))
      return detail::lastError(status);
    return Graph(graph);
  }
  gnnc_graph *get() const { return owner.get(); }

private:
  explicit Graph(gnnc_graph *graph) : owner(graph) {}
  detail::Owner<gnnc_graph, gnnc_graph_release> owner;
};

/// Extents and element type of an output.
struct OutputShape {
  std::vector<int64_t> shape;
  gnnc_dtype dtype = GNNC_F32;
};

/// A program bound to a graph. One thread at a time.
class Session {
public:
  Result<void> run(const std::vector<Tensor> &inputs, const std::vector<Tensor> &outputs) {
    std::vector<gnnc_tensor> in = detail::views(inputs), out = detail::views(outputs);
    return check(gnnc_session_run(get(), in.data(), count(in), out.data(), count(out)));
  }
  /// Milliseconds of `repeats` samples, each the mean over `inner` forwards.
  Result<std::vector<double>> time(const std::vector<Tensor> &inputs,
                                   const std::vector<Tensor> &outputs, int32_t warmup,
                                   int32_t repeats, int32_t inner = 1) {
    std::vector<gnnc_tensor> in = detail::views(inputs), out = detail::views(outputs);
    std::vector<double> samples(repeats > 0 ? static_cast<size_t>(repeats) : 0);
    if (gnnc_status status = gnnc_session_time(get(), in.data(), count(in), out.data(), count(out),
                                               warmup, repeats, inner, samples.data()))
      return detail::lastError(status);
    return samples;
  }
  /// Kernel launches and products of a forward, in their order.
  Result<std::vector<std::string>> commands() const {
    int32_t total = 0;
    if (gnnc_status status = gnnc_session_commands(get(), nullptr, 0, &total))
      return detail::lastError(status);
    std::vector<const char *> names(static_cast<size_t>(total));
    if (gnnc_status status = gnnc_session_commands(get(), names.data(), total, &total))
      return detail::lastError(status);
    return std::vector<std::string>(names.begin(), names.end());
  }
  /// Milliseconds of each command in each of `repeats` forwards, a row a forward.
  Result<std::vector<double>> timeCommands(const std::vector<Tensor> &inputs,
                                           const std::vector<Tensor> &outputs, int32_t warmup,
                                           int32_t repeats) {
    int32_t total = 0;
    if (gnnc_status status = gnnc_session_commands(get(), nullptr, 0, &total))
      return detail::lastError(status);
    std::vector<gnnc_tensor> in = detail::views(inputs), out = detail::views(outputs);
    std::vector<double> samples(static_cast<size_t>(total) *
                                static_cast<size_t>(repeats > 0 ? repeats : 0));
    if (gnnc_status status =
            gnnc_session_time_commands(get(), in.data(), count(in), out.data(), count(out), warmup,
                                       repeats, samples.data()))
      return detail::lastError(status);
    return samples;
  }
  /// Writes a Chrome trace of one forward.
  Result<void> profile(const std::vector<Tensor> &inputs, const std::vector<Tensor> &outputs,
                       const std::string &path) {
    std::vector<gnnc_tensor> in = detail::views(inputs), out = detail::views(outputs);
    return check(
        gnnc_session_profile(get(), in.data(), count(in), out.data(), count(out), path.c_str()));
  }
  /// Another graph in place of this one; see gnnc_session_rebind.
  Result<void> rebind(const Graph &graph) { return rebind(graph.get()); }
  Result<void> rebind(gnnc_graph *graph) { return check(gnnc_session_rebind(get(), graph)); }
  std::string updateFailure() const { return gnnc_session_update_failure(get()); }
  Result<gnnc_stats> stats() const {
    gnnc_stats stats;
    if (gnnc_status status = gnnc_session_stats(get(), &stats))
      return detail::lastError(status);
    return stats;
  }
  Result<OutputShape> outputShape(const std::string &name) const {
    int32_t rank = 0;
    int64_t extents[8];
    OutputShape out;
    if (gnnc_status status =
            gnnc_session_output_shape(get(), name.c_str(), &rank, extents, &out.dtype))
      return detail::lastError(status);
    out.shape.assign(extents, extents + rank);
    return out;
  }
  gnnc_session *get() const { return owner.get(); }

private:
  friend class Executable;
  explicit Session(gnnc_session *session) : owner(session) {}
  static Result<void> check(gnnc_status status) {
    return status ? Result<void>(detail::lastError(status)) : Result<void>();
  }
  static int32_t count(const std::vector<gnnc_tensor> &list) {
    return static_cast<int32_t>(list.size());
  }
  detail::Owner<gnnc_session, gnnc_session_release> owner;
};

/// A loaded artefact.
class Executable {
public:
  Result<Session> bind(const Graph &graph) const { return bind(graph.get()); }
  Result<Session> bind(gnnc_graph *graph) const {
    gnnc_session *session = nullptr;
    if (gnnc_status status = gnnc_session_create(get(), graph, &session))
      return detail::lastError(status);
    return Session(session);
  }
  /// What the program relies on, and how often each did not hold. Texts live as long as
  /// this object.
  Result<std::vector<gnnc_guard>> guards() const {
    int32_t count = 0;
    std::vector<gnnc_guard> out;
    for (bool filled : {false, true}) {
      if (gnnc_status status = gnnc_executable_guards(
              get(), out.data(), filled ? static_cast<int32_t>(out.size()) : 0, &count))
        return detail::lastError(status);
      out.resize(static_cast<size_t>(count));
    }
    return out;
  }
  gnnc_executable *get() const { return owner.get(); }

private:
  friend class Device;
  explicit Executable(gnnc_executable *executable) : owner(executable) {}
  detail::Owner<gnnc_executable, gnnc_executable_release> owner;
};

/// "cpu", "cpu:4" (threads), "cuda", "cuda:1".
class Device {
public:
  static Result<Device> open(const std::string &name) {
    gnnc_device *device = nullptr;
    if (gnnc_status status = gnnc_device_open(name.c_str(), &device))
      return detail::lastError(status);
    return Device(device);
  }
  static bool cudaAvailable() { return gnnc_cuda_available() != 0; }
  Result<Executable> load(const std::string &path) const {
    gnnc_executable *executable = nullptr;
    if (gnnc_status status = gnnc_executable_load(get(), path.c_str(), &executable))
      return detail::lastError(status);
    return Executable(executable);
  }
  gnnc_device *get() const { return owner.get(); }

private:
  explicit Device(gnnc_device *device) : owner(device) {}
  detail::Owner<gnnc_device, gnnc_device_close> owner;
};

} // namespace gnnc

#endif // GNNC_GNNC_HPP
