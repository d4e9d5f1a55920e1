//===- ModelBuilder.cpp - What all models are written with ----------------===//
#include "lib/Models/ModelBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

static RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

ModelBuilder::ModelBuilder(MLIRContext *context, const ModelOptions &options)
    : builder(UnknownLoc::get(context), context) {
  context->loadDialect<GnnDialect, arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                       math::MathDialect, tensor::TensorDialect>();
  model.module = ModuleOp::create(builder.getLoc());
  builder.setInsertionPointToStart(model.module->getBody());
  forward = func::FuncOp::create(builder, kForwardFunc, builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(forward.addEntryBlock());
  int64_t nodes = options.nodes.value_or(ShapedType::kDynamic);
  int64_t edges = options.edges.value_or(ShapedType::kDynamic);
  graphArgument = addArgument(
      GnnGraphType::get(nodes, nodes, edges, builder.getIntegerType(64), Layout::Coo), "", "");
  inputArgument = addArgument(
      RankedTensorType::get({nodes, options.inChannels}, builder.getF32Type()), kInputAttr, "x");
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Value ModelBuilder::addArgument(Type type, StringRef attribute, StringRef name) {
  DictionaryAttr attrs;
  if (!attribute.empty())
    attrs = builder.getDictionaryAttr(builder.getNamedAttr(attribute, builder.getStringAttr(name)));
  (void)forward.insertArgument(forward.getNumArguments(), type, attrs, builder.getLoc());
  return forward.getArguments().back();
}

Value ModelBuilder::edgeScalar(StringRef name) {
  int64_t edges = cast<GnnGraphType>(graphArgument.getType()).getEdges();
  return addArgument(RankedTensorType::get({edges}, builder.getF32Type()), kGraphDataAttr, name);
}

void ModelBuilder::unreadWeight(StringRef name, ArrayRef<int64_t> shape, WeightSpec::Kind kind) {
  model.weights.push_back({name.str(), shape.vec(), kind});
}

Value ModelBuilder::weight(StringRef name, ArrayRef<int64_t> shape, WeightSpec::Kind kind) {
  unreadWeight(name, shape, kind);
  return addArgument(RankedTensorType::get(shape, builder.getF32Type()), kWeightAttr, name);
}

Model ModelBuilder::finish(Value out) {
  func::ReturnOp::create(builder, out);
  (void)forward.insertResult(
      0, out.getType(),
      builder.getDictionaryAttr(builder.getNamedAttr(kOutputAttr, builder.getStringAttr("out"))));
  return std::move(model);
}

//===----------------------------------------------------------------------===//
// Graph ops
//===----------------------------------------------------------------------===//

Value ModelBuilder::gather(Value nodes, Value graph, End end) {
  return GatherOp::create(builder, nodes, graph, end);
}

Value ModelBuilder::scatter(ReduceKind kind, Value edges, Value graph) {
  return ScatterOp::create(builder, kind, edges, graph, End::Dst, builder.getF32Type());
}

//===----------------------------------------------------------------------===//
// Tensors of the shape of another
//===----------------------------------------------------------------------===//

Value ModelBuilder::emptyLike(Value like, ArrayRef<int64_t> features) {
  SmallVector<int64_t> shape{tensorType(like).getDimSize(0)};
  llvm::append_range(shape, features);
  SmallVector<Value> sizes;
  if (tensorType(like).isDynamicDim(0))
    sizes.push_back(tensor::DimOp::create(builder, like, 0));
  return tensor::EmptyOp::create(
      builder, RankedTensorType::get(shape, tensorType(like).getElementType()), sizes);
}

Value ModelBuilder::splat(double value, Value like) {
  RankedTensorType type = tensorType(like);
  if (type.hasStaticShape())
    return arith::ConstantOp::create(
        builder, DenseElementsAttr::get(
                     type, Attribute(builder.getFloatAttr(type.getElementType(), value))));
  Value number =
      arith::ConstantOp::create(builder, builder.getFloatAttr(type.getElementType(), value));
  Value init = emptyLike(like, type.getShape().drop_front());
  return linalg::FillOp::create(builder, number, init).getResult(0);
}

Value ModelBuilder::rowsOf(Value row, Value like) {
  Value init = emptyLike(like, tensorType(row).getShape());
  return linalg::BroadcastOp::create(builder, row, init, ArrayRef<int64_t>{0})->getResult(0);
}

Value ModelBuilder::scaleRows(Value x, Value factors) {
  if (tensorType(x).getRank() == 1)
    return arith::MulFOp::create(builder, x, factors);
  Value init = emptyLike(factors, tensorType(x).getShape().drop_front());
  Value wide =
      linalg::BroadcastOp::create(builder, factors, init, ArrayRef<int64_t>{1})->getResult(0);
  return arith::MulFOp::create(builder, x, wide);
}

//===----------------------------------------------------------------------===//
// Dense layers
//===----------------------------------------------------------------------===//

Value ModelBuilder::linear(Value x, StringRef prefix, int64_t out) {
  Value w = weight((prefix + ".weight").str(), {out, tensorType(x).getDimSize(1)},
                   WeightSpec::Kind::Matrix);
  Value empty = emptyLike(x, {out});
  Value zero = arith::ConstantOp::create(builder, builder.getF32FloatAttr(0));
  Value zeros = linalg::FillOp::create(builder, zero, empty).getResult(0);
  // out[n, c] = sum over k of x[n, k] * w[c, k]
  AffineExpr n, c, k;
  bindDims(builder.getContext(), n, c, k);
  auto map = [&](AffineExpr row, AffineExpr column) {
    return AffineMapAttr::get(AffineMap::get(3, 0, {row, column}, builder.getContext()));
  };
  auto product = linalg::MatmulOp::create(builder, ValueRange{x, w}, ValueRange{zeros});
  product.setIndexingMapsAttr(builder.getArrayAttr({map(n, k), map(c, k), map(n, c)}));
  return product.getResult(0);
}

Value ModelBuilder::addBias(Value x, StringRef name) {
  Value bias = weight(name, tensorType(x).getShape().drop_front(), WeightSpec::Kind::Bias);
  return arith::AddFOp::create(builder, x, rowsOf(bias, x));
}

Value ModelBuilder::activation(Value x, StringRef name) {
  auto sigmoid = [&](Value v) -> Value {
    Value e = math::ExpOp::create(builder, arith::NegFOp::create(builder, v));
    Value ones = splat(1, v);
    return arith::DivFOp::create(builder, ones, arith::AddFOp::create(builder, ones, e));
  };
  auto whereNegative = [&](Value v, function_ref<Value()> otherwise) -> Value {
    Value isPositive = arith::CmpFOp::create(builder, arith::CmpFPredicate::OGT, v, splat(0, v));
    return arith::SelectOp::create(builder, isPositive, v, otherwise());
  };
  if (name == "relu")
    return arith::MaximumFOp::create(builder, x, splat(0, x));
  if (name == "elu")
    return whereNegative(x, [&] { return math::ExpM1Op::create(builder, x); });
  if (name == "leaky_relu") // PyTorch's default slope
    return whereNegative(x, [&] { return arith::MulFOp::create(builder, x, splat(0.01, x)); });
  if (name == "tanh")
    return math::TanhOp::create(builder, x);
  if (name == "sigmoid")
    return sigmoid(x);
  if (name == "silu")
    return arith::MulFOp::create(builder, x, sigmoid(x));
  assert(name == "none" && "checkOptions lets no other name pass");
  return x;
}

Value ModelBuilder::batchNorm(Value x, StringRef prefix) {
  // The names come in the order of the state_dict.
  SmallVector<int64_t> shape(tensorType(x).getShape().drop_front());
  auto vector = [&](StringRef name, WeightSpec::Kind kind) {
    return weight((prefix + "." + name).str(), shape, kind);
  };
  Value gamma = vector("weight", WeightSpec::Kind::Scale);
  Value beta = vector("bias", WeightSpec::Kind::Bias);
  Value mean = vector("running_mean", WeightSpec::Kind::Mean);
  Value variance = vector("running_var", WeightSpec::Kind::Variance);
  unreadWeight((prefix + ".num_batches_tracked").str(), {}, WeightSpec::Kind::Counter);
  // scale = gamma / sqrt(var + eps), shift = beta - mean * scale; y = x * scale + shift
  Value safe = arith::AddFOp::create(builder, variance, splat(1e-5, variance));
  Value scale = arith::MulFOp::create(builder, math::RsqrtOp::create(builder, safe), gamma);
  Value shift = arith::SubFOp::create(builder, beta, arith::MulFOp::create(builder, mean, scale));
  Value scaled = arith::MulFOp::create(builder, x, rowsOf(scale, x));
  return arith::AddFOp::create(builder, scaled, rowsOf(shift, x));
}
