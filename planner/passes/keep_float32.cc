// Models of 16-bit floats run in float32: between operators that compute in it nothing is rounded
// to 16 bits and back, so that only what enters and leaves the graph is narrow.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/contract.h"
#include "planner/graph/eval.h"
#include "planner/graph/half_floats.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

class Widening {
 public:
  explicit Widening(Graph& graph) : graph_(graph), wide_(graph.values.size(), kNoValue) {}

  void run() {
    std::vector<Node> nodes = std::move(graph_.nodes);
    graph_.nodes.clear();
    for (Node& node : nodes) {
      if (node.op == Op::kCast) {
        add_cast(std::move(node));
      } else if (half_type(graph_, node) != DType::kNone) {
        add_half(std::move(node));
      } else {
        graph_.nodes.push_back(std::move(node));
      }
    }
    // A rounding that nothing reads would still count as a reader of what it rounds, and so keep
    // the passes behind from fusing that with the node that follows.
    drop_unread(graph_, [](const Node& node) { return node.op == Op::kCast; });
  }

 private:
  void add_cast(Node node) {
    const ValueId from = node.inputs[0];
    if (wide_[from] != kNoValue) node.inputs[0] = wide_[from];
    const ValueId to = node.outputs[0];
    const bool narrows = graph_.values[node.inputs[0]].dtype == DType::kFloat32 &&
                         has(types::kFloat16s, graph_.values[to].dtype);
    if (narrows) stands_for(node.inputs[0], to);
    if (graph_.values[to].dtype == DType::kFloat32) mark(to, node.inputs[0]);
    graph_.nodes.push_back(std::move(node));
  }

  void add_half(Node node) {
    const std::vector<ValueId> inputs = inputs_of_t(node);
    const bool any_wide = std::any_of(inputs.begin(), inputs.end(), [&](ValueId id) {
      return id != kNoValue && wide_[id] != kNoValue;
    });
    if (!any_wide) return graph_.nodes.push_back(std::move(node));
    std::vector<Node> casts = compute_in_float32(
        graph_, node, [&](ValueId id) { return wide_value(id, node); },
        [&](ValueId id) { return add_wide_value(id); });
    graph_.nodes.push_back(std::move(node));
    for (Node& cast : casts) graph_.nodes.push_back(std::move(cast));
  }

  // The float32 value that `narrow` was rounded from, or its own elements in float32.
  ValueId wide_value(ValueId narrow, const Node& reader) {
    if (wide_[narrow] != kNoValue) return wide_[narrow];
    const ValueId wide = add_wide_value(narrow);
    const Node cast = cast_node(narrow, wide, reader);
    if (graph_.values[narrow].constant != nullptr) {
      evaluate(graph_, cast);
    } else {
      graph_.nodes.push_back(cast);
    }
    return wide;
  }

  ValueId add_wide_value(ValueId narrow) {
    const Value value = graph_.values[narrow];
    const ValueId wide = add_value(graph_, value.name, DType::kFloat32, value.dims);
    wide_.push_back(kNoValue);
    stands_for(wide, narrow);
    return wide;
  }

  void stands_for(ValueId wide, ValueId narrow) {
    wide_[narrow] = wide;
    mark(wide, narrow);
  }

  // A device may keep in 16 bits what the model computes in float16.
  void mark(ValueId wide, ValueId narrow) {
    if (graph_.values[narrow].dtype == DType::kFloat16) graph_.values[wide].half_will_do = true;
  }

  Graph& graph_;
  std::vector<ValueId> wide_;  // of each 16-bit value the float32 one that stands for it
};

}  // namespace

void keep_float32(Graph& graph) { Widening(graph).run(); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
