//===- ExplainJson.cpp - An explanation for programs ----------------------===//
#include "lib/Explain/Explanation.h"

#include "llvm/Support/JSON.h"

using namespace gnnc::explain;
namespace json = llvm::json;

static json::Value number(const std::optional<std::int64_t> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

static json::Value toValue(const Quantity &quantity) {
  return json::Object{{"formula", quantity.formula.text()}, {"value", number(quantity.value)}};
}

static json::Value toValue(const std::vector<Reason> &reasons) {
  json::Array list;
  for (const Reason &reason : reasons)
    list.push_back(
        json::Object{{"pass", reason.pass.empty() ? json::Value(nullptr)
                                                  : json::Value(json::fixUTF8(reason.pass))},
                     {"reason", json::fixUTF8(reason.text)}});
  return list;
}

static json::Value toValue(const Kernel &kernel) {
  json::Object bound;
  if (kernel.bound)
    bound =
        json::Object{{"by", kernel.bound->name()},          {"us", kernel.bound->us()},
                     {"memory_us", kernel.bound->memoryUs}, {"cache_us", kernel.bound->cacheUs},
                     {"flop_us", kernel.bound->flopUs},     {"launch_us", kernel.bound->launchUs}};
  return json::Object{
      {"name", json::fixUTF8(kernel.name)},
      {"kind", kernel.kind},
      {"phase", kernel.phase},
      {"schedule", kernel.schedule.empty() ? json::Value(nullptr) : json::Value(kernel.schedule)},
      {"ops", json::Array(kernel.ops)},
      {"read_bytes", toValue(kernel.read)},
      {"written_bytes", toValue(kernel.written)},
      {"least_bytes", toValue(kernel.least)},
      {"flops", toValue(kernel.flops)},
      {"bound", kernel.bound ? json::Value(std::move(bound)) : json::Value(nullptr)},
      {"ends", toValue(kernel.ends)}};
}

std::string gnnc::explain::toJson(const Explanation &explanation) {
  json::Array symbols, ops, kernels, memory, stored;
  for (const auto &[name, meaning] : explanation.symbols) {
    std::optional<std::int64_t> value;
    for (const auto &[known, count] : explanation.values)
      if (known == name)
        value = count;
    symbols.push_back(json::Object{{"name", name}, {"meaning", meaning}, {"value", number(value)}});
  }
  for (auto [index, op] : llvm::enumerate(explanation.ops)) {
    json::Array names;
    for (unsigned kernel : op.kernels)
      names.push_back(json::fixUTF8(explanation.kernels[kernel].name));
    ops.push_back(json::Object{{"number", static_cast<std::int64_t>(index)},
                               {"name", op.source.name},
                               {"where", json::fixUTF8(op.source.where)},
                               {"type", json::fixUTF8(op.source.type)},
                               {"fate", nameOf(op.fate)},
                               {"kernels", std::move(names)},
                               {"reasons", toValue(op.reasons)}});
  }
  for (const Kernel &kernel : explanation.kernels)
    kernels.push_back(toValue(kernel));
  for (const Memory &part : explanation.memory)
    memory.push_back(json::Object{{"name", part.name}, {"bytes", toValue(part.bytes)}});
  for (const StoredTensor &tensor : explanation.stored)
    stored.push_back(json::Object{{"tensor", json::fixUTF8(tensor.tensor)},
                                  {"element", tensor.element},
                                  {"reason", json::fixUTF8(tensor.why)}});
  json::Value limits = nullptr;
  if (const auto &known = explanation.limits)
    limits = json::Object{{"of", known->of},
                          {"source", known->source},
                          {"memory_gb_s", known->memoryGbS},
                          {"cache_gb_s", known->cacheGbS},
                          {"gflop_s", known->gflopS},
                          {"tensor_gflop_s", known->tensorGflopS},
                          {"launch_us", known->launchUs}};
  json::Value all = json::Object{{"version", 1},
                                 {"program", json::fixUTF8(explanation.program)},
                                 {"target", explanation.target},
                                 {"chip", explanation.chip},
                                 {"mode", explanation.mode},
                                 {"limits", std::move(limits)},
                                 {"symbols", std::move(symbols)},
                                 {"ops", std::move(ops)},
                                 {"kernels", std::move(kernels)},
                                 {"memory", std::move(memory)},
                                 {"stored", std::move(stored)}};
  return llvm::formatv("{0:2}\n", all).str();
}
