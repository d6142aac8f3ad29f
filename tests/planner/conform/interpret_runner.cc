// Imports a case's model, optimizes it on request, and interprets it.
#include "tests/planner/conform/interpret_runner.h"

#include "planner/graph/interpret.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"

namespace arenite::planner {

std::vector<TensorData> run_interpreted(const ConformCase& test,
                                        const std::vector<NamedTensor>& inputs, bool optimized) {
  Graph graph = import_onnx(test.model, test.options);
  if (optimized) optimize(graph);
  std::vector<std::vector<std::byte>> bytes;
  for (const NamedTensor& input : inputs) bytes.push_back(input.data.bytes);
  const std::vector<std::vector<std::byte>> results = interpret(graph, bytes);
  std::vector<TensorData> outputs;
  for (size_t i = 0; i < results.size(); ++i) {
    const Value& value = graph.values[graph.outputs[i]];
    outputs.push_back({value.dtype, bounds(value.dims), results[i]});
  }
  return outputs;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
