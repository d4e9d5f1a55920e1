//===- CudaModule.cpp - Choose, load and look up kernels ------------------===//
#include "runtime/cuda/CudaModule.h"

#include <algorithm>
#include <cctype>

using namespace gnnc;
using namespace gnnc::cuda;

bool Chip::parse(const std::string &text, Chip &chip) {
  if (text.rfind("sm_", 0) != 0)
    return false;
  std::size_t end = 3;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
    ++end;
  if (end < 5 || end > 6 || text.size() > end + 1)
    return false;
  chip.capability = std::stoi(text.substr(3, end - 3));
  chip.suffix = end < text.size() ? text[end] : 0;
  return chip.suffix == 0 || chip.suffix == 'a' || chip.suffix == 'f';
}

bool Chip::runsCubin(int device) const {
  if (suffix == 'a')
    return device == capability;
  return device / 10 == capability / 10 && device >= capability;
}

bool Chip::runsPtx(int device) const {
  if (suffix == 'a')
    return device == capability;
  if (suffix == 'f')
    return device / 10 == capability / 10 && device >= capability;
  return device >= capability;
}

namespace {

/// The members that the device can run, the best one first.
std::vector<const format::Code *> fitting(const std::vector<format::Code> &code, int device) {
  struct Candidate {
    bool machineCode;
    int capability;
    const format::Code *member;
  };
  std::vector<Candidate> candidates;
  for (const format::Code &member : code) {
    std::size_t dot = member.name.rfind('.');
    Chip chip;
    if (dot == std::string::npos || !Chip::parse(member.name.substr(0, dot), chip))
      continue;
    std::string kind = member.name.substr(dot);
    if (kind == ".cubin" && chip.runsCubin(device))
      candidates.push_back({true, chip.capability, &member});
    else if (kind == ".ptx" && chip.runsPtx(device))
      candidates.push_back({false, chip.capability, &member});
  }
  std::sort(candidates.begin(), candidates.end(), [](const auto &a, const auto &b) {
    return std::pair(a.machineCode, a.capability) > std::pair(b.machineCode, b.capability);
  });
  std::vector<const format::Code *> members;
  for (const Candidate &candidate : candidates)
    members.push_back(candidate.member);
  return members;
}

/// The driver's log on one line.
std::string oneLine(const char *log) {
  std::string text;
  for (; *log; ++log) {
    char c = *log == '\n' || *log == '\t' ? ' ' : *log;
    if (c != ' ' || (!text.empty() && text.back() != ' '))
      text += c;
  }
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

} // namespace

Status CudaModule::loadMember(const Context &context, const format::Code &member,
                              CUmodule &module) {
  // PTX is text that the driver reads up to a NUL.
  std::string image(reinterpret_cast<const char *>(member.bytes.data), member.bytes.size);
  char log[4096] = "";
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log - 1)};
  Context::Current current(context);
  CUresult result = context.driver().moduleLoadDataEx(&module, image.c_str(), 2, options, values);
  if (result == kCudaSuccess)
    return Status();
  std::string message = "kernels/" + member.name + " does not load on " + context.name() + " (sm_" +
                        std::to_string(context.capability()) +
                        "): " + context.driver().describe(result);
  if (log[0])
    message += ": " + oneLine(log);
  if (result == kCudaErrorUnsupportedPtxVersion)
    message += "; update the NVIDIA driver, or compile with a cubin for this chip";
  return Status(result == kCudaErrorUnsupportedPtxVersion || result == kCudaErrorNoBinaryForGpu
                    ? Code::Unsupported
                    : Code::DeviceError,
                message);
}

Expected<std::unique_ptr<runtime::Module>> CudaModule::load(std::shared_ptr<Context> context,
                                                            const std::vector<format::Code> &code,
                                                            const std::string &chip) {
  std::vector<const format::Code *> members = fitting(code, context->capability());
  if (members.empty()) {
    std::string have;
    for (const format::Code &member : code)
      have += (have.empty() ? "" : ", ") + member.name;
    std::string device = "sm_" + std::to_string(context->capability());
    return Status(Code::Unsupported, "the artefact was compiled for " + chip + " (" +
                                         (have.empty() ? "no code" : have) + "), the device is a " +
                                         device + " (" + context->name() +
                                         "); compile with --chip " + device);
  }
  // A cubin can be of a newer kind than the driver knows: PTX is then the next try.
  Status failure;
  for (const format::Code *member : members) {
    CUmodule module = nullptr;
    Status status = loadMember(*context, *member, module);
    if (status)
      return std::unique_ptr<runtime::Module>(
          new CudaModule(std::move(context), module, "kernels/" + member->name));
    if (failure)
      failure = std::move(status);
  }
  return failure;
}

CudaModule::~CudaModule() {
  Context::Current current(*context);
  context->driver().moduleUnload(module);
}

Expected<runtime::Kernel *> CudaModule::kernel(const std::string &name, std::int64_t block,
                                               std::int64_t sharedBytes) {
  const DriverApi &driver = context->driver();
  std::lock_guard<std::mutex> lock(mutex);
  Context::Current current(*context);
  std::unique_ptr<CudaKernel> &kernel = kernels[name];
  if (!kernel) {
    CUfunction function = nullptr;
    CUresult result = driver.moduleGetFunction(&function, module, name.c_str());
    if (result == kCudaErrorNotFound) {
      kernels.erase(name);
      return Status(Code::InvalidFile,
                    label + ": no kernel \"" + name +
                        "\", which the plan launches; compile the artefact again");
    }
    if (Status status = context->check(result, "cuModuleGetFunction"); !status) {
      kernels.erase(name);
      return status;
    }
    kernel = std::make_unique<CudaKernel>(function);
  }
  int maxThreads = 0, staticShared = 0;
  GNNC_TRY(
      context->check(driver.funcGetAttribute(&maxThreads, kFunctionMaxThreads, kernel->function),
                     "cuFuncGetAttribute"));
  if (block < 1 || block > maxThreads)
    return Status(Code::Unsupported, label + ": kernel \"" + name + "\" is launched with " +
                                         std::to_string(block) + " threads a block, on " +
                                         context->name() + " it can have 1 to " +
                                         std::to_string(maxThreads));
  GNNC_TRY(context->check(
      driver.funcGetAttribute(&staticShared, kFunctionStaticSharedBytes, kernel->function),
      "cuFuncGetAttribute"));
  std::int64_t available = context->attribute(kAttributeMaxSharedBytesOptIn) - staticShared;
  if (sharedBytes < 0 || sharedBytes > available)
    return Status(Code::Unsupported, label + ": kernel \"" + name + "\" asks for " +
                                         std::to_string(sharedBytes) + " bytes of shared memory, " +
                                         context->name() + " has " + std::to_string(available) +
                                         " for it");
  if (sharedBytes > kernel->dynamicShared) {
    GNNC_TRY(
        context->check(driver.funcSetAttribute(kernel->function, kFunctionMaxDynamicSharedBytes,
                                               static_cast<int>(sharedBytes)),
                       "cuFuncSetAttribute"));
    kernel->dynamicShared = sharedBytes;
  }
  return static_cast<runtime::Kernel *>(kernel.get());
}
