//===- ModelBuilder.cpp - What all models are written with ----------------===//
#include "lib/Models/ModelBuilder.h"

#include "lib/Models/Activations.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

static RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

static FloatType floatType(MLIRContext *context, StringRef name) {
  return llvm::StringSwitch<FloatType>(name)
      .Case("f64", Float64Type::get(context))
      .Case("bf16", BFloat16Type::get(context))
      .Case("f16", Float16Type::get(context))
      .Default(Float32Type::get(context));
}

ModelBuilder::ModelBuilder(MLIRContext *context, const ModelOptions &options)
    : builder(UnknownLoc::get(context), context), options(options),
      elementType(floatType(context, options.dtype)),
      wideType(floatType(context, options.dtype == "f64" ? "f64" : "f32")) {
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
  auto addInput = [&](StringRef name, int64_t width) {
    return addArgument(RankedTensorType::get({nodes, width}, elementType), kInputAttr, name);
  };
  if (options.hasTwoInputs()) {
    inputArguments.src = addInput("x_src", options.inChannels);
    inputArguments.dst = addInput("x_dst", options.dstWidth());
  } else {
    inputArguments.src = inputArguments.dst = addInput("x", options.inChannels);
  }
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
  return addArgument(RankedTensorType::get({edges}, wideType), kGraphDataAttr, name);
}

Value ModelBuilder::edgeRows(StringRef name, int64_t features) {
  int64_t edges = cast<GnnGraphType>(graphArgument.getType()).getEdges();
  Value rows =
      addArgument(RankedTensorType::get({edges, features}, wideType), kGraphDataAttr, name);
  return converted(rows, elementType);
}

void ModelBuilder::unreadWeight(StringRef name, ArrayRef<int64_t> shape, WeightSpec::Kind kind,
                                StringRef same) {
  model.weights.push_back({name.str(), shape.vec(), kind, same.str()});
}

Value ModelBuilder::weight(StringRef name, ArrayRef<int64_t> shape, WeightSpec::Kind kind) {
  unreadWeight(name, shape, kind);
  return addArgument(RankedTensorType::get(shape, elementType), kWeightAttr, name);
}

Value ModelBuilder::epsilon(StringRef name) {
  bool isTrained = options.trainEps.value_or(false);
  Value eps = weight(name, {1}, isTrained ? WeightSpec::Kind::Bias : WeightSpec::Kind::Fixed);
  model.weights.back().fixed = options.eps.value_or(0);
  return eps;
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
  return ScatterOp::create(builder, kind, edges, graph, End::Dst, wideType);
}

Edges ModelBuilder::withSelfLoops(Edges edges, double fill) {
  if (options.marksGraph) {
    markGraph(kSelfLoopsAttr, builder.getF64FloatAttr(fill));
    return edges;
  }
  auto type = cast<GnnGraphType>(edges.graph.getType());
  Type looped = type.with(ShapedType::kDynamic, type.getIndex(), Layout::Coo);
  Type weights;
  if (edges.weights)
    weights = RankedTensorType::get({ShapedType::kDynamic}, wideType);
  auto loops = AddSelfLoopsOp::create(builder, looped, weights, edges.graph, edges.weights,
                                      builder.getF64FloatAttr(fill));
  return {loops.getLooped(), loops.getLoopWeights()};
}

Value ModelBuilder::aggregate(ReduceKind kind, Value x, Edges edges) {
  Value message = gather(x, edges.graph, End::Src);
  if (edges.weights)
    message = arith::MulFOp::create(builder, message, repeat(edges.weights, message));
  return scatter(kind, message, edges.graph);
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

Value ModelBuilder::converted(Value value, FloatType element) {
  RankedTensorType type = tensorType(value);
  unsigned have = type.getElementTypeBitWidth(), want = element.getWidth();
  if (have == want)
    return value;
  if (have < want)
    return arith::ExtFOp::create(builder, type.clone(element), value);
  return arith::TruncFOp::create(builder, type.clone(element), value);
}

/// A bound that keeps a divisor from 0 must not itself become 0 in f16.
static FloatAttr numberOf(FloatType type, double value) {
  FloatAttr number = FloatAttr::get(type, value);
  if (value > 0 && number.getValue().isZero())
    return FloatAttr::get(type, APFloat::getSmallest(type.getFloatSemantics()));
  return number;
}

Value ModelBuilder::splat(double value, Value like) {
  RankedTensorType type = tensorType(like);
  FloatAttr scalar = ::numberOf(cast<FloatType>(type.getElementType()), value);
  if (type.hasStaticShape())
    return arith::ConstantOp::create(builder, DenseElementsAttr::get(type, Attribute(scalar)));
  Value number = arith::ConstantOp::create(builder, scalar);
  Value init = emptyLike(like, type.getShape().drop_front());
  return linalg::FillOp::create(builder, number, init).getResult(0);
}

Value ModelBuilder::nodeRows(double value, int64_t features, Value graph) {
  // Once per graph, so it cannot have the row count of an input: degree * 0 + value.
  Value degree = converted(DegreeOp::create(builder, graph, Value(), End::Dst), wideType);
  Value zeros = arith::MulFOp::create(builder, degree, splat(0, degree));
  Value numbers =
      converted(arith::AddFOp::create(builder, zeros, splat(value, zeros)), elementType);
  Value init = emptyLike(numbers, {features});
  return linalg::BroadcastOp::create(builder, numbers, init, ArrayRef<int64_t>{1})->getResult(0);
}

Value ModelBuilder::rowsOf(Value row, Value like) {
  Value init = emptyLike(like, tensorType(row).getShape());
  return linalg::BroadcastOp::create(builder, row, init, ArrayRef<int64_t>{0})->getResult(0);
}

Value ModelBuilder::numberOf(Value number, Value like) {
  Value scalar = tensor::CollapseShapeOp::create(builder, number, ArrayRef<ReassociationIndices>{});
  Value init = emptyLike(like, tensorType(like).getShape().drop_front());
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, tensorType(like).getRank()));
  return linalg::BroadcastOp::create(builder, scalar, init, dims)->getResult(0);
}

