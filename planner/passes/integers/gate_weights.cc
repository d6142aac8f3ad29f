// Copies the second weights transposed.
#include "planner/passes/integers/gate_weights.h"

#include <cstring>
#include <utility>
#include <vector>

#include "core/contract.h"
#include "planner/graph/rewrite.h"

namespace arenite::planner {

ValueId add_gate_weights(Graph& graph, ValueId first, ValueId second) {
  const Value of_first = graph.values[first], of_second = graph.values[second];
  const std::vector<uint32_t> sizes = bounds(of_first.dims);
  const size_t rows = sizes[0], channels = sizes[1], each = element_bytes(of_first.dtype);
  std::vector<std::byte> bytes = *of_first.constant;
  bytes.resize(2 * rows * channels * each);
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < channels; ++c) {
      std::memcpy(bytes.data() + ((rows + r) * channels + c) * each,
                  of_second.constant->data() + (c * rows + r) * each, each);
    }
  }
  return add_constant(graph, of_first.name, of_first.dtype, {2, sizes[0], sizes[1]},
                      std::move(bytes));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
