// Moves what lies outside the image from the attributes into the biases, and gathers the ends.
#include "planner/passes/integers/joined_integers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/contract.h"
#include "kernels/dispatch/command.h"
#include "ops/quantized.h"
#include "planner/passes/integers/scale.h"

namespace arenite::planner {
namespace {

constexpr uint32_t kEnds = 3;  // biases, multipliers, shifts

bool is_byte(const Graph& graph, ValueId id) { return has(types::kByte, graph.values[id].dtype); }

uint32_t outputs_of(const Graph& graph, const Node& conv) {
  return bounds(graph.values[conv.inputs[1]].dims)[0];
}

// One number for each output: 0 where the input is left out, and one for all repeated.
std::vector<int32_t> end_of(const Graph& graph, const Node& conv, uint32_t input) {
  const uint32_t outputs = outputs_of(graph, conv);
  if (!conv.has_input(input)) return std::vector<int32_t>(outputs, 0);
  std::vector<int32_t> numbers = quantize::integer_elements(graph.values[conv.inputs[input]]);
  if (numbers.size() == 1) numbers.resize(outputs, numbers[0]);
  return numbers;
}

// Weights [O, 1, KH, KW] as taps [KH, KW, O].
ValueId add_byte_taps(Graph& graph, ValueId weights) {
  const Value from = graph.values[weights];
  const std::vector<uint32_t> sizes = bounds(from.dims);
  const size_t outputs = sizes[0], taps = size_t{sizes[2]} * sizes[3];
  std::vector<std::byte> moved(from.constant->size());
  for (size_t o = 0; o < outputs; ++o) {
    for (size_t t = 0; t < taps; ++t) moved[t * outputs + o] = (*from.constant)[o * taps + t];
  }
  return add_constant(graph, from.name, from.dtype, {sizes[2], sizes[3], sizes[0]},
                      std::move(moved));
}

// What each bias gains where the zero point becomes what lies outside the image:
//   sum of (q - zero) * w = sum of (q - outside) * w + (outside - zero) * sum of w
std::vector<int32_t> moved_zero_point(const Graph& graph, const Node& depthwise) {
  const auto a = depthwise.attributes_as<QuantizedConvAttributes>();
  const std::vector<int32_t> w = quantize::integer_elements(graph.values[depthwise.inputs[1]]);
  const size_t outputs = outputs_of(graph, depthwise), taps = w.size() / outputs;
  std::vector<int32_t> moved(outputs, 0);
  for (size_t i = 0; i < w.size(); ++i) {
    moved[i / taps] += (a.outside - a.x_zero_point) * (w[i] - a.w_zero_point);
  }
  return moved;
}

// Whether a uniform buffer holds all ends.
bool fits_uniform(const Graph& graph, const Node& conv) {
  return uint64_t{outputs_of(graph, conv)} * kEnds * sizeof(int32_t) + kBufferAlignment <=
         kMaxUniformBytes;
}

}  // namespace

bool is_plain_quantized_conv(const Graph& graph, const Node& node) {
  if (node.op != Op::kQuantizedConv || !node.has_input(kMultipliersInput) ||
      node.has_input(kXZeroPointInput) || node.has_input(kWZeroPointsInput)) {
    return false;
  }
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    if (node.has_input(i) && graph.values[node.inputs[i]].constant == nullptr) return false;
  }
  return is_byte(graph, node.inputs[0]) && is_byte(graph, node.inputs[1]) &&
         is_byte(graph, node.outputs[0]);
}

std::optional<ConvBefore> find_conv_before(Graph& graph, const Uses& uses, ValueId value) {
  ConvBefore before = {uses.producer[value]};
  const Node* node = sole_producer(graph, uses, value);
  if (node != nullptr && node->op == Op::kTranspose) {
    before.transpose = before.conv;
    before.conv = uses.producer[node->inputs[0]];
    node = sole_producer(graph, uses, node->inputs[0]);
  }
  if (node == nullptr || !is_plain_quantized_conv(graph, *node) || !fits_uniform(graph, *node)) {
    return std::nullopt;
  }
  return before;
}

std::optional<Graph> with_joined_convs(const Graph& graph, const JoinConv& join) {
  Graph result = graph;
  const Uses uses = find_uses(result);
  std::vector<bool> removed(result.nodes.size());
  std::vector<std::vector<Node>> instead(result.nodes.size());
  bool found = false;
  for (size_t n = 0; n < result.nodes.size(); ++n) {
    const Node node = result.nodes[n];
    std::optional<JoinedConv> joined = join(result, uses, node);
    if (!joined) continue;
    instead[n] = std::move(joined->instead);
    removed[n] = removed[joined->before.conv] = true;
    if (joined->before.transpose != kNoNode) removed[joined->before.transpose] = true;
    found = true;
  }
  if (!found) return std::nullopt;
  replace_nodes(result, removed, std::move(instead));
  return result;
}

ValueId add_ends(Graph& graph, const Node& conv, const std::vector<int32_t>& added) {
  std::vector<int32_t> ends = end_of(graph, conv, kBiasInput);
  for (size_t o = 0; o < added.size(); ++o) {
    ends[o] =
        static_cast<int32_t>(static_cast<uint32_t>(ends[o]) + static_cast<uint32_t>(added[o]));
  }
  for (const uint32_t input : {kMultipliersInput, kShiftsInput}) {
    const std::vector<int32_t> more = end_of(graph, conv, input);
    ends.insert(ends.end(), more.begin(), more.end());
  }
  return quantize::add_integers(graph, graph.values[conv.outputs[0]].name, DType::kInt32,
                                {kEnds, outputs_of(graph, conv)}, {ends.begin(), ends.end()});
}

Node joined_integers(Graph& graph, const Node& pointwise, const Node& depthwise) {
  const auto inner = pointwise.attributes_as<QuantizedConvAttributes>();
  const auto outer = depthwise.attributes_as<QuantizedConvAttributes>();
  QuantizedPointwiseDepthwiseAttributes attributes = {};
  std::ranges::copy(outer.stride, attributes.stride);
  std::ranges::copy(outer.dilation, attributes.dilation);
  std::ranges::copy(outer.pad_begin, attributes.pad_begin);
  attributes.x_zero_point = inner.x_zero_point;
  attributes.w_zero_point = inner.w_zero_point;
  attributes.inner_zero_point = outer.outside;
  attributes.taps_zero_point = outer.w_zero_point;
  attributes.inner = inner.output;
  attributes.output = outer.output;
  Node node;
  node.op = Op::kQuantizedPointwiseDepthwise;
  node.inputs = {pointwise.inputs[0], pointwise.inputs[1], add_ends(graph, pointwise, {}),
                 add_byte_taps(graph, depthwise.inputs[1]),
                 add_ends(graph, depthwise, moved_zero_point(graph, depthwise))};
  node.set_attributes(attributes);
  return node;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