Value ModelBuilder::repeat(Value values, Value like) {
  values = converted(values, cast<FloatType>(tensorType(like).getElementType()));
  Value init = emptyLike(like, tensorType(like).getShape().drop_front());
  auto dims =
      llvm::to_vector(llvm::seq<int64_t>(tensorType(values).getRank(), tensorType(like).getRank()));
  return linalg::BroadcastOp::create(builder, values, init, dims)->getResult(0);
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

Value ModelBuilder::splitHeads(Value x, int64_t heads) {
  RankedTensorType type = tensorType(x);
  auto split = RankedTensorType::get({type.getDimSize(0), heads, type.getDimSize(1) / heads},
                                     type.getElementType());
  SmallVector<ReassociationIndices> groups{{0}, {1, 2}};
  SmallVector<OpFoldResult> shape;
  for (auto [i, extent] : llvm::enumerate(split.getShape()))
    shape.push_back(ShapedType::isDynamic(extent)
                        ? OpFoldResult(tensor::DimOp::create(builder, x, i).getResult())
                        : OpFoldResult(builder.getIndexAttr(extent)));
  return tensor::ExpandShapeOp::create(builder, split, x, groups, shape);
}

Value ModelBuilder::joinHeads(Value x) {
  SmallVector<ReassociationIndices> groups{{0}, {1, 2}};
  return tensor::CollapseShapeOp::create(builder, x, groups);
}

Value ModelBuilder::dropFirst(Value x) {
  SmallVector<ReassociationIndices> groups{{0, 1}, {2}};
  return tensor::CollapseShapeOp::create(builder, x, groups);
}

Value ModelBuilder::sumOver(int64_t dimension, Value x) {
  SmallVector<int64_t> features(tensorType(x).getShape().drop_front());
  features.erase(features.begin() + dimension - 1);
  Value zero =
      arith::ConstantOp::create(builder, builder.getZeroAttr(tensorType(x).getElementType()));
  Value init = linalg::FillOp::create(builder, zero, emptyLike(x, features)).getResult(0);
  auto reduce = linalg::ReduceOp::create(
      builder, ValueRange{x}, ValueRange{init}, ArrayRef<int64_t>{dimension},
      [](OpBuilder &inner, Location loc, ValueRange values) {
        Value sum = arith::AddFOp::create(inner, loc, values[0], values[1]);
        linalg::YieldOp::create(inner, loc, sum);
      });
  return reduce->getResult(0);
}

Value ModelBuilder::meanOver(int64_t dimension, Value x) {
  Value sum = sumOver(dimension, x);
  return arith::DivFOp::create(builder, sum,
                               splat(double(tensorType(x).getDimSize(dimension)), sum));
}

//===----------------------------------------------------------------------===//
// Dense layers
//===----------------------------------------------------------------------===//

Value ModelBuilder::linear(Value x, StringRef prefix, int64_t out, bool bias) {
  Value w = weight((prefix + ".weight").str(), {out, tensorType(x).getDimSize(1)},
                   WeightSpec::Kind::Matrix);
  Value y = product(x, w);
  return bias ? addBias(y, (prefix + ".bias").str()) : y;
}

Nodes ModelBuilder::linear(Nodes x, StringRef prefix, int64_t out, bool bias) {
  int64_t in = tensorType(x.src).getDimSize(1);
  Value w = weight((prefix + ".weight").str(), {out, in}, WeightSpec::Kind::Matrix);
  Value b = bias ? weight((prefix + ".bias").str(), {out}, WeightSpec::Kind::Bias) : Value();
  auto apply = [&](Value rows) {
    Value y = product(rows, w);
    return b ? arith::AddFOp::create(builder, y, rowsOf(b, y)).getResult() : y;
  };
  Value src = apply(x.src);
  return {src, x.dst == x.src ? src : apply(x.dst)};
}

Value ModelBuilder::product(Value x, Value w) {
  Value empty = emptyLike(x, {tensorType(w).getDimSize(0)});
  Value zero =
      arith::ConstantOp::create(builder, builder.getZeroAttr(tensorType(x).getElementType()));
  Value zeros = linalg::FillOp::create(builder, zero, empty).getResult(0);
  // out[n, c] = sum over k of x[n, k] * w[c, k]
  AffineExpr n, c, k;
  bindDims(builder.getContext(), n, c, k);
  auto map = [&](AffineExpr row, AffineExpr column) {
    return AffineMapAttr::get(AffineMap::get(3, 0, {row, column}, builder.getContext()));
  };
  auto matmul = linalg::MatmulOp::create(builder, ValueRange{x, w}, ValueRange{zeros});
  matmul.setIndexingMapsAttr(builder.getArrayAttr({map(n, k), map(c, k), map(n, c)}));
  return matmul.getResult(0);
}

Value ModelBuilder::addBias(Value x, StringRef name) {
  Value bias = weight(name, tensorType(x).getShape().drop_front(), WeightSpec::Kind::Bias);
  return arith::AddFOp::create(builder, x, rowsOf(bias, x));
}

Value ModelBuilder::addResidual(Value y, Value x, StringRef prefix) {
  if (!options.residual.value_or(false))
    return y;
  int64_t out = tensorType(y).getDimSize(1);
  return arith::AddFOp::create(builder, y, linear(x, (prefix + ".res").str(), out, /*bias=*/false));
}

Value ModelBuilder::activation(Value x) {
  return buildActivation(*this, x, options.act, options.actParameters);
}

Value ModelBuilder::norm(Value x, StringRef prefix) {
  if (options.norm == "batch_norm")
    return batchNorm(x, (prefix + ".module").str());
  if (options.norm == "layer_norm")
    return layerNorm(x, prefix);
  return x;
}

/// Eval mode, with the running statistics.
Value ModelBuilder::batchNorm(Value x, StringRef prefix) {
  // The names come in the order of the state_dict.
  SmallVector<int64_t> shape(tensorType(x).getShape().drop_front());
  auto vector = [&](StringRef name, WeightSpec::Kind kind) {
    return weight((prefix + "." + name).str(), shape, kind);
  };
  Value gamma, beta;
  if (options.normAffine) {
    gamma = vector("weight", WeightSpec::Kind::Scale);
    beta = vector("bias", WeightSpec::Kind::Bias);
  }
  Value mean = vector("running_mean", WeightSpec::Kind::Mean);
  Value variance = vector("running_var", WeightSpec::Kind::Variance);
  unreadWeight((prefix + ".num_batches_tracked").str(), {}, WeightSpec::Kind::Counter);
  // scale = gamma / sqrt(var + eps), shift = beta - mean * scale; y = x * scale + shift
  Value safe = arith::AddFOp::create(builder, variance, splat(options.normEps, variance));
  Value scale = math::RsqrtOp::create(builder, safe);
  if (gamma)
    scale = arith::MulFOp::create(builder, scale, gamma);
  Value shift = arith::MulFOp::create(builder, mean, scale);
  shift = beta ? arith::SubFOp::create(builder, beta, shift).getResult()
               : arith::NegFOp::create(builder, shift).getResult();
  Value scaled = arith::MulFOp::create(builder, x, rowsOf(scale, x));
  return arith::AddFOp::create(builder, scaled, rowsOf(shift, x));
}

/// Of each row on its own: (x - mean) / sqrt(var + eps) * weight + bias.
Value ModelBuilder::layerNorm(Value x, StringRef prefix) {
  Value centred = arith::SubFOp::create(builder, x, repeat(meanOver(1, x), x));
  Value variance = meanOver(1, arith::MulFOp::create(builder, centred, centred));
  Value safe = arith::AddFOp::create(builder, variance, splat(options.normEps, variance));
  Value factor = math::RsqrtOp::create(builder, safe);
  Value y = arith::MulFOp::create(builder, centred, repeat(factor, x));
  if (!options.normAffine)
    return y;
  SmallVector<int64_t> shape(tensorType(x).getShape().drop_front());
  Value gamma = weight((prefix + ".weight").str(), shape, WeightSpec::Kind::Scale);
  y = arith::MulFOp::create(builder, y, rowsOf(gamma, y));
  return addBias(y, (prefix + ".bias").str());
}
