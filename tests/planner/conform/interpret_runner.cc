// Imports a case's model, optimizes it on request, and interprets it.
#include "tests/planner/conform/interpret_runner.h"

#include <algorithm>
#include <cstring>

#include "planner/graph/interpret.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

// The first `rows` along an axis.
void keep_rows(TensorData& tensor, uint32_t axis, uint32_t rows) {
  size_t blocks = 1;
  for (uint32_t i = 0; i < axis; ++i) blocks *= tensor.dims[i];
  const size_t block = tensor.bytes.size() / blocks;
  const size_t kept = block / tensor.dims[axis] * rows;
  std::vector<std::byte> bytes;
  for (size_t i = 0; i < blocks; ++i) {
    const auto* first = tensor.bytes.data() + i * block;
    bytes.insert(bytes.end(), first, first + kept);
  }
  tensor.dims[axis] = rows;
  tensor.bytes = std::move(bytes);
}

// Takes the model's own outputs out of those of its graph, with the rows that hold results.
void keep_results(const Graph& graph, std::vector<TensorData>& outputs) {
  size_t own = outputs.size();
  for (const OutputCount& rows : graph.output_counts) {
    int64_t count = 0;
    std::memcpy(&count, outputs.at(rows.count).bytes.data(), sizeof(count));
    keep_rows(outputs.at(rows.output), rows.axis, static_cast<uint32_t>(count));
    own = std::min<size_t>(own, rows.count);
  }
  outputs.resize(own);
}

}  // namespace

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
  keep_results(graph, outputs);
  return outputs;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
