//===- CudaModule.h - Kernels of an artefact on a CUDA device -------------===//
//
// Input: an artefact's code members ("sm_90.cubin", "sm_90.ptx"). Output: the
// member that fits the device best, loaded, and its kernels by name.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_CUDAMODULE_H
#define GNNC_RUNTIME_CUDA_CUDAMODULE_H

#include "runtime/core/Backend.h"
#include "runtime/cuda/Context.h"

#include <map>
#include <mutex>

namespace gnnc::cuda {

/// A chip as code names it: "sm_90", "sm_90a".
struct Chip {
  int capability = 0; ///< 90
  char suffix = 0;    ///< 'a': that chip alone; 'f': its family; 0: later ones too

  /// False if `text` is no chip name.
  static bool parse(const std::string &text, Chip &chip);
  /// Machine code for this chip runs on a device of `capability`.
  bool runsCubin(int capability) const;
  /// PTX for this chip can be compiled for a device of `capability`.
  bool runsPtx(int capability) const;
};

class CudaKernel final : public runtime::Kernel {
public:
  explicit CudaKernel(CUfunction function) : function(function) {}
  const CUfunction function;
  std::int64_t dynamicShared = 0; ///< what the kernel is allowed to ask for
};

class CudaModule final : public runtime::Module {
public:
  /// Loads what fits best: a cubin, else PTX, which the driver compiles; its
  /// messages are part of the error.
  static Expected<std::unique_ptr<runtime::Module>> load(std::shared_ptr<Context> context,
                                                         const std::vector<format::Code> &code,
                                                         const std::string &chip);
  ~CudaModule() override;

  Expected<runtime::Kernel *> kernel(const std::string &name, std::int64_t block,
                                     std::int64_t sharedBytes) override;

private:
  CudaModule(std::shared_ptr<Context> context, CUmodule module, std::string label)
      : context(std::move(context)), module(module), label(std::move(label)) {}
  static Status loadMember(const Context &context, const format::Code &member, CUmodule &module);

  std::shared_ptr<Context> context;
  CUmodule module;
  std::string label; ///< "kernels/sm_90.cubin"
  std::mutex mutex;  ///< guards `kernels`: sessions share the module
  std::map<std::string, std::unique_ptr<CudaKernel>> kernels;
};

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_CUDAMODULE_H
