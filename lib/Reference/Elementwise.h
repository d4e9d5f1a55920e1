//===- Elementwise.h - Handlers that apply one function per element -------===//
//
// Private to lib/Reference. The operands of an elementwise op have one shape, be
// they scalars, vectors or tensors.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_REFERENCE_ELEMENTWISE_H
#define GNNC_LIB_REFERENCE_ELEMENTWISE_H

#include "lib/Reference/Evaluator.h"

namespace gnnc::reference {

/// Float operands may have known extents that differ only when the IR is wrong.
inline mlir::LogicalResult checkSameShape(mlir::Operation *op, Frame &frame) {
  for (mlir::Value operand : op->getOperands())
    if (frame.shape(operand) != frame.shape(op->getOperand(0)))
      return op->emitOpError() << "operand #0 is " << describe(*frame.get(op->getOperand(0)))
                               << ", another is " << describe(*frame.get(operand));
  return mlir::success();
}

template <auto Function>
mlir::LogicalResult unaryFloat(mlir::Operation *op, Frame &frame) {
  const Tensor &a = frame.tensor(op->getOperand(0));
  Tensor out = Tensor::zeros(a.shape);
  for (size_t i = 0; i < out.floats.size(); ++i)
    out.floats[i] = Function(a.floats[i]);
  frame.set(op->getResult(0), std::move(out));
  return mlir::success();
}

template <auto Function>
mlir::LogicalResult binaryFloat(mlir::Operation *op, Frame &frame) {
  if (failed(checkSameShape(op, frame)))
    return mlir::failure();
  const Tensor &a = frame.tensor(op->getOperand(0)), &b = frame.tensor(op->getOperand(1));
  Tensor out = Tensor::zeros(a.shape);
  for (size_t i = 0; i < out.floats.size(); ++i)
    out.floats[i] = Function(a.floats[i], b.floats[i]);
  frame.set(op->getResult(0), std::move(out));
  return mlir::success();
}

template <auto Function>
mlir::LogicalResult ternaryFloat(mlir::Operation *op, Frame &frame) {
  if (failed(checkSameShape(op, frame)))
    return mlir::failure();
  const Tensor &a = frame.tensor(op->getOperand(0)), &b = frame.tensor(op->getOperand(1)),
               &c = frame.tensor(op->getOperand(2));
  Tensor out = Tensor::zeros(a.shape);
  for (size_t i = 0; i < out.floats.size(); ++i)
    out.floats[i] = Function(a.floats[i], b.floats[i], c.floats[i]);
  frame.set(op->getResult(0), std::move(out));
  return mlir::success();
}

} // namespace gnnc::reference

#endif // GNNC_LIB_REFERENCE_ELEMENTWISE_H
