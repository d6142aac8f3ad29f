// Sums, differences and products of two quantized values, squares of differences, and slopes below
// zero, element by element.
#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/fusion.h"

namespace arenite::planner::quantize {
namespace {

QuantizedPReluAttributes prelu_attributes(const Wanted& wanted, const Scaled& x,
                                          const Scaled& slope) {
  const Multiplier above = product_multiplier(wanted, x.scale, 1.0f, false);
  const Multiplier below = product_multiplier(wanted, x.scale, slope.scale, false);
  Requantization output = requantization(wanted);
  if (wanted.is_litert()) output.rounding = Rounding::kTfliteDouble;
  return {{x.zero_point, slope.zero_point},
          {above.multiplier, below.multiplier},
          {above.shift, below.shift},
          output};
}

// The node of the difference whose square node n is, as TensorFlow Lite computes it of int8 and
// int16; kNoNode where it is none.
uint32_t squared_difference(const Fusion& fusion, const Wanted& wanted, uint32_t n) {
  const Node& product = fusion.node(n);
  if (product.op != Op::kMul || product.inputs[0] != product.inputs[1]) return kNoNode;
  const uint32_t difference = fusion.producer(product.inputs[0]);
  const bool has = difference != kNoNode && fusion.node(difference).op == Op::kSub;
  return has && wanted.is_tflite() && !wanted.is_litert() ? difference : kNoNode;
}

}  // namespace

bool fuse_pair(Fusion& fusion, const Target& target) {
  const uint32_t n = fusion.producer(target.number);
  if (n == kNoNode) return false;
  std::vector<uint32_t> nodes = {n};
  const uint32_t squared = squared_difference(fusion, target.wanted, n);
  if (squared != kNoNode) nodes.push_back(squared);
  const Node& from = fusion.node(squared != kNoNode ? squared : n);
  const bool sum = from.op == Op::kAdd || from.op == Op::kSub;
  if (!sum && from.op != Op::kMul && from.op != Op::kPRelu) return false;
  const auto left = fusion.scaled(from.inputs[0]), right = fusion.scaled(from.inputs[1]);
  if (!left || !right) return fusion.refuse(n, "an operand has no one constant scale");
  const Scaled &a = left->scale, &b = right->scale;
  if (has_activation(from)) return fusion.refuse(n, "it ends in a function of numbers");
  if (a.dtype != b.dtype || a.dtype != target.wanted.y.dtype) {
    return fusion.refuse(n, "operands and result are integers of different types");
  }
  Node node;
  node.inputs = {left->integers, right->integers};
  if (squared != kNoNode) {
    node.op = Op::kQuantizedAdd;
    node.set_attributes(tflite::squared_difference_attributes(target.wanted, a, b));
  } else if (sum) {
    const SumKind kind = from.op == Op::kSub ? SumKind::kDifference : SumKind::kSum;
    const auto attributes = add_attributes(target.wanted, a, b, kind);
    if (!attributes) return fusion.refuse(n, "its scales are too far apart");
    node.op = Op::kQuantizedAdd;
    node.set_attributes(*attributes);
  } else if (from.op == Op::kMul) {
    node.op = Op::kQuantizedMul;
    node.set_attributes(mul_attributes(target.wanted, a, b));
  } else {
    node.op = Op::kQuantizedPRelu;
    node.set_attributes(prelu_attributes(target.wanted, a, b));
  }
  return fusion.fuse(target, std::move(node), nodes);
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
