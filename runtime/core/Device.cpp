//===- Device.cpp - An opened device --------------------------------------===//
#include "runtime/core/Device.h"
#include "runtime/cpu/CpuBackend.h"

#include <charconv>
#include <dlfcn.h>

namespace gnnc::runtime {
namespace {

constexpr const char *kCudaLibrary = "libgnnc_cuda.so";

/// Opens the CUDA back end: beside this library or tool first (as in a build tree
/// or a moved folder), then where the loader looks.
std::shared_ptr<void> openCudaLibrary(std::string &why) {
  std::string path = kCudaLibrary;
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&Device::cudaAvailable), &info) && info.dli_fname) {
    std::string self = info.dli_fname;
    std::size_t slash = self.rfind('/');
    if (slash != std::string::npos)
      path = self.substr(0, slash + 1) + kCudaLibrary;
  }
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle && path != kCudaLibrary) {
    const char *first = dlerror();
    why = first ? first : "";
    handle = dlopen(kCudaLibrary, RTLD_NOW | RTLD_LOCAL);
  }
  if (!handle) {
    const char *last = dlerror();
    if (why.empty() || why.find("No such file") != std::string::npos)
      why = last ? last : "not found";
    return nullptr;
  }
  // Never unmapped: driver threads and thread-local destructors may outlive us.
  return {handle, [](void *) {}};
}

/// "4" of "cpu:4"; false unless it is a whole number in [least, 4096].
bool parseNumber(const std::string &text, int least, int &out) {
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  return code == std::errc() && end == text.data() + text.size() && out >= least && out <= 4096;
}

} // namespace

Expected<std::shared_ptr<Device>> Device::open(const std::string &name) {
  std::size_t colon = name.find(':');
  std::string kind = name.substr(0, colon);
  bool numbered = colon != std::string::npos;
  std::string number = numbered ? name.substr(colon + 1) : "";
  BackendOptions options;
  auto device = std::make_shared<Device>();

  if (kind == "cpu") {
    if (numbered && !parseNumber(number, 1, options.threads))
      return Status{Code::InvalidArgument, "device '" + name + "': the number of threads is '" +
                                               number + "', expected 1 to 4096"};
    auto backend = createCpuBackend(options);
    if (!backend)
      return backend.status();
    device->impl = std::move(*backend);
    return device;
  }
  if (kind != "cuda")
    return Status{Code::InvalidArgument,
                  "device '" + name + "' is not known; expected cpu, cpu:THREADS, cuda or cuda:N"};
  if (numbered && !parseNumber(number, 0, options.device))
    return Status{Code::InvalidArgument,
                  "device '" + name + "': '" + number + "' is no device number"};
  std::string why;
  device->library = openCudaLibrary(why);
  if (!device->library)
    return Status{Code::Unsupported, "device '" + name + "': cannot open the CUDA back end: " +
                                         why + "; use cpu, or install libgnnc_cuda.so"};
  auto *create = reinterpret_cast<gnnc_backend_create_fn *>(
      dlsym(device->library.get(), "gnnc_backend_create"));
  if (!create)
    return Status{Code::Unsupported, "device '" + name + "': " + std::string(kCudaLibrary) +
                                         " has no gnnc_backend_create; is it another version?"};
  Backend *backend = nullptr;
  int code = create(&options, &backend, &why);
  if (code != GNNC_OK || !backend)
    return Status{code == GNNC_OK ? Code::Internal : static_cast<Code>(code),
                  "device '" + name + "': " + why};
  device->impl.reset(backend);
  return device;
}

std::shared_ptr<Device> Device::wrap(std::unique_ptr<Backend> backend) {
  auto device = std::make_shared<Device>();
  device->impl = std::move(backend);
  return device;
}

bool Device::cudaAvailable() {
  std::string why;
  std::shared_ptr<void> library = openCudaLibrary(why);
  if (!library)
    return false;
  auto *count = reinterpret_cast<gnnc_backend_device_count_fn *>(
      dlsym(library.get(), "gnnc_backend_device_count"));
  return count && count() > 0;
}

} // namespace gnnc::runtime
