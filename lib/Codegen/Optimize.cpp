//===- Optimize.cpp - LLVM IR to optimised machine code -------------------===//
//
// In:  LLVM IR as translated from MLIR. Out: an object file or assembly text.
//
//===----------------------------------------------------------------------===//
#include "lib/Codegen/Optimize.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

std::unique_ptr<TargetMachine> gnnc::createMachine(StringRef triple, StringRef cpu,
                                                   StringRef features, std::string &error) {
  Triple parsed{triple};
  const Target *target = TargetRegistry::lookupTarget(parsed, error);
  if (!target)
    return nullptr;
  std::unique_ptr<MCSubtargetInfo> known(target->createMCSubtargetInfo(parsed, "", ""));
  if (!known || !known->isCPUStringValid(cpu)) {
    error = "this code generator does not know the chip '" + cpu.str() + "'";
    return nullptr;
  }
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard; // only where the IR says `contract`
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      parsed, cpu, features, options, Reloc::PIC_, std::nullopt, CodeGenOptLevel::Aggressive));
}

std::string gnnc::emitCode(Module &module, TargetMachine &machine, bool assembly,
                           std::string &error) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder passes(&machine);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(sccs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, sccs, modules);
  passes.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(module, modules);

  SmallString<0> code;
  raw_svector_ostream stream(code);
  legacy::PassManager emit;
  auto kind = assembly ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(emit, stream, nullptr, kind)) {
    error = "the target cannot emit this kind of file";
    return {};
  }
  emit.run(module);
  return code.str().str();
}
