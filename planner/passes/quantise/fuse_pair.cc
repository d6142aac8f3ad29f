// Sums, differences and products of two quantised values, and slopes below zero, element by
// element.
#include "planner/passes/quantise/fusion.h"
#include "planner/passes/rewrite.h"

namespace arenite::planner::quantise {
namespace {

bool has_activation(const Node& node) {
  return node.attributes_as<BinaryAttributes>().activation.kind != ActivationKind::kNone;
}

QuantizedPReluAttributes prelu_attributes(const Wanted& wanted, const Scaled& x,
                                          const Scaled& slope) {
  const Multiplier above = product_multiplier(wanted, x.scale, 1.0f, false);
  const Multiplier below = product_multiplier(wanted, x.scale, slope.scale, false);
  return {{x.zero_point, slope.zero_point},
          {above.multiplier, below.multiplier},
          {above.shift, below.shift},
          requantisation(wanted)};
}

}  // namespace

bool fuse_pair(Fusion& fusion, const Target& target) {
  const uint32_t n = fusion.producer(target.number);
  if (n == kNoNode) return false;
  const Node& from = fusion.node(n);
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
  if (sum) {
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
  std::vector<uint32_t> parts = target.parts;
  parts.push_back(n);
  return fusion.replace(target.quantize, std::move(node), parts);
}

}  // namespace arenite::planner::quantise
// SPDX-License-Identifier: Apache-2.0
