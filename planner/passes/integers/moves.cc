// The table of operators that only move elements, and what they hold of the elements' type.
#include "planner/passes/integers/moves.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>

#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/graph/target_forms.h"

namespace arenite::planner::quantize {
namespace {

std::vector<size_t> first_inputs(size_t count) {
  std::vector<size_t> inputs(count);
  std::iota(inputs.begin(), inputs.end(), size_t{0});
  return inputs;
}

// The axis of `to` before and after which as many elements lie as at `axis` of `from`.
std::optional<uint32_t> same_axis(const Dims& from, uint32_t axis, const Dims& to) {
  Dim before = 1, reached = 1;
  for (uint32_t d = 0; d < axis; ++d) before *= from[d];
  for (uint32_t d = 0; d < to.size(); ++d) {
    if (always(reached == before) && always(to[d] == from[axis])) return d;
    reached *= to[d];
  }
  return std::nullopt;
}

// Bits of one float32 that become the bits of an integer.
bool quantize_bits(uint32_t (&bits)[2], const Graph& graph, const Node& scaling) {
  const auto number = std::bit_cast<float>(bits[0]);
  const Scaled scale = *scaled_of(graph, scaling);
  const bool rounds = scaling.op == Op::kQuantize;
  const int32_t integer = quantized(
      number, scale,
      rounds ? scaling.attributes_as<QuantizeAttributes>().rounding : Rounding::kHalfEven);
  const float back = static_cast<float>(integer - scale.zero_point) * scale.scale;
  if (!rounds && back != number) return false;
  const uint32_t mask = element_bytes(scale.dtype) == 1 ? 0xffu : 0xffffu;
  bits[0] = static_cast<uint32_t>(integer) & mask;
  bits[1] = 0;
  return true;
}

bool quantize_pad(const Graph& graph, Node& node, const Node& scaling) {
  auto pad = node.attributes_as<PadAttributes>();
  if (pad.mode != PadMode::kValue) return true;
  if (node.has_input(1)) {
    const Value& value = graph.values[node.inputs[1]];
    if (value.constant == nullptr) return false;
    pad.value_bits[0] = std::bit_cast<uint32_t>(float_elements(value)[0]);
  }
  node.inputs.resize(1);
  if (!quantize_bits(pad.value_bits, graph, scaling)) return false;
  node.set_attributes(pad);
  return true;
}

bool quantize_resize(const Graph& graph, Node& node, const Node& scaling) {
  auto resize = node.attributes_as<ResizeAttributes>();
  // The value does not matter if nothing lies outside.
  if (!quantize_bits(resize.outside_bits, graph, scaling)) return false;
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
      return Move{{0},
                  always(graph.values[node.inputs[0]].dims == graph.values[node.outputs[0]].dims)};
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
      if (node.has_input(2)) return {};  // it interpolates
      return Move{{0}};
    default:
      return {};
  }
}

bool takes(const Node& node, DType type) { return has(contract_of(node.op).types, type); }

std::optional<Quantization> moved_scale(const Graph& graph, const Node& node,
                                        const Quantization& from) {
  if (!from.axis) return from;
  Quantization moved = from;
  if (node.op == Op::kTranspose) {
    const auto at = std::find(node.attributes.begin(), node.attributes.end(), *from.axis);
    moved.axis = static_cast<uint32_t>(at - node.attributes.begin());
    return moved;
  }
  moved.axis =
      same_axis(graph.values[node.inputs[0]].dims, *from.axis, graph.values[node.outputs[0]].dims);
  return moved.axis ? std::optional(moved) : std::nullopt;
}

bool quantize_numbers(const Graph& graph, Node& node, const Node& scaling) {
  if (node.op == Op::kPad) return quantize_pad(graph, node, scaling);
  if (node.op == Op::kResize) return quantize_resize(graph, node, scaling);
  return true;
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
