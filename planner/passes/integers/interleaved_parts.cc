// Finds Concat, Reshape, Transpose and Reshape in a row.
#include "planner/passes/integers/interleaved_parts.h"

#include <utility>
#include <vector>

#include "core/types.h"
#include "ops/attributes.h"
#include "planner/graph/rewrite.h"

namespace arenite::planner {
namespace {

constexpr size_t kChannelAxis = 1;

// The nodes of a shuffle.
struct Shuffle {
  uint32_t concat, split, transpose, merge;
};

const Node* producer_of_one(Graph& graph, const Uses& uses, ValueId id, Op op) {
  const Node* node = sole_producer(graph, uses, id);
  return node != nullptr && node->op == op ? node : nullptr;
}

// Dims [N, parts * C, ...] as [N, parts, C, ...].
Dims split_channels(const Dims& dims, const Dim& parts, const Dim& channels) {
  Dims split = dims;
  split[kChannelAxis] = parts;
  split.insert(split.begin() + kChannelAxis + 1, channels);
  return split;
}

bool swaps_axes_behind_first(const std::vector<uint32_t>& order) {
  if (order.size() < 3) return false;
  for (uint32_t d = 0; d < order.size(); ++d) {
    const uint32_t from = d == 1 ? 2 : d == 2 ? 1 : d;
    if (order[d] != from) return false;
  }
  return true;
}

bool are_equal_parts(const Graph& graph, const Node& concat) {
  if (concat.attributes_as<ConcatAttributes>().axis != kChannelAxis) return false;
  const Dims& first = graph.values[concat.inputs[0]].dims;
  for (const ValueId id : concat.inputs) {
    const Value& part = graph.values[id];
    if (part.constant != nullptr || !always(part.dims == first)) return false;
  }
  return first.size() > kChannelAxis + 1 && first.size() < kMaxRank;
}

// The shuffle that ends in node `n`, a Reshape.
std::optional<Shuffle> shuffle_at(Graph& graph, const Uses& uses, uint32_t n) {
  const Node& merge = graph.nodes[n];
  const Node* transpose = producer_of_one(graph, uses, merge.inputs[0], Op::kTranspose);
  if (transpose == nullptr || !swaps_axes_behind_first(transpose->attributes)) return std::nullopt;
  const Node* split = producer_of_one(graph, uses, transpose->inputs[0], Op::kReshape);
  if (split == nullptr) return std::nullopt;
  const Node* concat = producer_of_one(graph, uses, split->inputs[0], Op::kConcat);
  if (concat == nullptr || !are_equal_parts(graph, *concat)) return std::nullopt;
  const Dims& whole = graph.values[concat->outputs[0]].dims;
  const Dim parts(static_cast<uint32_t>(concat->inputs.size()));
  const Dim channels = graph.values[concat->inputs[0]].dims[kChannelAxis];
  const bool good =
      always(graph.values[split->outputs[0]].dims == split_channels(whole, parts, channels)) &&
      always(graph.values[merge.outputs[0]].dims == whole);
  if (!good) return std::nullopt;
  return Shuffle{uses.producer[split->inputs[0]], uses.producer[transpose->inputs[0]],
                 uses.producer[merge.inputs[0]], n};
}

// The nodes that take its place.
std::vector<Node> interleaved(Graph& graph, const Shuffle& shuffle) {
  const Node concat = graph.nodes[shuffle.concat];
  const Value like = graph.values[concat.outputs[0]];
  const Dims part = graph.values[concat.inputs[0]].dims;
  const auto add_with_axis = [&](const Value& value, uint32_t count) {
    Dims dims = part;
    dims.insert(dims.begin() + kChannelAxis + 1, Dim(count));
    const ValueId id = add_value(graph, value.name, value.dtype, dims);
    graph.values[id].half_will_do = value.half_will_do;
    return id;
  };
  std::vector<Node> nodes;
  Node together = {Op::kConcat, {}, {}, {}, concat.sources};
  for (const ValueId id : concat.inputs) {
    const Value from = graph.values[id];
    const ValueId one = add_with_axis(from, 1);
    nodes.push_back({Op::kReshape, {id}, {one}, {}, concat.sources});
    together.inputs.push_back(one);
  }
  const auto count = static_cast<uint32_t>(concat.inputs.size());
  together.outputs = {add_with_axis(like, count)};
  together.set_attributes(ConcatAttributes{.axis = kChannelAxis + 1});
  Node merge = graph.nodes[shuffle.merge];
  merge.inputs = {together.outputs[0]};
  for (const uint32_t n : {shuffle.transpose, shuffle.split}) {
    append_sources(merge, graph.nodes[n]);
  }
  nodes.push_back(std::move(together));
  nodes.push_back(std::move(merge));
  return nodes;
}

}  // namespace

std::optional<Graph> with_interleaved_parts(const Graph& graph) {
  Graph result = graph;
  const Uses uses = find_uses(result);
  std::vector<bool> removed(result.nodes.size());
  std::vector<std::vector<Node>> instead(result.nodes.size());
  bool found = false;
  for (uint32_t n = 0; n < result.nodes.size(); ++n) {
    if (result.nodes[n].op != Op::kReshape) continue;
    const std::optional<Shuffle> shuffle = shuffle_at(result, uses, n);
    if (!shuffle) continue;
    instead[n] = interleaved(result, *shuffle);
    for (const uint32_t gone : {shuffle->concat, shuffle->split, shuffle->transpose, n}) {
      removed[gone] = true;
    }
    found = true;
  }
  if (!found) return std::nullopt;
  replace_nodes(result, removed, std::move(instead));
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
