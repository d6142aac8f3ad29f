// Lets convolutions do the zero padding of a Pad before them.
#include <iterator>

#include "planner/graph/rewrite.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

// Whether the node puts zeros around spatial dimensions and does nothing else.
bool pads_space_with_zeros(const Graph& graph, const Node& node) {
  if (node.op != Op::kPad || node.inputs.size() != 1) return false;
  const Value& x = graph.values[node.inputs[0]];
  const Value& y = graph.values[node.outputs[0]];
  const auto pad = node.attributes_as<PadAttributes>();
  if (x.dtype != DType::kFloat32 || pad.mode != PadMode::kValue || pad.value_bits[0] != 0) {
    return false;
  }
  for (size_t i = 0; i < x.dims.size(); ++i) {
    const Dim end = y.dims[i] - x.dims[i] - pad.begin[i];
    if (pad.begin[i] < 0 || !always(end >= 0)) return false;
    if (i < 2 && (pad.begin[i] != 0 || !always(end == 0))) return false;
  }
  return true;
}

// Elements past the input's end read as zero: only the beginning needs numbers.
template <typename Attributes>
void pad_more(Node& conv, const PadAttributes& pad, size_t rank) {
  auto attributes = conv.attributes_as<Attributes>();
  const size_t axes = std::size(attributes.pad_begin);
  for (size_t i = 2; i < rank; ++i) {
    attributes.pad_begin[i + axes - rank] += static_cast<uint32_t>(pad.begin[i]);
  }
  conv.set_attributes(attributes);
}

}  // namespace

void fuse_padding(Graph& graph) {
  const Uses uses = find_uses(graph);
  for (Node& node : graph.nodes) {
    const bool volume = node.op == Op::kConv3d;
    if (node.op != Op::kConv && !volume) continue;
    if (uses.producer[node.inputs[0]] == kNoNode) continue;
    const Node& pad = graph.nodes[uses.producer[node.inputs[0]]];
    if (!pads_space_with_zeros(graph, pad)) continue;
    const auto begin = pad.attributes_as<PadAttributes>();
    const size_t rank = graph.values[node.inputs[0]].dims.size();
    if (volume) {
      pad_more<Conv3dAttributes>(node, begin, rank);
    } else {
      pad_more<ConvAttributes>(node, begin, rank);
    }
    node.inputs[0] = pad.inputs[0];
    append_sources(node, pad);
  }
  // A Pad that nothing else reads is dead code now.
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
