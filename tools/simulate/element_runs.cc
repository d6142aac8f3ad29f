// Walks dims whose elements do not follow each other.
#include "tools/simulate/element_runs.h"

#include <algorithm>

#include "core/shape.h"

namespace arenite::tools {
namespace {

struct Dim {
  uint64_t count, step_bytes;
};

// Ranges that touch become one.
std::vector<ByteRange> joined(std::vector<ByteRange> ranges) {
  std::ranges::sort(ranges, {}, &ByteRange::begin);
  std::vector<ByteRange> all;
  for (const ByteRange& range : ranges) {
    if (range.begin == range.end) continue;
    if (!all.empty() && range.begin <= all.back().end) {
      all.back().end = std::max(all.back().end, range.end);
    } else {
      all.push_back(range);
    }
  }
  return all;
}

}  // namespace

std::vector<ByteRange> element_runs(const Tensor& tensor) {
  if (tensor.layout() != Layout::kStrided) return {{0, tensor.bytes()}};
  const uint64_t extent = extent_bytes(tensor);
  if (extent == 0) return {};
  if (dense_bytes(tensor) == extent) return {{0, extent}};
  const uint64_t element = element_bytes(tensor.dtype());
  std::vector<Dim> dims;
  for (uint32_t d = 0; d < tensor.rank(); ++d) {
    if (tensor.dims[d] == 1 || tensor.strides[d] == 0) continue;
    dims.push_back({tensor.dims[d], tensor.strides[d] * element});
  }
  std::ranges::sort(dims, {}, &Dim::step_bytes);
  uint64_t run = element;
  size_t inner = 0;
  for (; inner < dims.size() && dims[inner].step_bytes == run; ++inner) run *= dims[inner].count;
  std::vector<ByteRange> runs = {{0, run}};
  for (; inner < dims.size(); ++inner) {
    const size_t count = runs.size();
    for (uint64_t i = 1; i < dims[inner].count; ++i) {
      for (size_t r = 0; r < count; ++r) {
        const uint64_t by = i * dims[inner].step_bytes;
        runs.push_back({runs[r].begin + by, runs[r].end + by});
      }
    }
  }
  return joined(std::move(runs));
}

std::vector<ByteRange> subtract(ByteRange from, std::vector<ByteRange> others) {
  std::vector<ByteRange> left;
  for (const ByteRange& other : joined(std::move(others))) {
    if (other.end <= from.begin || other.begin >= from.end) continue;
    if (other.begin > from.begin) left.push_back({from.begin, other.begin});
    from.begin = std::min(other.end, from.end);
  }
  if (from.begin < from.end) left.push_back(from);
  return left;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
