// The CUDA back end but for its products: opening, memory, code, launches,
// recording. Where there is no device, the ways it says so.
#include "CudaTestDevice.h"
#include "runtime/cuda/CudaModule.h"

using namespace gnnc;
using namespace gnnc::runtime;

namespace {

/// add(out, in, n, value): out[i] = in[i] + value for i < n. Every parameter has
/// 8 bytes, as kernels of artefacts have.
const char *const kAddPtx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 out, .param .u64 in, .param .u64 n, .param .u64 value)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %d<8>;
  ld.param.u64 %d0, [out];
  ld.param.u64 %d1, [in];
  ld.param.u64 %d2, [n];
  ld.param.u64 %d3, [value];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  cvt.u64.u32 %d4, %r3;
  setp.ge.u64 %p, %d4, %d2;
  @%p bra done;
  shl.b64 %d4, %d4, 3;
  add.s64 %d1, %d1, %d4;
  add.s64 %d0, %d0, %d4;
  ld.global.u64 %d5, [%d1];
  add.s64 %d5, %d5, %d3;
  st.global.u64 [%d0], %d5;
done:
  ret;
}
)";

format::Code code(const std::string &name, const std::string &text) {
  return {name, format::Bytes::fromString(text)};
}

std::uint64_t slot(const void *address) { return reinterpret_cast<std::uint64_t>(address); }

} // namespace

TEST(CudaChip, ReadsNames) {
  cuda::Chip chip;
  ASSERT_TRUE(cuda::Chip::parse("sm_90", chip));
  EXPECT_EQ(chip.capability, 90);
  EXPECT_EQ(chip.suffix, 0);
  ASSERT_TRUE(cuda::Chip::parse("sm_100a", chip));
  EXPECT_EQ(chip.capability, 100);
  EXPECT_EQ(chip.suffix, 'a');
  for (const char *wrong : {"", "sm_", "sm_9", "sm_9000", "sm_90b", "sm_90aa", "x86-64-v4", "90"})
    EXPECT_FALSE(cuda::Chip::parse(wrong, chip)) << wrong;
}

TEST(CudaChip, MachineCodeStaysInItsFamilyAndPtxGoesUp) {
  cuda::Chip sm80{80, 0}, sm90{90, 0}, sm90a{90, 'a'}, sm100f{100, 'f'};
  EXPECT_TRUE(sm80.runsCubin(86));
  EXPECT_FALSE(sm80.runsCubin(90));
  EXPECT_FALSE(sm90.runsCubin(80));
  EXPECT_TRUE(sm80.runsPtx(90));
  EXPECT_FALSE(sm90.runsPtx(89));
  EXPECT_TRUE(sm90a.runsPtx(90));
  EXPECT_FALSE(sm90a.runsPtx(100));
  EXPECT_TRUE(sm100f.runsPtx(103));
  EXPECT_FALSE(sm100f.runsPtx(120));
}

