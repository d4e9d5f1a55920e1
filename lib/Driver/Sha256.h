//===- Sha256.h - A digest without LLVM -----------------------------------===//
#ifndef GNNC_LIB_DRIVER_SHA256_H
#define GNNC_LIB_DRIVER_SHA256_H

#include <string>
#include <string_view>

namespace gnnc {

/// SHA-256 in hexadecimal digits, for what must not load LLVM.
std::string sha256(std::string_view text);

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_SHA256_H
