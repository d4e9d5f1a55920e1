// Shared by the tests of runtime/cuda: a device for one test, or a skip where
// there is none, and arrays on it.
#ifndef GNNC_TEST_RUNTIME_CUDATESTDEVICE_H
#define GNNC_TEST_RUNTIME_CUDATESTDEVICE_H

#include "runtime/core/Backend.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

class CudaTest : public testing::Test {
protected:
  void SetUp() override {
    if (gnnc_backend_device_count() == 0)
      GTEST_SKIP() << "no CUDA device";
    gnnc::runtime::BackendOptions options;
    gnnc::runtime::Backend *opened = nullptr;
    std::string message;
    ASSERT_EQ(gnnc_backend_create(&options, &opened, &message), GNNC_OK) << message;
    backend.reset(opened);
    auto made = backend->createStream();
    ASSERT_TRUE(made) << made.status().message();
    stream = std::move(*made);
  }
  void TearDown() override {
    for (void *address : addresses)
      backend->release(address);
    stream.reset();
    backend.reset();
  }

  /// Device memory with a copy of `values`, at `offset` elements behind an aligned
  /// address; released with the test.
  template <class T>
  T *upload(const std::vector<T> &values, std::size_t offset = 0) {
    auto made = backend->allocate(static_cast<std::int64_t>((values.size() + offset) * sizeof(T)));
    EXPECT_TRUE(made) << made.status().message();
    addresses.push_back(*made);
    T *address = static_cast<T *>(*made) + offset;
    auto status = backend->copyToDevice(
        address, values.data(), static_cast<std::int64_t>(values.size() * sizeof(T)), *stream);
    EXPECT_TRUE(status) << status.message();
    return address;
  }

  template <class T>
  std::vector<T> download(const T *address, std::size_t count) {
    std::vector<T> values(count);
    auto status = backend->copyToHost(values.data(), address,
                                      static_cast<std::int64_t>(count * sizeof(T)), *stream);
    EXPECT_TRUE(status) << status.message();
    return values;
  }

  std::unique_ptr<gnnc::runtime::Backend> backend;
  std::unique_ptr<gnnc::runtime::Stream> stream;
  std::vector<void *> addresses;
};

#endif // GNNC_TEST_RUNTIME_CUDATESTDEVICE_H
