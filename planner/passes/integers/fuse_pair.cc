// Sums, differences and products of two quantised values, squares of differences, and slopes below
// zero, element by element.
#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/fusion.h"

namespace arenite::planner::quantise {
namespace {

QuantizedPReluAttributes prelu_attributes(const Wanted& wanted, const Scaled& x,
                                          const Scaled& slope) {
  const Multiplier above = product_multiplier(wanted, x.scale, 1.0f, false);
  const Multiplier below = product_multiplier(wanted, x.scale, slope.scale, false);
  Requantisation output = requantisation(wanted);
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
  std::vector<uint32_t> parts = target.parts;
  parts.push_back(n);
  const uint32_t squared = squared_difference(fusion, target.wanted, n);
  if (squared != kNoNode) parts.push_back(squared);
  const Node& from = fusion.node(squared != kNoNode ? squared : n);
  const bool sum = from.op == Op::kAdd || from.op == Op::kSub;
  if (!sum && from.op != Op::kMul && from.op != Op::kPRelu) return false;
  const std::optional<Operand> operands[2] = {fusion.operand(from.inputs[0]),
                                              fusion.operand(from.inputs[1])};
  Scaled scales[2];
  Node node;
  for (size_t i = 0; i < 2; ++i) {
    const std::optional<Scaled> scale =
        operands[i] ? fusion.scaled(*operands[i]) : std::optional<Scaled>();
    if (!scale) return fusion.refuse(n, "an operand has no one constant scale");
    scales[i] = *scale;
    node.inputs.push_back(operands[i]->integers);
  }
  if (has_activation(from)) return fusion.refuse(n, "it ends in a function of numbers");
  if (scales[0].dtype != scales[1].dtype || scales[0].dtype != target.wanted.y.dtype) {
    return fusion.refuse(n, "operands and result are integers of different types");
  }
  if (squared != kNoNode) {
    node.op = Op::kQuantizedAdd;
    node.set_attributes(tflite::squared_difference_attributes(
        scales[0], scales[1], target.wanted.y.scale, requantisation(target.wanted)));
  } else if (sum) {
    const auto attributes =
        add_attributes(target.wanted, scales[0], scales[1], from.op == Op::kSub);
    if (!attributes) return fusion.refuse(n, "its scales are too far apart");
    node.op = Op::kQuantizedAdd;
    node.set_attributes(*attributes);
  } else if (from.op == Op::kMul) {
    node.op = Op::kQuantizedMul;
    node.set_attributes(mul_attributes(target.wanted, scales[0], scales[1]));
  } else {
    node.op = Op::kQuantizedPRelu;
    node.set_attributes(prelu_attributes(target.wanted, scales[0], scales[1]));
  }
  return fusion.replace(target.quantize, std::move(node), parts);
}

}  // namespace arenite::planner::quantise
// SPDX-License-Identifier: Apache-2.0
