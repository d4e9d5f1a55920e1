//===- CpuModule.cpp - Host code opened from memory -----------------------===//
#include "runtime/cpu/CpuModule.h"
#include "runtime/cpu/CpuFeatures.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace gnnc::runtime {
namespace {

class CpuModule final : public Module {
public:
  ~CpuModule() override {
    if (handle)
      dlclose(handle);
    if (fd >= 0)
      ::close(fd);
  }

  Status open(const format::Bytes &bytes) {
    fd = ::memfd_create("gnnc-host-code", MFD_CLOEXEC);
    if (fd < 0)
      return {Code::DeviceError, std::string("host code: no memory file: ") + std::strerror(errno)};
    for (std::size_t written = 0; written < bytes.size;) {
      ssize_t part = ::write(fd, bytes.data + written, bytes.size - written);
      if (part < 0 && errno == EINTR)
        continue;
      if (part <= 0)
        return {Code::OutOfMemory, "host code: " + std::to_string(bytes.size) +
                                       " bytes were needed: " + std::strerror(errno)};
      written += static_cast<std::size_t>(part);
    }
    // Kernels may call the C math library without naming it as a dependency.
    [[maybe_unused]] static void *math = dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
    // The descriptor stays open as long as the code: dlopen knows libraries by
    // their path, and a reused number would find the old one.
    std::string path = "/proc/self/fd/" + std::to_string(fd);
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char *why = dlerror();
      return {Code::InvalidFile, std::string("host.so cannot be opened: ") + (why ? why : "?")};
    }
    return {};
  }

  Expected<Kernel *> kernel(const std::string &name, std::int64_t, std::int64_t) override {
    auto [entry, isNew] = kernels.try_emplace(name);
    if (isNew)
      entry->second.function = reinterpret_cast<HostFunction *>(dlsym(handle, name.c_str()));
    if (!entry->second.function)
      return Status{Code::InvalidFile, "host.so has no kernel '" + name + "'"};
    return static_cast<Kernel *>(&entry->second);
  }

private:
  int fd = -1;
  void *handle = nullptr;
  std::map<std::string, CpuKernel> kernels;
};

} // namespace

Expected<std::unique_ptr<Module>> loadCpuModule(const std::vector<format::Code> &code,
                                                const std::string &chip) {
  if (Status status = checkChip(chip); !status)
    return status;
  for (const format::Code &item : code) {
    if (item.name != "host.so")
      continue;
    auto module = std::make_unique<CpuModule>();
    if (Status status = module->open(item.bytes); !status)
      return status;
    return std::unique_ptr<Module>(std::move(module));
  }
  return Status{Code::InvalidFile, "the artefact has no kernels/host.so; compile it with "
                                   "--target cpu"};
}

} // namespace gnnc::runtime
