//===- PlanMemory.cpp - Place transient buffers in one arena --------------===//
//
// In: a gnn_plan.program. Out: the same with offsets and arena sizes.
//
// 1. A buffer lives from the first command that touches it to the last one.
// 2. Buffers, large ones first, take a slot that is free as long as they live: a small
//    one that comes early leaves none to the large one behind it. Slots may grow where
//    formulas have no order; what counts is how much, at a typical graph.
// 3. Slots lie one behind the other; an offset is the sum of the sizes before it,
//    each rounded up.
// Invariant: at any time each slot has at most one living tenant, and its formula
// is never below that of any tenant, whatever the graph.
//
//===----------------------------------------------------------------------===//
#include "passes/Plan/Passes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::plan;

namespace gnnc {
#define GEN_PASS_DEF_GNNPLANMEMORYPASS
#include "passes/Plan/Passes.h.inc"
} // namespace gnnc

namespace {

struct Lifetime {
  BufferOp buffer;
  unsigned first, last; ///< numbers of commands
  Formula bytes;

  bool meets(const Lifetime &other) const { return first <= other.last && other.first <= last; }
};

struct Slot {
  Formula bytes;
  SmallVector<Lifetime *> tenants;
  bool shared = true;
};

/// The graph at which symbolic sizes are compared.
constexpr int64_t kTypicalNodes = 100'000, kTypicalEdges = 1'000'000;

struct PlanMemory final : gnnc::impl::GnnPlanMemoryPassBase<PlanMemory> {
  using GnnPlanMemoryPassBase::GnnPlanMemoryPassBase;

  void runOnOperation() override {
    ProgramOp program = getOperation();
    for (SymbolOp symbol : program.getBody().front().getOps<SymbolOp>())
      symbols[symbol.getNameAttr()] = symbol;
    if (PrepareOp prepare = program.getPrepare())
      prepare.setArenaAttr(place(prepare.getBody().front(), /*beforePrepare=*/true));
    ForwardOp forward = program.getForward();
    forward.setArenaAttr(place(forward.getBody().front(), /*beforePrepare=*/false));
  }

private:
  FormulaAttr place(Block &commands, bool beforePrepare);
  SmallVector<Lifetime> lifetimes(Block &commands, bool beforePrepare);
  Slot *chooseSlot(SmallVectorImpl<Slot> &slots, Lifetime &lifetime);

  std::optional<Formula> boundOf(StringAttr symbol) {
    FormulaAttr bound = symbols.lookup(symbol).getBoundAttr();
    return bound ? std::optional(Formula(bound)) : std::nullopt;
  }

  int64_t typical(const Formula &formula) {
    return formula.bounded([&](StringAttr symbol) { return boundOf(symbol); })
        .evaluate([&](StringAttr symbol) {
          bool edges = symbols.lookup(symbol).getSource() == SymbolSource::GraphEdges;
          return edges ? kTypicalEdges : kTypicalNodes;
        });
  }

  DenseMap<StringAttr, SymbolOp> symbols;
};

SmallVector<Lifetime> PlanMemory::lifetimes(Block &commands, bool beforePrepare) {
  llvm::MapVector<Operation *, Lifetime> found;
  for (auto [number, command] : llvm::enumerate(commands))
    for (Value operand : command.getOperands()) {
      BufferOp buffer = bufferOf(operand);
      if (buffer.getKind() != BufferKind::Transient)
        continue;
      Lifetime fresh{buffer, static_cast<unsigned>(number), 0, buffer.bytes()};
      Lifetime &lifetime = found.insert({buffer, fresh}).first->second;
      lifetime.last = number;
    }
  SmallVector<Lifetime> result;
  for (auto &[op, lifetime] : found) {
    // The arena of prepare is allocated before prepare finds its symbols.
    if (beforePrepare)
      lifetime.bytes = lifetime.bytes.bounded([&](StringAttr name) { return boundOf(name); });
    result.push_back(lifetime);
  }
  return result;
}

/// The free slot that grows the least; null when a new one costs no more.
Slot *PlanMemory::chooseSlot(SmallVectorImpl<Slot> &slots, Lifetime &lifetime) {
  if (!reuse || lifetime.buffer.getZeroed())
    return nullptr;
  Slot *best = nullptr;
  // A new slot costs all of the buffer; of equal slots the tightest is taken.
  std::pair<int64_t, int64_t> bestCost{typical(lifetime.bytes), 0};
  for (Slot &slot : slots) {
    if (!slot.shared ||
        llvm::any_of(slot.tenants, [&](Lifetime *tenant) { return tenant->meets(lifetime); }))
      continue;
    int64_t grown = typical(Formula::upperMax(slot.bytes, lifetime.bytes));
    std::pair cost{grown - typical(slot.bytes), grown};
    if (best ? cost < bestCost : cost.first < bestCost.first) {
      best = &slot;
      bestCost = cost;
    }
  }
  return best;
}

FormulaAttr PlanMemory::place(Block &commands, bool beforePrepare) {
  SmallVector<Lifetime> all = lifetimes(commands, beforePrepare);
  // Large buffers choose first; of equal ones, the one that is made first.
  SmallVector<std::pair<int64_t, Lifetime *>> bySize;
  for (Lifetime &lifetime : all)
    bySize.emplace_back(-typical(lifetime.bytes), &lifetime);
  llvm::sort(bySize);
  SmallVector<Slot> slots;
  int64_t apart = 0;
  for (auto [size, chosen] : bySize) {
    Lifetime &lifetime = *chosen;
    Slot *slot = chooseSlot(slots, lifetime);
    if (!slot) {
      slot = &slots.emplace_back();
      slot->shared = !lifetime.buffer.getZeroed();
    }
    slot->bytes = Formula::upperMax(slot->bytes, lifetime.bytes);
    slot->tenants.push_back(&lifetime);
    apart += typical(lifetime.bytes.alignedUp(kArenaAlignment));
  }
  Formula offset;
  for (const Slot &slot : slots) {
    for (Lifetime *tenant : slot.tenants)
      tenant->buffer.setOffsetAttr(offset.attr(&getContext()));
    offset += slot.bytes.alignedUp(kArenaAlignment);
  }
  numBuffers += all.size();
  numSlots += slots.size();
  bytesSaved += apart - typical(offset);
  return offset.attr(&getContext());
}

} // namespace
