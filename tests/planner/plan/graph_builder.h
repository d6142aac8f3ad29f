// Builds planner graphs by hand, node by node, for tests.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "ops/attributes.h"
#include "planner/graph/graph.h"

namespace arenite::test {

using planner::Graph;
using planner::kNoValue;
using planner::Node;
using planner::ValueId;
using Dims = std::vector<uint32_t>;

// So many integers of 8 bits in [low, high], always the same.
std::vector<std::byte> random_weights(size_t count, int low, int high);

class GraphBuilder {
 public:
  ValueId value(const Dims& dims, DType dtype = DType::kFloat32);
  ValueId input(const Dims& dims, DType dtype = DType::kFloat32);
  // Small numbers that differ from element to element, always the same for the same seed.
  ValueId constant(const Dims& dims, uint32_t seed = 1);
  ValueId constant_bytes(const Dims& dims, DType dtype, std::vector<std::byte> bytes);
  ValueId constant_int64(const std::vector<int64_t>& numbers);
  void output(ValueId v) { graph_.outputs.push_back(v); }

  // A node named after its operator and place; `dims` are its output's.
  ValueId node(Op op, std::vector<ValueId> inputs, const Dims& dims);
  template <typename T>
  ValueId node(Op op, std::vector<ValueId> inputs, const Dims& dims, const T& attributes) {
    const ValueId result = node(op, std::move(inputs), dims);
    graph_.nodes.back().set_attributes(attributes);
    return result;
  }

  // Stride 1, no padding unless given; weights [O, C/groups, K, K] are constants.
  ValueId conv(ValueId x, uint32_t outputs, uint32_t kernel, uint32_t pad = 0, uint32_t groups = 1);
  // The same of int8, with weights of zero.
  ValueId quantized_conv(ValueId x, uint32_t outputs, uint32_t kernel, uint32_t groups = 1);
  ValueId max_pool(ValueId x, uint32_t kernel);  // stride = kernel, dims must divide
  ValueId add(ValueId a, ValueId b);             // the dims of a
  ValueId clip(ValueId x, float min, float max);
  ValueId reshape(ValueId x, const Dims& dims);
  ValueId transpose(ValueId x, std::vector<uint32_t> permutation);
  // One start and step a dim; as many elements as there are in `dims`.
  ValueId slice(ValueId x, const std::vector<int32_t>& start, const std::vector<int32_t>& step,
                const Dims& dims);
  ValueId matmul(ValueId a, ValueId b, const Dims& dims);
  ValueId concat(const std::vector<ValueId>& inputs, uint32_t axis);

  Dims dims(ValueId v) const { return planner::bounds(graph_.values[v].dims); }
  const Graph& graph() const { return graph_; }
  Graph& graph() { return graph_; }

 private:
  Graph graph_;
};

// Row-major bytes of small numbers for every input of the graph.
std::vector<std::vector<std::byte>> test_inputs(const Graph& graph, uint32_t seed);

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
