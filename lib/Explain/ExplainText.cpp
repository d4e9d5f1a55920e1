//===- ExplainText.cpp - An explanation for people ------------------------===//
#include "lib/Explain/Explanation.h"

#include "llvm/Support/Format.h"

using namespace gnnc::explain;

static void print(llvm::raw_ostream &out, const char *what, const Quantity &quantity,
                  const char *unit) {
  out << "    " << llvm::left_justify(what, 8) << " " << quantity.formula.text();
  if (quantity.value && !quantity.formula.isConstant())
    out << " = " << *quantity.value;
  out << " " << unit << "\n";
}

static void print(llvm::raw_ostream &out, const Explanation &explanation, const Kernel &kernel) {
  out << "  " << kernel.name << " (" << kernel.kind << ", " << kernel.phase << ")\n";
  if (!kernel.ops.empty()) {
    out << "    ops     ";
    for (unsigned op : kernel.ops)
      out << " " << op << ":" << explanation.ops[op].source.name;
    out << "\n";
  }
  if (!kernel.schedule.empty())
    out << "    schedule " << kernel.schedule << "\n";
  print(out, "reads", kernel.read, "bytes");
  print(out, "writes", kernel.written, "bytes");
  print(out, "least", kernel.least, "bytes, each buffer once");
  print(out, "flops", kernel.flops, "operations");
  if (kernel.kind == "merge")
    out << "    of the bytes those of split rows only\n";
  if (const auto &bound = kernel.bound)
    out << "    bound    by " << bound->name() << ", "
        << llvm::format("%.3g us (memory %.3g, cache %.3g, flop %.3g, launch %.3g)", bound->us(),
                        bound->memoryUs, bound->cacheUs, bound->flopUs, bound->launchUs)
        << "\n";
  for (const Reason &reason : kernel.ends)
    out << "    ends     " << reason.pass << ": " << reason.text << "\n";
}

std::string gnnc::explain::toText(const Explanation &explanation) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "target " << explanation.target << " " << explanation.chip << ", mode " << explanation.mode
      << "\n";
  if (const auto &limits = explanation.limits)
    out << "limits of " << limits->of << ": "
        << llvm::format(
               "memory %g GB/s, cache %g GB/s, %g GFLOP/s, %g in 16-bit products, launch %g us",
               limits->memoryGbS, limits->cacheGbS, limits->gflopS, limits->tensorGflopS,
               limits->launchUs)
        << " (" << limits->source << ")\n";
  for (const auto &[name, meaning] : explanation.symbols) {
    out << "  " << name << ": " << meaning;
    for (const auto &[known, value] : explanation.values)
      if (known == name)
        out << " = " << value;
    out << "\n";
  }
  out << "\nops of the program, and where they went\n";
  for (auto [number, op] : llvm::enumerate(explanation.ops)) {
    out << "  " << number << " " << op.source.name << " (" << op.source.where
        << "): " << nameOf(op.fate);
    for (auto [index, kernel] : llvm::enumerate(op.kernels))
      out << (index ? ", " : " in ") << explanation.kernels[kernel].name;
    out << "\n";
    if (op.fate == Fate::Free && op.source.name != "gnn.transpose")
      continue; // see below the table
    for (const Reason &reason : op.reasons)
      out << "      " << (reason.pass.empty() ? "" : reason.pass + ": ") << reason.text << "\n";
  }
  out << "  free: a size, a constant, or copies of one row: repeated where it is read, never "
         "stored\n";
  out << "\nkernels, in the order in which they run\n";
  for (const Kernel &kernel : explanation.kernels)
    print(out, explanation, kernel);
  out << "\nmemory; 'prepare' is free again before 'forward' is taken\n";
  for (const Memory &memory : explanation.memory)
    print(out, memory.name.c_str(), memory.bytes, "bytes");
  if (!explanation.stored.empty())
    out << "\ntensors in memory; kernels compute in f32\n";
  for (const StoredTensor &stored : explanation.stored)
    out << "  " << stored.element << " " << stored.tensor << ": " << stored.why << "\n";
  if (explanation.values.size() < explanation.symbols.size())
    out << "\nFor numbers give the graph: --explain-graph FILE, or --extent N=...,E=...\n";
  return text;
}
