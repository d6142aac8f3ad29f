// Makes the constant zero points of products of integers, as ConvInteger and MatMulInteger have
// them, attributes of the product: forms with vectors take no operand for those of weights, and
// weights of int8 alone.
#include <optional>

#include "core/contract.h"
#include "ops/quantized.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/scale.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

class Fuse {
 public:
  explicit Fuse(Graph& graph) : graph_(graph), uses_(find_uses(graph)) {}

  void all() {
    for (Node& node : graph_.nodes) {
      if (node.op == Op::kQuantizedMatMul) {
        auto attributes = node.attributes_as<QuantizedMatMulAttributes>();
        fuse(node, attributes.a_zero_point, attributes.b_zero_point);
        node.set_attributes(attributes);
      } else if (node.op == Op::kQuantizedConv) {
        auto attributes = node.attributes_as<QuantizedConvAttributes>();
        // Where x has its zero point as an operand, the taps beside x count it, too.
        const bool is_operand = node.has_input(kXZeroPointInput);
        fuse(node, attributes.x_zero_point, attributes.w_zero_point);
        if (is_operand && !node.has_input(kXZeroPointInput)) {
          attributes.outside = attributes.x_zero_point;
        }
        node.set_attributes(attributes);
      }
    }
  }

 private:
  Value& value(ValueId id) { return graph_.values[id]; }

  void fuse(Node& node, int32_t& of_x, int32_t& of_weights) {
    if (const auto zero = common(node, kXZeroPointInput)) {
      of_x = *zero;
      node.inputs[kXZeroPointInput] = kNoValue;
    }
    if (const auto zero = common(node, kWZeroPointsInput)) {
      of_weights = *zero;
      node.inputs[kWZeroPointsInput] = kNoValue;
    }
    if (!node.has_input(kWZeroPointsInput)) make_int8(node, of_weights);
    while (node.inputs.back() == kNoValue) node.inputs.pop_back();
  }

  // The one number of a constant operand.
  std::optional<int32_t> common(const Node& node, uint32_t input) {
    if (!node.has_input(input)) return std::nullopt;
    const Value& zeros = value(node.inputs[input]);
    if (zeros.constant == nullptr || zeros.elements() == 0) return std::nullopt;
    const std::vector<int32_t> elements = quantize::integer_elements(zeros);
    for (const int32_t element : elements) {
      if (element != elements[0]) return std::nullopt;
    }
    return elements[0];
  }

  // Weights of uint8 and their zero point move down by 128, but for those that others read.
  void make_int8(Node& node, int32_t& zero_point) {
    ValueId& weights = node.inputs[kWeightsInput];
    if (uses_.read_count[weights] != 1) return;
    const std::optional<ValueId> moved = quantize::add_as_int8(graph_, weights);
    if (!moved) return;
    weights = *moved;
    zero_point -= quantize::kInt8Below;
  }

  Graph& graph_;
  Uses uses_;
};

}  // namespace

void fuse_zero_points(Graph& graph) { Fuse(graph).all(); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
