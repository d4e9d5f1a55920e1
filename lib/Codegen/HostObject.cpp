//===- HostObject.cpp - Kernels as a shared object for the host -----------===//
//
// In:  functions in the llvm dialect. Out: the bytes of a shared object that
// needs no library, linked by lld in this process.
//
//===----------------------------------------------------------------------===//
#include "lib/Codegen/Codegen.h"
#include "lib/Codegen/Optimize.h"
#include "lib/Codegen/Translate.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include <mutex>
#if GNNC_HAS_LLD
#include "lld/Common/Driver.h"

LLD_HAS_DRIVER(elf)
#endif

using namespace mlir;

void gnnc::registerCodegen(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

/// Links one object into a shared object; both are files in a scratch folder
/// because lld works on paths.
static FailureOr<std::string> link(Location loc, StringRef object) {
#if !GNNC_HAS_LLD
  return emitError(loc) << "this build of gnnc has no linker for host kernels; compile for "
                           "--target cuda, or on a machine with the usual build";
#else
  SmallString<128> objectPath, sharedPath;
  int descriptor;
  if (auto error = llvm::sys::fs::createTemporaryFile("gnnc", "o", descriptor, objectPath))
    return emitError(loc) << "cannot make a temporary file for the host object: "
                          << error.message();
  llvm::FileRemover removeObject(objectPath);
  {
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    stream << object;
    stream.flush();
    if (stream.has_error()) {
      auto message = stream.error().message();
      stream.clear_error();
      return emitError(loc) << "cannot write " << objectPath << ": " << message;
    }
  }
  if (auto error = llvm::sys::fs::createTemporaryFile("gnnc", "so", sharedPath))
    return emitError(loc) << "cannot make a temporary file for the host object: "
                          << error.message();
  llvm::FileRemover removeShared(sharedPath);
  std::string messages;
  llvm::raw_string_ostream messageStream(messages);
  const char *arguments[] = {"ld.lld", "-shared",          "--strip-all", "-z",
                             "defs",   objectPath.c_str(), "-o",          sharedPath.c_str()};
  static std::mutex oneAtATime; // lld keeps its state in global variables
  std::unique_lock lock(oneAtATime);
  lld::Result result =
      lld::lldMain(arguments, messageStream, messageStream, {{lld::Gnu, &lld::elf::link}});
  lock.unlock();
  if (result.retCode != 0)
    return emitError(loc) << "linking the host kernels failed: " << messages;
  auto bytes = llvm::MemoryBuffer::getFile(sharedPath, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!bytes)
    return emitError(loc) << "cannot read " << sharedPath << ": " << bytes.getError().message();
  return (*bytes)->getBuffer().str();
#endif
}

FailureOr<std::string> gnnc::compileHostObject(ModuleOp module, StringRef chip) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateKernels(module, context);
  if (!translated)
    return module.emitError("the host kernels could not be translated to LLVM IR");
  std::string error;
  auto machine = createMachine(llvm::sys::getDefaultTargetTriple(), chip, "", error);
  if (!machine)
    return module.emitError("no code generator for this host: ") << error;
  std::string object = emitCode(*translated, *machine, /*assembly=*/false, error);
  if (object.empty())
    return module.emitError("host code generation failed: ") << error;
  return link(module.getLoc(), object);
}
