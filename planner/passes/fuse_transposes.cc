// Cancels transposes: pairs of them become one, and where elementwise nodes alone lie between
// transposes and their inverse, these compute in the order of what was transposed.
#include <algorithm>

#include "planner/graph/rewrite.h"
#include "planner/graph/target_forms.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

using Order = std::vector<uint32_t>;

// Elementwise nodes in a row that are looked through: files may hold any number.
constexpr uint32_t kDepthMax = 100;

// The order of a transpose by `second` of what was transposed by `first`.
Order composed(const Order& first, const Order& second) {
  Order result;
  for (const uint32_t d : second) result.push_back(first[d]);
  return result;
}

class Canceling {
 public:
  explicit Canceling(Graph& graph) : graph_(graph), uses_(find_uses(graph)) {}

  void run() {
    for (Node& node : graph_.nodes) {
      if (node.op != Op::kTranspose) continue;
      if (const Node* first = transpose_of(node.inputs[0])) {
        // The composed transpose may change nothing: then it goes with the identities.
        node.attributes = composed(first->attributes, node.attributes);
        append_sources(node, *first);
        read_instead(node.inputs[0], first->inputs[0]);
      } else if (is_elementwise(node.inputs[0]) &&
                 can_straighten(node.inputs[0], node.attributes, 0)) {
        Node& last = graph_.nodes[uses_.producer[node.inputs[0]]];
        straighten(node.inputs[0], node.attributes);
        merge_into(graph_, uses_, last, node);
      }
    }
    remove_nodes(graph_, uses_);
  }

 private:
  const Node* transpose_of(ValueId id) const {
    if (id == kNoValue || uses_.producer[id] == kNoNode) return nullptr;
    const Node& node = graph_.nodes[uses_.producer[id]];
    return node.op == Op::kTranspose ? &node : nullptr;
  }

  bool is_number(ValueId id) const {
    return id == kNoValue ||
           (graph_.values[id].constant != nullptr && graph_.values[id].elements() == 1);
  }

  // Whether an elementwise node makes the value for one reader.
  bool is_elementwise(ValueId id) {
    const Node* node = sole_producer(graph_, uses_, id);
    if (node == nullptr || node->outputs.size() != 1) return false;
    const LayoutRule& rule = contract_of(node->op).layout;
    return rule.kind == LayoutClass::kElementwise && rule.operands >= node->inputs.size();
  }

  // Whether the transpose of `id` by `order` can be computed without one.
  bool can_straighten(ValueId id, const Order& order, uint32_t depth) {
    if (depth < kDepthMax && is_elementwise(id)) {
      const Node& node = graph_.nodes[uses_.producer[id]];
      return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
        const size_t rank = order.size();
        if (is_number(input)) return input == kNoValue || graph_.values[input].dims.size() <= rank;
        return always(graph_.values[input].dims == graph_.values[id].dims) &&
               can_straighten(input, order, depth + 1);
      });
    }
    const Node* transpose = transpose_of(id);
    if (transpose == nullptr) return false;
    const Order both = composed(transpose->attributes, order);
    return std::is_sorted(both.begin(), both.end());
  }

  // Does so, all the way up to the transposes.
  void straighten(ValueId id, const Order& order) {
    Node& node = graph_.nodes[uses_.producer[id]];
    Value& value = graph_.values[id];
    const Dims dims = value.dims;
    for (size_t d = 0; d < order.size(); ++d) value.dims[d] = dims[order[d]];
    value.symbols.clear();
    for (ValueId& input : node.inputs) {
      if (is_number(input)) continue;
      if (const Node* transpose = transpose_of(input)) {
        append_sources(node, *transpose);
        read_instead(input, transpose->inputs[0]);
      } else {
        straighten(input, order);
      }
    }
  }

  void read_instead(ValueId& input, ValueId id) {
    --uses_.read_count[input];
    ++uses_.read_count[id];
    input = id;
  }

  Graph& graph_;
  Uses uses_;
};

}  // namespace

void fuse_transposes(Graph& graph) { Canceling(graph).run(); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
