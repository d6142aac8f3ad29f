// Shortens the constant indices of ScatterND and GatherND that name the elements of whole rows one
// by one, as assignments to slices become when they are exported: the rows' places are left. Each
// dim of the data along which they name all elements in order is taken from the indices.
//
//   data [4, 2]   indices [3][2][2] = (1,0) (1,1)  (2,0) (2,1)  (3,0) (3,1)   ->   [3][1] = 1 2 3
#include <optional>
#include <vector>

#include "planner/graph/rewrite.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

// Tuples of indices, those of a row of the last dim after each other.
struct Tuples {
  std::vector<int64_t> dims;  // the last is the size of a tuple
  std::vector<int64_t> indices;

  int64_t tuple() const { return dims.back(); }
};

template <typename T>
std::vector<int64_t> integers(const Value& value) {
  std::vector<int64_t> result(value.elements());
  for (size_t i = 0; i < result.size(); ++i) {
    T element;
    std::memcpy(&element, value.constant->data() + i * sizeof(T), sizeof(T));
    result[i] = element;
  }
  return result;
}

// Nothing where a node has no such indices, or its data's dims are open.
std::optional<Tuples> tuples_of(const Graph& graph, const Node& node) {
  if (node.op != Op::kScatterND && node.op != Op::kGatherND) return std::nullopt;
  if (node.attributes_as<IndexedAttributes>().batch_dims != 0) return std::nullopt;
  const Value& indices = graph.values[node.inputs[1]];
  if (indices.constant == nullptr || indices.elements() == 0) return std::nullopt;
  Tuples tuples;
  for (const Dim& dim : indices.dims) tuples.dims.push_back(bound(dim));
  tuples.indices =
      indices.dtype == DType::kInt32 ? integers<int32_t>(indices) : integers<int64_t>(indices);
  return tuples;
}

// Returns whether the tuples of each row differ only in their last number, which counts from 0 up
// to `count` - 1.
bool name_rows(const Tuples& tuples, int64_t count) {
  const auto size = static_cast<size_t>(tuples.tuple());
  const size_t row = static_cast<size_t>(count) * size;
  for (size_t i = 0; i < tuples.indices.size(); ++i) {
    const size_t column = i % size;
    const int64_t expected = column + 1 == size ? static_cast<int64_t>(i % row / size)
                                                : tuples.indices[i - i % row + column];
    if (tuples.indices[i] != expected) return false;
  }
  return true;
}

// Takes the last number from all tuples, and their rows' dim with it.
void shorten(Tuples& tuples) {
  const auto size = static_cast<size_t>(tuples.tuple());
  const size_t row = static_cast<size_t>(tuples.dims[tuples.dims.size() - 2]) * size;
  std::vector<int64_t> left;
  for (size_t i = 0; i < tuples.indices.size(); i += row) {
    for (size_t k = 0; k + 1 < size; ++k) left.push_back(tuples.indices[i + k]);
  }
  tuples.indices = std::move(left);
  tuples.dims.pop_back();
  tuples.dims.back() = static_cast<int64_t>(size) - 1;
}

}  // namespace

void shorten_indices(Graph& graph) {
  for (Node& node : graph.nodes) {
    std::optional<Tuples> tuples = tuples_of(graph, node);
    if (!tuples) continue;
    const size_t rank = tuples->dims.size();
    const Dims& data = graph.values[node.inputs[0]].dims;
    while (tuples->tuple() > 1 && tuples->dims.size() > 1) {
      const int64_t count = tuples->dims[tuples->dims.size() - 2];
      const Dim& dim = data[static_cast<size_t>(tuples->tuple()) - 1];
      if (!always(dim == count) || !name_rows(*tuples, count)) break;
      shorten(*tuples);
    }
    if (tuples->dims.size() == rank) continue;
    std::vector<std::byte> bytes(tuples->indices.size() * sizeof(int64_t));
    std::memcpy(bytes.data(), tuples->indices.data(), bytes.size());
    Dims dims;
    for (const int64_t dim : tuples->dims) dims.push_back(dim);
    node.inputs[1] = add_constant(graph, std::string(graph.values[node.inputs[1]].name),
                                  DType::kInt64, dims, std::move(bytes));
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
