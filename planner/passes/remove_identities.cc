// Takes out nodes that hand their input on unchanged.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "planner/passes/passes.h"
#include "planner/passes/rewrite.h"

namespace arenite::planner {
namespace {

bool operand_count_is_one(const Node& node) {
  return std::count_if(node.inputs.begin(), node.inputs.end(),
                       [](ValueId id) { return id != kNoValue; }) == 1;
}

bool changes_nothing(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.inputs[0] == kNoValue || node.outputs.size() != 1) return false;
  const Value& x = graph.values[node.inputs[0]];
  const Value& y = graph.values[node.outputs[0]];
  if (x.dtype != y.dtype || x.dims != y.dims) return false;
  switch (node.op) {
    case Op::kCopy:
    case Op::kReshape:
    case Op::kCast:
      return true;
    case Op::kConcat:
      return node.inputs.size() == 1;
    case Op::kReduceMean:
      // The same dims: every reduced dimension is 1.
      return true;
    case Op::kTranspose:
      return std::is_sorted(node.attributes.begin(), node.attributes.end());
    case Op::kSlice: {
      const auto slice = node.attributes_as<SliceAttributes>();
      for (size_t i = 0; i < x.dims.size(); ++i) {
        if (slice.start[i] != 0 || (slice.step[i] != 1 && x.dims[i] > 1)) return false;
      }
      return true;
    }
    case Op::kPad: {
      const auto pad = node.attributes_as<PadAttributes>();
      return std::all_of(std::begin(pad.begin), std::end(pad.begin),
                         [](int32_t begin) { return begin == 0; });
    }
    case Op::kClip: {
      const auto clip = node.attributes_as<ClipAttributes>();
      return operand_count_is_one(node) && std::isinf(clip.min) && clip.min < 0 &&
             std::isinf(clip.max) && clip.max > 0;
    }
    default:
      return false;
  }
}

bool contains(const std::vector<ValueId>& ids, ValueId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

void replace_everywhere(Graph& graph, ValueId from, ValueId to) {
  for (Node& node : graph.nodes) {
    std::replace(node.inputs.begin(), node.inputs.end(), from, to);
    std::replace(node.outputs.begin(), node.outputs.end(), from, to);
  }
}

}  // namespace

void remove_identities(Graph& graph) {
  Uses uses = find_uses(graph);
  std::vector<ValueId> same(graph.values.size());
  std::iota(same.begin(), same.end(), ValueId{0});
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    Node& node = graph.nodes[n];
    for (ValueId& id : node.inputs) {
      if (id != kNoValue) id = same[id];
    }
    if (!changes_nothing(graph, node)) continue;
    const ValueId x = node.inputs[0];
    const ValueId y = node.outputs[0];
    if (!contains(graph.outputs, y)) {
      same[y] = x;
    } else {
      // The graph's output keeps its name: whoever makes x makes y instead.
      const bool free = graph.values[x].constant == nullptr && uses.producer[x] != kNoNode &&
                        !contains(graph.outputs, x);
      if (!free) continue;
      uses.producer[y] = uses.producer[x];
      node.inputs.clear();
      node.outputs.clear();
      replace_everywhere(graph, x, y);
      std::replace(same.begin(), same.end(), x, y);
    }
    if (uses.producer[x] != kNoNode) append_sources(graph.nodes[uses.producer[x]], node);
    uses.removed[n] = true;
  }
  remove_nodes(graph, uses);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
