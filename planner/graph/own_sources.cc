// Takes from nodes the sources that others begin with.
#include "planner/graph/own_sources.h"

#include <set>

namespace arenite::planner {

void keep_own_sources(Graph& graph) {
  std::set<std::string> first;
  for (const Node& node : graph.nodes) {
    if (!node.sources.empty()) first.insert(node.sources[0]);
  }
  for (Node& node : graph.nodes) {
    if (node.sources.size() < 2) continue;
    std::erase_if(node.sources, [&](const std::string& source) {
      return source != node.sources[0] && first.contains(source);
    });
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
