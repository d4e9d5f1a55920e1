//===- ShapePolicy.cpp - Which counts of a graph are constants ------------===//
#include "lib/Jit/ShapePolicy.h"

#include <algorithm>

namespace gnnc::jit {
namespace {

constexpr std::int64_t ShapeOptions::*kCounts[] = {&ShapeOptions::dst, &ShapeOptions::src,
                                                   &ShapeOptions::edges};
constexpr const char *kNames[] = {"nodes", "nodes", "edges"};

bool has(const std::vector<std::string> &list, const std::string &name) {
  return std::ranges::find(list, name) != list.end();
}

} // namespace

bool ShapePolicy::check(const DynamicOptions &options, std::string &error) {
  if (options.dynamic != "true" && options.dynamic != "false" && options.dynamic != "auto") {
    error = "dynamic is one of true, false, auto; found '" + options.dynamic + "'";
    return false;
  }
  for (const auto *list : {&options.keepDynamic, &options.keepStatic})
    for (const std::string &name : *list)
      if (name != "nodes" && name != "edges") {
        error = "nodes and edges are what can be kept dynamic or static; found '" + name + "'";
        return false;
      }
  for (const std::string &name : options.keepDynamic)
    if (has(options.keepStatic, name)) {
      error = name + " cannot be kept both dynamic and static";
      return false;
    }
  return true;
}

ShapePolicy::ShapePolicy(const DynamicOptions &options) {
  Kind unmarked = options.dynamic == "true"    ? Kind::RunTime
                  : options.dynamic == "false" ? Kind::Constant
                                               : Kind::UntilChanged;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    kinds[i] = has(options.keepDynamic, kNames[i])  ? Kind::RunTime
               : has(options.keepStatic, kNames[i]) ? Kind::Constant
                                                    : unmarked;
}

ShapeOptions ShapePolicy::shapeFor(const ShapeOptions &counts) {
  if (!first)
    first = counts;
  ShapeOptions shape;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    std::int64_t count = counts.*kCounts[i];
    if (kinds[i] == Kind::UntilChanged && count != (*first).*kCounts[i])
      kinds[i] = Kind::RunTime;
    shape.*kCounts[i] = kinds[i] == Kind::RunTime ? -1 : count;
  }
  return shape;
}

} // namespace gnnc::jit