TEST(CudaOpen, WithoutDeviceIsUnsupportedAndSaysWhatToDo) {
  if (gnnc_backend_device_count() > 0)
    GTEST_SKIP() << "there is a CUDA device";
  BackendOptions options;
  Backend *backend = nullptr;
  std::string message;
  EXPECT_EQ(gnnc_backend_create(&options, &backend, &message), GNNC_UNSUPPORTED);
  EXPECT_EQ(backend, nullptr);
  EXPECT_NE(message.find("CUDA driver"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(CudaOpen, RefusesTheCoreOfAnotherBuild) {
  BackendOptions options;
  options.abi = kBackendAbi + 1;
  Backend *backend = nullptr;
  std::string message;
  EXPECT_EQ(gnnc_backend_create(&options, &backend, &message), GNNC_UNSUPPORTED);
  EXPECT_NE(message.find(std::to_string(kBackendAbi + 1)), std::string::npos) << message;
}

TEST_F(CudaTest, NoSuchDeviceNamesTheCount) {
  BackendOptions options;
  options.device = 99;
  Backend *other = nullptr;
  std::string message;
  EXPECT_EQ(gnnc_backend_create(&options, &other, &message), GNNC_INVALID_ARGUMENT);
  EXPECT_NE(message.find("no device 99"), std::string::npos) << message;
  EXPECT_NE(message.find(std::to_string(gnnc_backend_device_count())), std::string::npos);
}

TEST_F(CudaTest, SaysWhatTheDeviceIs) {
  const DeviceInfo &info = backend->info();
  EXPECT_EQ(info.kind, "cuda");
  cuda::Chip chip;
  EXPECT_TRUE(cuda::Chip::parse(info.chip, chip)) << info.chip;
  EXPECT_GT(info.processors, 0);
  EXPECT_GT(info.memoryBytes, 0);
  EXPECT_GE(info.sharedBytes, 48 * 1024);
  EXPECT_TRUE(info.canCapture);
  EXPECT_FALSE(info.unifiedWithHost);
}

TEST_F(CudaTest, CopiesAndZeroes) {
  std::vector<int> values(1000);
  for (int i = 0; i < 1000; ++i)
    values[i] = i * 7;
  int *first = upload(values), *second = upload(std::vector<int>(1000, -1));
  ASSERT_TRUE(backend->copyOnDevice(second, first, 4000, *stream));
  EXPECT_EQ(download(second, 1000), values);
  ASSERT_TRUE(backend->zero(second + 10, 40, *stream));
  for (int i = 10; i < 20; ++i)
    values[i] = 0;
  EXPECT_EQ(download(second, 1000), values);
  EXPECT_EQ(*backend->allocate(0), nullptr);
  backend->release(nullptr);
}

TEST_F(CudaTest, OutOfMemorySaysWhatWasNeededAndLeavesTheDeviceUsable) {
  auto huge = backend->allocate(std::int64_t(1) << 50);
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.status().code(), Code::OutOfMemory);
  EXPECT_NE(huge.status().message().find("1073741824.0 MiB needed"), std::string::npos)
      << huge.status().message();
  EXPECT_NE(huge.status().message().find("free"), std::string::npos);
  EXPECT_EQ(download(upload(std::vector<int>{3, 4}), 2), (std::vector<int>{3, 4}));
}

TEST_F(CudaTest, TellsDeviceMemoryFromHostMemory) {
  int onHost = 0;
  EXPECT_TRUE(backend->checkAddress(upload(std::vector<int>{1}), 4));
  Status status = backend->checkAddress(&onHost, 4);
  EXPECT_EQ(status.code(), Code::InvalidArgument);
  EXPECT_FALSE(backend->checkAddress(nullptr, 4));
}

TEST_F(CudaTest, LaunchesAKernelOfPtx) {
  auto module = backend->loadCode({code("sm_70.ptx", kAddPtx)}, "sm_70");
  ASSERT_TRUE(module) << module.status().message();
  auto kernel = (*module)->kernel("add", 128, 0);
  ASSERT_TRUE(kernel) << kernel.status().message();
  std::vector<std::int64_t> values(1000, 5);
  std::int64_t *in = upload(values), *out = upload(std::vector<std::int64_t>(1001, -1));
  std::uint64_t arguments[] = {slot(out), slot(in), 1000, 37};
  LaunchCall call;
  call.kernel = *kernel;
  call.arguments = arguments;
  call.numArguments = 4;
  call.grid = {8, 1, 1};
  call.block = 128;
  auto begin = backend->createEvent(), end = backend->createEvent();
  ASSERT_TRUE(begin && end);
  ASSERT_TRUE(backend->record(**begin, *stream));
  Status status = backend->launch(call, *stream);
  ASSERT_TRUE(status) << status.message();
  ASSERT_TRUE(backend->record(**end, *stream));
  auto elapsed = backend->milliseconds(**begin, **end);
  ASSERT_TRUE(elapsed);
  EXPECT_GT(*elapsed, 0);
  std::vector<std::int64_t> expected(1000, 42);
  expected.push_back(-1);
  EXPECT_EQ(download(out, 1001), expected);

  call.grid = {1, 70000, 1};
  EXPECT_EQ(backend->launch(call, *stream).code(), Code::Unsupported);
}

TEST_F(CudaTest, ChecksAKernelsNameAndLimits) {
  auto module = backend->loadCode({code("sm_70.ptx", kAddPtx)}, "sm_70");
  ASSERT_TRUE(module) << module.status().message();
  auto missing = (*module)->kernel("sub", 128, 0);
  EXPECT_EQ(missing.status().code(), Code::InvalidFile);
  EXPECT_NE(missing.status().message().find("\"sub\""), std::string::npos);
  EXPECT_EQ((*module)->kernel("add", 2048, 0).status().code(), Code::Unsupported);
  EXPECT_EQ((*module)->kernel("add", 128, 1 << 30).status().code(), Code::Unsupported);
  EXPECT_TRUE((*module)->kernel("add", 128, backend->info().sharedBytes));
}

TEST_F(CudaTest, RefusesCodeOfAnotherChip) {
  cuda::Chip chip;
  ASSERT_TRUE(cuda::Chip::parse(backend->info().chip, chip));
  std::string other = "sm_" + std::to_string(chip.capability + 10);
  auto module = backend->loadCode({code(other + ".cubin", "x"), code(other + ".ptx", "x")}, other);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.status().code(), Code::Unsupported);
  EXPECT_NE(module.status().message().find("compiled for " + other), std::string::npos)
      << module.status().message();
  EXPECT_NE(module.status().message().find("--chip " + backend->info().chip), std::string::npos);
}

TEST_F(CudaTest, GivesTheDriversReasonForBadPtx) {
  auto module = backend->loadCode(
      {code("sm_70.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.frobnicate 1\n")},
      "sm_70");
  ASSERT_FALSE(module);
  const std::string &message = module.status().message();
  EXPECT_NE(message.find("kernels/sm_70.ptx"), std::string::npos) << message;
  EXPECT_NE(message.find("CUDA_ERROR_INVALID_PTX"), std::string::npos) << message;
  EXPECT_NE(message.find("ptxas"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST_F(CudaTest, FallsBackToPtxWhenTheCubinDoesNotLoad) {
  auto module = backend->loadCode(
      {code(backend->info().chip + ".cubin", "no machine code"), code("sm_70.ptx", kAddPtx)},
      backend->info().chip);
  ASSERT_TRUE(module) << module.status().message();
  EXPECT_TRUE((*module)->kernel("add", 64, 0));
}

TEST_F(CudaTest, RecordsReplaysAndUpdatesInPlace) {
  auto module = backend->loadCode({code("sm_70.ptx", kAddPtx)}, "sm_70");
  ASSERT_TRUE(module) << module.status().message();
  auto kernel = (*module)->kernel("add", 32, 0);
  ASSERT_TRUE(kernel);
  std::int64_t *first = upload(std::vector<std::int64_t>(32, 0));
  std::int64_t *second = upload(std::vector<std::int64_t>(32, 100));
  std::unique_ptr<Recording> recording;
  auto recordAdd = [&](std::int64_t *target, std::uint64_t value) {
    std::uint64_t arguments[] = {slot(target), slot(target), 32, value};
    LaunchCall call;
    call.kernel = *kernel;
    call.arguments = arguments;
    call.numArguments = 4;
    call.block = 32;
    Status status = backend->beginCapture(*stream);
    ASSERT_TRUE(status) << status.message();
    ASSERT_TRUE(backend->launch(call, *stream));
    status = backend->endCapture(*stream, recording);
    ASSERT_TRUE(status) << status.message();
  };
  recordAdd(first, 1);
  EXPECT_EQ(download(first, 32), std::vector<std::int64_t>(32, 0)) << "recording ran it";
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(backend->replay(*recording, *stream));
  EXPECT_EQ(download(first, 32), std::vector<std::int64_t>(32, 3));

  Recording *before = recording.get();
  recordAdd(second, 10);
  EXPECT_EQ(recording.get(), before) << "same structure: updated, not replaced";
  ASSERT_TRUE(backend->replay(*recording, *stream));
  EXPECT_EQ(download(first, 32), std::vector<std::int64_t>(32, 3));
  EXPECT_EQ(download(second, 32), std::vector<std::int64_t>(32, 110));
}

TEST_F(CudaTest, AFailureWhileRecordingLeavesTheStreamUsable) {
  std::int64_t *values = upload(std::vector<std::int64_t>(4, 9));
  std::unique_ptr<Recording> recording;
  ASSERT_TRUE(backend->beginCapture(*stream));
  std::int64_t onHost[4];
  EXPECT_FALSE(backend->copyToHost(onHost, values, 32, *stream)) << "waits, so cannot be recorded";
  EXPECT_FALSE(backend->endCapture(*stream, recording));
  EXPECT_EQ(recording, nullptr);
  EXPECT_EQ(download(values, 4), std::vector<std::int64_t>(4, 9));
}
