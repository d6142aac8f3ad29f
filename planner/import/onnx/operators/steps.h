// Nodes of an operator that becomes several: each call adds one and gives its result, a value named
// after the operator's first output and what makes it.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/attributes.h"
#include "planner/import/model/op_context.h"

namespace arenite::planner {

class Steps {
 public:
  explicit Steps(OpContext& context) : context_(context) {}

  // Family unary; and binary, with numpy's broadcasting.
  ValueId unary(Op op, ValueId x, const UnaryAttributes& attributes = {});
  ValueId binary(Op op, ValueId a, ValueId b);
  // The same of comparisons, whose result is bool.
  ValueId compare(Op op, ValueId a, ValueId b);
  // Family reduce over `axes`, which stay as dims of 1.
  ValueId reduce(Op op, ValueId x, const std::vector<uint32_t>& axes);
  // Over axes given as bits.
  ValueId softmax(ValueId x, uint32_t axes);
  // x [..., M, K] times y [..., K, N], batches broadcast.
  ValueId matmul(ValueId x, ValueId y, float alpha = 1.0f);
  // Over the axes of `attributes`; kNoValue where there is no scale or bias.
  ValueId normalize(ValueId x, ValueId scale, ValueId bias, const NormalizeAttributes& attributes);
  ValueId where(ValueId condition, ValueId a, ValueId b);
  ValueId cast(ValueId x, DType type);  // x itself where it has the type
  ValueId clip(ValueId x, float least, float most);

  ValueId reshape(ValueId x, const Dims& dims);
  ValueId transpose(ValueId x, const std::vector<uint32_t>& order);
  // `count` of the elements along `axis`, from `start` on.
  ValueId slice(ValueId x, uint32_t axis, const Dim& start, const Dim& count);
  ValueId concat(const std::vector<ValueId>& parts, uint32_t axis);
  // Slices of x at `axis`, and single elements of it, as ONNX's Gather and GatherElements.
  ValueId gather(ValueId x, ValueId indices, uint32_t axis);
  ValueId gather_elements(ValueId x, ValueId indices, uint32_t axis);
  // Elements repeated over wider dims.
  ValueId expand(ValueId x, const Dims& dims);

  // A scalar of a type of floats, or of int32 or int64.
  ValueId scalar(DType type, double number);
  ValueId constant(const Dims& dims, const std::vector<float>& elements);
  ValueId constant(const Dims& dims, const std::vector<int64_t>& elements);
  // 0, 1, 2, ... of int64.
  ValueId counting(const Dims& dims);
  void expect_room(std::initializer_list<uint64_t> factors) const { context_.expect_room(factors); }

  Dims dims(ValueId x) const { return context_.dims(x); }
  DType dtype(ValueId x) const { return context_.dtype(x); }

 private:
  ValueId add(Op op, const std::vector<ValueId>& inputs, DType type, const Dims& dims,
              const std::vector<uint32_t>& attributes = {});
  template <typename T>
  ValueId add(Op op, const std::vector<ValueId>& inputs, DType type, const Dims& dims,
              const T& attributes) {
    Node node;
    node.set_attributes(attributes);
    return add(op, inputs, type, dims, node.attributes);
  }

  OpContext& context_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
