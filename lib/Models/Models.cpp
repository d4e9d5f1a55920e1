//===- Models.cpp - What PyG's models have in common ----------------------===//
//
// In: options. Out: the program: convolutions with norm and activation between
// them, then what jumping knowledge makes of the layers' outputs. The models
// differ in their convolution alone (the other files here).
//
//===----------------------------------------------------------------------===//
#include "lib/Models/Models.h"

#include "lib/Models/ModelBuilder.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

static Conv makeConv(ModelBuilder &b, const ModelOptions &options) {
  if (options.model == "sage")
    return sageConv(b, options);
  if (options.model == "gin")
    return ginConv(b, options);
  if (options.model == "gat")
    return gatConv(b, options);
  if (options.model == "gatv2")
    return gatv2Conv(b, options);
  return gcnConv(b, options);
}

ReduceKind gnnc::reduceKind(const ModelOptions &options, ReduceKind otherwise) {
  return options.aggr ? *symbolizeReduceKind(*options.aggr) : otherwise;
}

/// cat(xs) W^T + b, or max(xs) W^T + b, or of the last alone.
static Value jumpingKnowledge(ModelBuilder &b, ArrayRef<Value> xs, const ModelOptions &options) {
  ImplicitLocOpBuilder &ops = b.ops();
  if (options.jk != "cat") {
    Value x = xs.back();
    if (options.jk == "max")
      for (Value other : xs.drop_back())
        x = arith::MaximumFOp::create(ops, x, other);
    return b.linear(x, "lin", options.outWidth(), /*bias=*/true);
  }
  // A product with features side by side is the sum of products with the parts.
  int64_t width = options.hiddenChannels, out = options.outWidth();
  Value w = b.weight("lin.weight", {out, int64_t(xs.size()) * width}, WeightSpec::Kind::Matrix);
  Value sum;
  for (auto [i, x] : llvm::enumerate(xs)) {
    SmallVector<OpFoldResult> offsets{ops.getIndexAttr(0), ops.getIndexAttr(int64_t(i) * width)};
    SmallVector<OpFoldResult> sizes{ops.getIndexAttr(out), ops.getIndexAttr(width)};
    SmallVector<OpFoldResult> strides(2, ops.getIndexAttr(1));
    Value part =
        b.product(x, tensor::ExtractSliceOp::create(ops, w, offsets, sizes, strides).getResult());
    sum = sum ? arith::AddFOp::create(ops, sum, part).getResult() : part;
  }
  return b.addBias(sum, "lin.bias");
}

Model gnnc::buildModel(MLIRContext *context, const ModelOptions &options) {
  ModelBuilder b(context, options);
  Conv conv = makeConv(b, options);
  Nodes nodes = b.input();
  Value x;
  SmallVector<Value> xs;
  for (int64_t layer = 0; layer < options.numLayers; ++layer) {
    std::string index = std::to_string(layer);
    x = conv(nodes, "convs." + index, layer);
    if (options.isLast(layer) && options.endsInConv())
      break;
    if (options.actFirst)
      x = b.activation(x);
    x = b.norm(x, "norms." + index);
    if (!options.actFirst)
      x = b.activation(x);
    xs.push_back(x);
    nodes = {x, x};
  }
  if (!options.endsInConv())
    x = jumpingKnowledge(b, xs, options);
  return b.finish(x);
}
