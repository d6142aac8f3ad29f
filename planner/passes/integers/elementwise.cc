// Copies nodes into a graph of one dim, whose inputs are constants, and evaluates them there.
#include "planner/passes/integers/elementwise.h"

#include <memory>
#include <utility>

#include "planner/graph/eval.h"

namespace arenite::planner::quantize {

std::vector<std::byte> elementwise_results(const Graph& graph, const ElementsById& given,
                                           const std::set<uint32_t>& nodes, ValueId result,
                                           uint32_t count) {
  Graph list;
  std::map<ValueId, ValueId> copies;
  const auto add = [&](ValueId id, Dims dims) -> Value& {
    Value value = graph.values[id];
    value.dims = std::move(dims);
    copies.emplace(id, static_cast<ValueId>(list.values.size()));
    return list.values.emplace_back(std::move(value));
  };
  for (const auto& [id, bytes] : given) {
    const bool is_one = bytes.size() == element_bytes(graph.values[id].dtype);
    Value& value = add(id, is_one ? Dims{} : Dims{count});
    value.constant = std::make_shared<const std::vector<std::byte>>(bytes);
  }
  for (const uint32_t n : nodes) {
    Node node = graph.nodes[n];
    for (ValueId& input : node.inputs) {
      if (input == kNoValue) continue;
      if (!copies.contains(input)) {
        const Value& constant = graph.values[input];
        add(input, constant.elements() == 1 ? Dims{} : constant.dims);
      }
      input = copies.at(input);
    }
    add(node.outputs[0], {count});
    node.outputs[0] = copies.at(node.outputs[0]);
    evaluate(list, node);
  }
  return *list.values[copies.at(result)].constant;
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
