//===- Guards.cpp - What a compiled program relies on ---------------------===//
#include "runtime/format/Guards.h"

#include <algorithm>

namespace gnnc::format {
namespace {

using Kind = GuardLine::Kind;

std::string shapeText(const Plan &plan, const Buffer &buffer) {
  std::string text;
  for (const Formula &extent : buffer.shape)
    text += (text.empty() ? "" : ", ") + extent.text(plan);
  return "[" + text + "]";
}

/// Row pointers and ids of index tensors, which prepare looks at entry by entry.
void addIndexTensors(const Plan &plan, std::vector<GuardLine> &lines) {
  for (const Command &command : plan.prepare) {
    const GraphCall &call = command.call;
    if (command.kind != Command::Kind::GraphCall || call.callee != "make_graph" ||
        call.inputs.empty())
      continue;
    auto nameOf = [&](std::size_t i) {
      return plan.buffers[static_cast<std::size_t>(call.inputs[i])].name;
    };
    auto ids = [&](std::size_t i, const Formula &below) {
      lines.push_back({Kind::Index, nameOf(i), "ids in [0, " + below.text(plan) + ")"});
    };
    bool isPointer = call.form == "csr" || call.form == "segments";
    if (isPointer)
      lines.push_back(
          {Kind::Sorted, nameOf(0), "from 0 to " + call.edges.text(plan) + ", never falling"});
    else
      ids(0, call.form == "scatter" ? call.dstNodes : call.srcNodes);
    if (call.inputs.size() > 1)
      ids(1, call.form == "csr" ? call.srcNodes : call.dstNodes);
  }
}

} // namespace

const char *name(GuardLine::Kind kind) {
  switch (kind) {
  case Kind::Extent:
    return "extent";
  case Kind::Range:
    return "range";
  case Kind::Type:
    return "type";
  case Kind::Width:
    return "width";
  case Kind::Index:
    return "index";
  case Kind::Sorted:
    return "sorted";
  case Kind::Alignment:
    return "alignment";
  case Kind::Chip:
    return "chip";
  }
  return "";
}

std::vector<GuardLine> guardLines(const Plan &plan) {
  std::vector<GuardLine> lines;
  for (const Guard &guard : plan.guards) {
    bool isMax = guard.kind == "max";
    lines.push_back({isMax ? Kind::Range : Kind::Extent, guard.value.text(plan),
                     (isMax ? "<= " : "= ") + std::to_string(guard.limit) + ": " + guard.what});
  }
  for (const Buffer &buffer : plan.buffers) {
    switch (buffer.kind) {
    case Buffer::Kind::Input:
    case Buffer::Kind::Output:
    case Buffer::Kind::GraphData:
      lines.push_back({Kind::Type, buffer.name, name(buffer.dtype)});
      lines.push_back({Kind::Width, buffer.name, shapeText(plan, buffer)});
      break;
    case Buffer::Kind::GraphIndex:
      lines.push_back({Kind::Index, buffer.name,
                       std::string("ids below the node count, read as ") + name(buffer.dtype) +
                           ", edges in any order"});
      break;
    default:
      break; // the program's own
    }
  }
  addIndexTensors(plan, lines);
  lines.push_back({Kind::Alignment, "inputs and outputs",
                   plan.ioAlignment > 1
                       ? std::to_string(plan.ioAlignment) + " bytes; others are copied"
                       : std::string("that of their elements")});
  lines.push_back({Kind::Chip, plan.target, plan.chip});
  return lines;
}

std::string guardTable(const Plan &plan) {
  std::vector<GuardLine> lines = guardLines(plan);
  std::size_t widest = 0;
  for (const GuardLine &line : lines)
    widest = std::max(widest, line.of.size());
  std::string text;
  for (const GuardLine &line : lines) {
    std::string kind = name(line.kind);
    text += kind + std::string(11 - kind.size(), ' ') + line.of +
            std::string(widest + 2 - line.of.size(), ' ') + line.expects + "\n";
  }
  return text;
}

} // namespace gnnc::format
