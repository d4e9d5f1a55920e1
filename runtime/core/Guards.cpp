//===- Guards.cpp - Check what a program relies on ------------------------===//
#include "runtime/core/Guards.h"
#include "runtime/core/Buffers.h"

namespace gnnc::runtime {

Guards::Guards(const format::Plan &plan)
    : plan(plan), list(format::guardLines(plan)),
      counts(std::make_unique<std::atomic<std::int64_t>[]>(list.size())) {}

Status Guards::check(const Symbols &symbols, bool afterPrepare) const {
  for (std::size_t i = 0; i < plan.guards.size(); ++i) {
    const format::Guard &guard = plan.guards[i];
    if (!afterPrepare && !symbols.knows(guard.value))
      continue;
    auto value = symbols.evaluate(guard.value);
    if (!value)
      return value.status();
    bool isMax = list[i].kind == format::GuardLine::Kind::Range;
    if (isMax ? *value <= guard.limit : *value == guard.limit)
      continue;
    ++counts[i];
    return {Code::GuardFailed,
            "bind: the program relies on: " + guard.what + "; found " + guard.value.text(plan) +
                " = " + std::to_string(*value) + ", expected " + (isMax ? "at most " : "") +
                std::to_string(guard.limit) +
                (isMax ? "; compile it with --index i64" : "; compile it for this graph")};
  }
  return {};
}

void Guards::failed(format::GuardLine::Kind kind, const std::string &of) const {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].kind == kind && list[i].of == of) {
      ++counts[i];
      return;
    }
}

std::int64_t Guards::failures() const {
  std::int64_t all = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    all += counts[i];
  return all;
}

} // namespace gnnc::runtime
