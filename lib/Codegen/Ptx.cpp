//===- Ptx.cpp - Kernels as PTX and cubin ---------------------------------===//
//
// In:  a gpu.module in the nvvm dialect. Out: PTX text, and a cubin where the
// toolkit's assembler is at hand.
//
//===----------------------------------------------------------------------===//
#include "lib/Codegen/Codegen.h"
#include "lib/Codegen/Optimize.h"
#include "lib/Codegen/Translate.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace mlir;

FailureOr<std::string> gnnc::compilePtx(ModuleOp module, StringRef chip) {
  auto kernels = module.getOps<gpu::GPUModuleOp>();
  if (kernels.empty())
    return std::string();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::LLVMContext context;
  Operation *kernelModule = *kernels.begin();
  std::unique_ptr<llvm::Module> translated = translateKernels(kernelModule, context);
  if (!translated)
    return kernelModule->emitError("the GPU kernels could not be translated to LLVM IR");
  std::string error;
  // No features: LLVM then writes the oldest PTX version that knows the chip, which
  // every driver for it reads.
  auto machine = createMachine("nvptx64-nvidia-cuda", chip, "", error);
  if (!machine)
    return kernelModule->emitError("no NVPTX code for ") << chip << ": " << error;
  std::string ptx = emitCode(*translated, *machine, /*assembly=*/true, error);
  if (ptx.empty())
    return kernelModule->emitError("PTX generation failed: ") << error;
  return ptx;
}

FailureOr<std::string> gnnc::assembleCubin(Location loc, StringRef ptx, StringRef chip) {
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    return std::string();
  SmallString<128> input, output, log;
  int descriptor;
  if (llvm::sys::fs::createTemporaryFile("gnnc", "ptx", descriptor, input) ||
      llvm::sys::fs::createTemporaryFile("gnnc", "cubin", output) ||
      llvm::sys::fs::createTemporaryFile("gnnc", "log", log))
    return emitError(loc) << "cannot make temporary files for ptxas";
  llvm::FileRemover removeInput(input), removeOutput(output), removeLog(log);
  {
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    stream << ptx;
  }
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(log), StringRef(log)};
  std::string message;
  std::string arch = ("-arch=" + chip).str();
  int code =
      llvm::sys::ExecuteAndWait(ptxas, {ptxas, arch, input, "-o", output}, std::nullopt, redirects,
                                /*SecondsToWait=*/120, /*MemoryLimit=*/0, &message);
  if (code != 0) {
    auto text = llvm::MemoryBuffer::getFile(log);
    return emitError(loc) << ptxas << " failed (" << code << "): " << message
                          << (text ? (*text)->getBuffer() : StringRef());
  }
  auto bytes = llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!bytes)
    return emitError(loc) << "cannot read " << output << ": " << bytes.getError().message();
  return (*bytes)->getBuffer().str();
}
