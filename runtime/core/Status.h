//===- Status.h - Errors of the runtime as values -------------------------===//
//
// Nothing in the runtime aborts or lets an exception out: a function that can
// fail returns a Status, or an Expected when it also makes something. The codes
// are those of the C API; the message is one line that says what was wrong,
// where, with both values, and what to do.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_STATUS_H
#define GNNC_RUNTIME_CORE_STATUS_H

#include "gnnc/gnnc.h"

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace gnnc::runtime {

enum class Code {
  Ok = GNNC_OK,
  InvalidArgument = GNNC_INVALID_ARGUMENT,
  InvalidFile = GNNC_INVALID_FILE,
  InvalidGraph = GNNC_INVALID_GRAPH,
  GuardFailed = GNNC_GUARD_FAILED,
  Unsupported = GNNC_UNSUPPORTED,
  OutOfMemory = GNNC_OUT_OF_MEMORY,
  DeviceError = GNNC_DEVICE_ERROR,
  Internal = GNNC_INTERNAL
};

/// Success, or a code and one line. True when it is a success.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Code code, std::string message) : errorCode(code), text(std::move(message)) {}

  explicit operator bool() const { return errorCode == Code::Ok; }
  Code code() const { return errorCode; }
  const std::string &message() const { return text; }

  /// The same failure with "where: " put before it.
  Status in(const std::string &where) && {
    if (errorCode != Code::Ok)
      text = where + ": " + text;
    return std::move(*this);
  }

private:
  Code errorCode = Code::Ok;
  std::string text;
};

/// A value, or why there is none. True when there is one.
template <class T>
class [[nodiscard]] Expected {
public:
  Expected(T value) : value(std::move(value)) {}
  Expected(Status status) : failure(std::move(status)) { assert(!failure && "needs a failure"); }
  Expected(Code code, std::string message) : failure(code, std::move(message)) {}

  explicit operator bool() const { return value.has_value(); }
  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const T *operator->() const { return &*value; }
  /// The failure; a success when there is a value.
  const Status &status() const { return failure; }

private:
  std::optional<T> value;
  Status failure;
};

} // namespace gnnc::runtime

/// Returns from the enclosing function when `expression`, a Status, is a failure.
#define GNNC_TRY(expression)                                                                       \
  do {                                                                                             \
    if (::gnnc::runtime::Status gnncStatus = (expression); !gnncStatus)                            \
      return gnncStatus;                                                                           \
  } while (false)

#endif // GNNC_RUNTIME_CORE_STATUS_H
