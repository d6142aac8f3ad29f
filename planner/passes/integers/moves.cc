// The table of operators that only move elements, and what they hold of the elements' type.
#include "planner/passes/integers/moves.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>

#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/graph/target_forms.h"

namespace arenite::planner::quantise {
namespace {

std::vector<size_t> first_inputs(size_t count) {
  std::vector<size_t> inputs(count);
  std::iota(inputs.begin(), inputs.end(), size_t{0});
  return inputs;
}

// The axis of `to` before and after which as many elements lie as at `axis` of `from`.
std::optional<uint32_t> same_axis(const std::vector<uint32_t>& from, uint32_t axis,
                                  const std::vector<uint32_t>& to) {
  uint64_t before = 1, reached = 1;
  for (uint32_t d = 0; d < axis; ++d) before *= from[d];
  for (uint32_t d = 0; d < to.size(); ++d) {
    if (reached == before && to[d] == from[axis]) return d;
    reached *= to[d];
  }
  return std::nullopt;
}

// Bits of one float32 that become the bits of an integer.
bool quantise_bits(uint32_t (&bits)[2], const Scale& scale, std::optional<Rounding> rounding) {
  const auto number = std::bit_cast<float>(bits[0]);
  const int32_t integer = quantised(number, scale.scales[0], scale.zero_points[0], scale.type,
                                    rounding.value_or(Rounding::kHalfEven));
  const float back = static_cast<float>(integer - scale.zero_points[0]) * scale.scales[0];
  if (!rounding && back != number) return false;
  const uint32_t mask = element_bytes(scale.type) == 1 ? 0xffu : 0xffffu;
  bits[0] = static_cast<uint32_t>(integer) & mask;
  bits[1] = 0;
  return true;
}

bool quantise_pad(Graph& graph, Node& node, const Scale& scale, std::optional<Rounding> rounding) {
  auto pad = node.attributes_as<PadAttributes>();
  if (pad.mode != PadMode::kValue) return true;
  if (node.inputs.size() > 1 && node.inputs[1] != kNoValue) {
    const Value& value = graph.values[node.inputs[1]];
    if (value.constant == nullptr) return false;
    pad.value_bits[0] = std::bit_cast<uint32_t>(float_elements(value)[0]);
  }
  node.inputs.resize(1);
  if (!quantise_bits(pad.value_bits, scale, rounding)) return false;
  node.set_attributes(pad);
  return true;
}

bool quantise_resize(Node& node, const Scale& scale, std::optional<Rounding> rounding) {
  auto resize = node.attributes_as<ResizeAttributes>();
  // Where nothing lies outside, the value does not matter.
  const bool fits = quantise_bits(resize.outside_bits, scale, rounding);
  if (!fits) return false;
  node.set_attributes(resize);
  return true;
}

}  // namespace

std::optional<Move> move_of(const Graph& graph, const Node& node) {
  if (node.outputs.empty() || node.outputs[0] == kNoValue || has_activation(node)) return {};
  switch (node.op) {
    case Op::kReshape:
    case Op::kTranspose:
      return Move{{0}, true};
    case Op::kCopy:
      return Move{{0}, graph.values[node.inputs[0]].dims == graph.values[node.outputs[0]].dims};
    case Op::kSlice:
      return Move{{0}, false, true};
    case Op::kConcat:
      return Move{first_inputs(node.inputs.size())};
    case Op::kMax:
    case Op::kMin:
      return Move{{0, 1}};
    case Op::kWhere:
      return Move{{1, 2}};
    case Op::kPad:
    case Op::kReverseSequence:
    case Op::kMaxPool:
      return Move{{0}};
    case Op::kGather:
    case Op::kGatherND:
    case Op::kGatherElements:
      return Move{{0}, false, true};
    case Op::kReduceMax:
    case Op::kReduceMin:
      return Move{{0}, false, true};
    case Op::kArgMax:
    case Op::kArgMin:
      return Move{{0}, false, true, false};
    case Op::kResize:
      if (node.inputs.size() > 2 && node.inputs[2] != kNoValue) return {};  // it interpolates
      return Move{{0}};
    default:
      return {};
  }
}

bool takes(const Node& node, DType type) { return has(contract_of(node.op).types, type); }

std::optional<Scale> moved_scale(const Graph& graph, const Node& node, const Scale& scale) {
  if (!scale.axis) return scale;
  Scale moved = scale;
  if (node.op == Op::kTranspose) {
    const auto at = std::find(node.attributes.begin(), node.attributes.end(), *scale.axis);
    moved.axis = static_cast<uint32_t>(at - node.attributes.begin());
    return moved;
  }
  moved.axis =
      same_axis(graph.values[node.inputs[0]].dims, *scale.axis, graph.values[node.outputs[0]].dims);
  return moved.axis ? std::optional<Scale>(moved) : std::nullopt;
}

bool quantise_numbers(Graph& graph, Node& node, const Scale& scale,
                      std::optional<Rounding> rounding) {
  if (node.op == Op::kPad) return quantise_pad(graph, node, scale, rounding);
  if (node.op == Op::kResize) return quantise_resize(node, scale, rounding);
  return true;
}

}  // namespace arenite::planner::quantise
// SPDX-License-Identifier: Apache-2.0
