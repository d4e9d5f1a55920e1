//===- DeviceCode.h - Functions that kernels and their stand-ins share ----===//
//
// GNNC_DEVICE before a function that kernels call: clang compiles it for the device
// with them, and for the host where a stand-in of a kernel or a test calls it.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_DEVICECODE_H
#define GNNC_RUNTIME_CUDA_DEVICECODE_H

#ifdef __CUDA__
#define GNNC_DEVICE __attribute__((device))
#else
#define GNNC_DEVICE
#endif

#endif // GNNC_RUNTIME_CUDA_DEVICECODE_H
