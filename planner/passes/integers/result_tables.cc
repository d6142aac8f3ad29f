// A table of numbers that stay has each number of its type in order.
#include "planner/passes/integers/result_tables.h"

#include <utility>
#include <vector>

#include "core/contract.h"
#include "ops/requantization.h"
#include "ops/result_tables.h"

namespace arenite::planner {

bool is_lookup_of_bytes(const Graph& graph, const Node& node) {
  if (node.op != Op::kLookup) return false;
  const Value& table = graph.values[node.inputs[1]];
  const DType type = graph.values[node.inputs[0]].dtype;
  return has(types::kByte, type) && type == graph.values[node.outputs[0]].dtype &&
         table.constant != nullptr && table.constant->size() == kByteNumbers;
}

ValueId add_result_tables(Graph& graph, const std::string& name, DType type,
                          const std::array<uint32_t, 2>& lookups) {
  std::vector<std::byte> bytes;
  for (const uint32_t lookup : lookups) {
    if (lookup != kNoNode) {
      const auto& table = *graph.values[graph.nodes[lookup].inputs[1]].constant;
      bytes.insert(bytes.end(), table.begin(), table.end());
      continue;
    }
    const IntegerRange range = range_of(type);
    for (int32_t i = range.low; i <= range.high; ++i) bytes.push_back(static_cast<std::byte>(i));
  }
  return add_constant(graph, name, type, {2, kByteNumbers}, std::move(bytes));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
