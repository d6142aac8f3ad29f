// Lets convolutions do the padding of a Pad before them, also where a transpose lies between, as
// in models whose images are channels-last.
#include <iterator>
#include <numeric>
#include <optional>

#include "ops/quantized.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

// A Pad of elements of one value before a convolution. Dims are those of the convolution's input.
struct Padding {
  const Node* pad;
  Node* transpose;              // between them, of the convolution alone; null: there is none
  std::vector<uint32_t> order;  // the dim of the Pad that each dim is
  PadAttributes attributes;

  int32_t begin(size_t i) const { return attributes.begin[order[i]]; }
};

std::optional<Padding> padding_before(Graph& graph, const Uses& uses, ValueId x) {
  const auto maker = [&](ValueId id) {
    return uses.producer[id] == kNoNode ? nullptr : &graph.nodes[uses.producer[id]];
  };
  Node* node = maker(x);
  if (node == nullptr) return std::nullopt;
  Padding padding = {node, nullptr, std::vector<uint32_t>(graph.values[x].dims.size()), {}};
  std::iota(padding.order.begin(), padding.order.end(), 0u);
  if (node->op == Op::kTranspose && uses.read_count[x] == 1) {
    padding.transpose = node;
    padding.order = node->attributes;
    padding.pad = maker(node->inputs[0]);
  }
  if (padding.pad == nullptr || padding.pad->op != Op::kPad || padding.pad->inputs.size() != 1) {
    return std::nullopt;
  }
  padding.attributes = padding.pad->attributes_as<PadAttributes>();
  return padding.attributes.mode == PadMode::kValue ? std::optional(padding) : std::nullopt;
}

// Whether it puts elements around spatial dims and does nothing else.
bool pads_space(const Graph& graph, const Padding& padding) {
  const Value& x = graph.values[padding.pad->inputs[0]];
  const Value& y = graph.values[padding.pad->outputs[0]];
  for (size_t i = 0; i < x.dims.size(); ++i) {
    const uint32_t d = padding.order[i];
    const Dim end = y.dims[d] - x.dims[d] - padding.begin(i);
    if (padding.begin(i) < 0 || !always(end >= 0)) return false;
    if (i < 2 && (padding.begin(i) != 0 || !always(end == 0))) return false;
  }
  return true;
}

// The integer whose bits a Pad holds.
int32_t integer_of(const PadAttributes& pad, DType type) {
  const uint32_t bits = pad.value_bits[0];
  if (type == DType::kInt8) return static_cast<int8_t>(bits);
  return type == DType::kUint8 ? static_cast<uint8_t>(bits) : static_cast<int16_t>(bits);
}

// Whether no window of the convolution reaches beyond its input.
bool reads_inside(const Graph& graph, const Node& node, const QuantizedConvAttributes& conv) {
  const Value& x = graph.values[node.inputs[0]];
  const Value& w = graph.values[node.inputs[1]];
  const Value& y = graph.values[node.outputs[0]];
  for (size_t i = 0; i < 2; ++i) {
    const Dim last = (y.dims[2 + i] - 1) * conv.stride[i] + (w.dims[2 + i] - 1) * conv.dilation[i];
    if (conv.pad_begin[i] != 0 || !always(last < x.dims[2 + i])) return false;
  }
  return true;
}

// Whether the padded elements are what the convolution reads outside its input, or may be told to.
bool pads_with_what_lies_outside(const Graph& graph, Node& node, const Padding& padding) {
  const DType type = graph.values[node.inputs[0]].dtype;
  if (node.op != Op::kQuantizedConv) {
    return type == DType::kFloat32 && padding.attributes.value_bits[0] == 0;
  }
  if (node.has_input(kXZeroPointInput)) {
    return false;
  }
  auto conv = node.attributes_as<QuantizedConvAttributes>();
  const int32_t value = integer_of(padding.attributes, type);
  if (conv.outside != value && !reads_inside(graph, node, conv)) return false;
  conv.outside = value;
  node.set_attributes(conv);
  return true;
}

// Elements past the input's end are outside too: only the beginning needs numbers.
template <typename Attributes>
void pad_more(Node& conv, const Padding& padding) {
  auto attributes = conv.attributes_as<Attributes>();
  const size_t axes = std::size(attributes.pad_begin);
  const size_t rank = padding.order.size();
  for (size_t i = 2; i < rank; ++i) {
    attributes.pad_begin[i + axes - rank] += static_cast<uint32_t>(padding.begin(i));
  }
  conv.set_attributes(attributes);
}

void pad_more(Node& conv, const Padding& padding) {
  if (conv.op == Op::kConv3d) return pad_more<Conv3dAttributes>(conv, padding);
  if (conv.op == Op::kConv) return pad_more<ConvAttributes>(conv, padding);
  pad_more<QuantizedConvAttributes>(conv, padding);
}

// The convolution, or the transpose before it, reads what was padded.
void read_unpadded(Graph& graph, Node& conv, const Padding& padding) {
  const ValueId x = padding.pad->inputs[0];
  if (padding.transpose == nullptr) {
    conv.inputs[0] = x;
    return;
  }
  padding.transpose->inputs[0] = x;
  Value& turned = graph.values[conv.inputs[0]];
  for (size_t i = 0; i < padding.order.size(); ++i) {
    turned.dims[i] = graph.values[x].dims[padding.order[i]];
  }
}

}  // namespace

void fuse_padding(Graph& graph) {
  const Uses uses = find_uses(graph);
  for (Node& node : graph.nodes) {
    if (node.op != Op::kConv && node.op != Op::kConv3d && node.op != Op::kQuantizedConv) continue;
    const auto padding = padding_before(graph, uses, node.inputs[0]);
    if (!padding || !pads_space(graph, *padding) ||
        !pads_with_what_lies_outside(graph, node, *padding)) {
      continue;
    }
    pad_more(node, *padding);
    append_sources(node, *padding->pad);
    read_unpadded(graph, node, *padding);
  }
  // A Pad that nothing else reads is dead code now.
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
