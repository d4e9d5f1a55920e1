//===- MakeGraph.cpp - Graphs of index tensors, checked -------------------===//
//
// Kernels trust ids: this is the place where those of index tensors are looked at.
// A message names the tensor, the entry, what it is and what it may be.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/GraphCalls.h"
#include "runtime/core/Parallel.h"

#include <algorithm>

namespace gnnc::runtime {
namespace {

using format::DType;

Status wrong(std::string message) { return {Code::InvalidFile, std::move(message)}; }

Status badIndex(const std::string &what, const std::string &message) {
  return {Code::InvalidGraph, what + ": " + message};
}

bool isIndex(const HostTensor &tensor, std::int64_t rows) {
  return tensor.shape.size() == 1 && tensor.rows() == rows &&
         (tensor.dtype == DType::I32 || tensor.dtype == DType::I64);
}

std::int64_t at(const HostTensor &tensor, std::int64_t i) {
  return tensor.dtype == DType::I32 ? tensor.as<std::int32_t>()[i] : tensor.as<std::int64_t>()[i];
}

void store(const HostTensor &tensor, std::int64_t i, std::int64_t value) {
  if (tensor.dtype == DType::I32)
    tensor.as<std::int32_t>()[i] = static_cast<std::int32_t>(value);
  else
    tensor.as<std::int64_t>()[i] = value;
}

/// 0, 1, 2, ...
void number(const HostTensor &out) {
  forBlocks(out.rows(), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      store(out, i, i);
  });
}

/// Copies ids, each of which must be in [0, extent).
Status copyIds(const HostTensor &in, const std::string &name, std::int64_t extent,
               const HostTensor &out) {
  for (std::int64_t i = 0; i < in.rows(); ++i) {
    std::int64_t id = at(in, i);
    if (id < 0 || id >= extent)
      return badIndex("index tensor '" + name + "'",
                      "entry " + std::to_string(i) + " is " + std::to_string(id) + ", not in [0, " +
                          std::to_string(extent) + ")" +
                          (id == extent ? "; were ids counted from 1?" : ""));
    store(out, i, id);
  }
  return {};
}

/// Copies a row pointer: from 0, never falling, to `entries`.
Status copyPointer(const HostTensor &in, const std::string &name, std::int64_t entries,
                   const HostTensor &out) {
  const std::string what = "row pointer '" + name + "'";
  if (in.rows() == 0)
    return badIndex(what, "is empty; it has one entry more than segments");
  if (at(in, 0) != 0)
    return badIndex(what, "begins with " + std::to_string(at(in, 0)) + ", expected 0");
  for (std::int64_t i = 0, last = 0; i < in.rows(); ++i) {
    std::int64_t next = at(in, i);
    if (next < last)
      return badIndex(what, "falls from " + std::to_string(last) + " to " + std::to_string(next) +
                                " at entry " + std::to_string(i));
    if (next > entries)
      return badIndex(what, "entry " + std::to_string(i) + " is " + std::to_string(next) +
                                ", but there are " + std::to_string(entries) + " rows");
    store(out, i, last = next);
  }
  if (at(in, in.rows() - 1) != entries)
    return badIndex(what, "ends with " + std::to_string(at(in, in.rows() - 1)) +
                              ", but there are " + std::to_string(entries) + " rows");
  return {};
}

} // namespace

Status makeGraph(GraphCallContext &context) {
  const std::string &form = context.form;
  const bool ofPair = form == "coo" || form == "csr", isCoo = form == "coo" || form == "scatter";
  const std::size_t numInputs = ofPair ? 2 : 1;
  if (context.inputs.size() != numInputs || context.names.size() != numInputs ||
      context.numOutputs != 2 || context.numSymbols != 0)
    return wrong("takes " + std::to_string(numInputs) + " inputs and 2 outputs for form '" + form +
                 "'");
  const std::int64_t dst = context.dstNodes, src = context.srcNodes, edges = context.edges;
  const std::int64_t firstRows = isCoo ? edges : dst + 1;
  std::vector<HostTensor> out;
  for (std::size_t i = 0; i < 2; ++i) {
    Expected<HostTensor> tensor = context.output(i);
    if (!tensor)
      return tensor.status();
    if (!isIndex(*tensor, i ? edges : firstRows))
      return wrong("result " + std::to_string(i) + " is " + tensor->text() + ", expected I32 or " +
                   "I64 [" + std::to_string(i ? edges : firstRows) + "]");
    out.push_back(*tensor);
  }
  for (std::size_t i = 0; i < 2; ++i)
    if (std::int64_t largest = std::max({dst, src, edges});
        out[i].dtype == DType::I32 && largest > INT32_MAX)
      return {Code::GuardFailed, std::to_string(largest) + " rows or nodes do not fit the 32-bit "
                                                           "indices the program was compiled for"};
  const bool firstGiven = form != "gather" && form != "scatter", secondGiven = form != "segments";
  if ((firstGiven && !isIndex(context.inputs[0], firstRows)) ||
      (secondGiven && !isIndex(context.inputs[ofPair ? 1 : 0], edges)))
    return wrong("index tensor '" + context.names[0] + "' is " + context.inputs[0].text() +
                 ", expected I32 or I64 with " + std::to_string(firstGiven ? firstRows : edges) +
                 " rows");
  if (form == "coo") {
    GNNC_TRY(copyIds(context.inputs[0], context.names[0], src, out[0]));
    return copyIds(context.inputs[1], context.names[1], dst, out[1]);
  }
  if (firstGiven)
    GNNC_TRY(copyPointer(context.inputs[0], context.names[0], edges, out[0]));
  else
    number(out[0]);
  if (secondGiven)
    return copyIds(context.inputs[numInputs - 1], context.names[numInputs - 1],
                   form == "scatter" ? dst : src, out[1]);
  number(out[1]);
  return {};
}

} // namespace gnnc::runtime
