// Tests that what breaks a graph's rules is seen.
#include "planner/graph/whole.h"

#include <gtest/gtest.h>

namespace arenite::planner {
namespace {

// x, copied to y.
Graph copied() {
  Graph graph;
  graph.values = {{.name = "x", .dtype = DType::kInt8, .dims = {2}},
                  {.name = "y", .dtype = DType::kInt8, .dims = {2}}};
  graph.values[0].quantization = {DType::kInt8, {0.5f}, {3}};
  graph.inputs = {0};
  graph.outputs = {1};
  graph.nodes.push_back({Op::kCopy, {0}, {1}, {}, {}});
  return graph;
}

TEST(WholeGraph, KeepsEachRule) {
  EXPECT_TRUE(is_whole(copied()));
  void (*const breaks[])(Graph&) = {
      [](Graph& graph) { graph.nodes.push_back(graph.nodes[0]); },  // y is made twice
      [](Graph& graph) { graph.inputs.clear(); },                   // x is never made
      [](Graph& graph) { graph.nodes.clear(); },                    // y is never made
      [](Graph& graph) { graph.nodes[0].inputs = {7}; },            // there is no such value
      [](Graph& graph) { graph.values[0].quantization->dtype = DType::kUint8; },
      [](Graph& graph) {
        graph.inputs.clear();
        graph.values[0].constant = std::make_shared<const std::vector<std::byte>>(3);
      }};
  for (size_t i = 0; i < std::size(breaks); ++i) {
    Graph graph = copied();
    breaks[i](graph);
    EXPECT_FALSE(is_whole(graph)) << i;
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
