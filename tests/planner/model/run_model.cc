// Interprets the graph as imported and after the passes, and compares the outputs.
#include "tests/planner/model/run_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "planner/graph/interpret.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

// Inputs that are left out at the end are states, which begin as they do before the first run.
std::vector<TensorData> outputs_of(const Graph& graph, const std::vector<TensorData>& inputs) {
  std::vector<std::vector<std::byte>> bytes;
  for (const TensorData& input : inputs) bytes.push_back(input.bytes);
  for (const GraphState& state : graph.states) {
    if (state.input < inputs.size()) continue;
    const size_t count = graph.values[graph.inputs[state.input]].dense_bytes();
    bytes.push_back(state.initial ? *state.initial : std::vector<std::byte>(count));
  }
  const std::vector<std::vector<std::byte>> results = interpret(graph, bytes);
  std::vector<TensorData> outputs;
  for (size_t i = 0; i < results.size(); ++i) {
    const Value& value = graph.values[graph.outputs[i]];
    outputs.push_back({value.dtype, bounds(value.dims), results[i]});
  }
  return outputs;
}

void expect_near(const TensorData& expected, const TensorData& found) {
  ASSERT_EQ(expected.dims, found.dims);
  ASSERT_EQ(expected.dtype, found.dtype);
  if (expected.dtype != DType::kFloat32) {
    EXPECT_EQ(expected.bytes, found.bytes);
    return;
  }
  const std::vector<float> a = floats_of(expected.bytes);
  const std::vector<float> b = floats_of(found.bytes);
  float largest = 0;
  for (const float element : a) largest = std::max(largest, std::fabs(element));
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (a[i] == b[i]) continue;  // infinities too
    EXPECT_NEAR(a[i], b[i], 1e-5f * largest) << "element " << i;
  }
}

}  // namespace

std::vector<TensorData> run_model(const ModelBuilder& model, const std::vector<TensorData>& inputs,
                                  const ImportOptions& options) {
  return run_graph(import_onnx(model.bytes(), options), inputs);
}

std::vector<TensorData> run_graph(Graph graph, const std::vector<TensorData>& inputs) {
  std::vector<TensorData> plain = outputs_of(graph, inputs);
  optimize(graph);
  const std::vector<TensorData> optimized = outputs_of(graph, inputs);
  for (size_t i = 0; i < plain.size(); ++i) expect_near(plain[i], optimized[i]);
  return plain;
}

std::vector<float> run_floats(const ModelBuilder& model, const std::vector<TensorData>& inputs) {
  return floats_of(run_model(model, inputs)[0].bytes);
}

Graph optimized(const ModelBuilder& model, const std::vector<std::string>& disabled) {
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph, disabled);
  return graph;
}

void expect_near(const std::vector<float>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(double{found[i]}, expected[i], 2e-5) << i;
}

std::string import_error(const ModelBuilder& model, const ImportOptions& options) {
  try {
    import_onnx(model.bytes(), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

size_t count_ops(const Graph& graph, Op op) {
  return static_cast<size_t>(std::count_if(graph.nodes.begin(), graph.nodes.end(),
                                           [&](const Node& node) { return node.op == op; }));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
