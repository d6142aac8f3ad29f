// Finds the transposition, reshape and conversion between two tensors' forms.
//
// 1. Dimensions of 1 do not matter to the order of elements. 2. Where the others are the same
// numbers in another order, as channels behind or before the image, the axes are transposed.
// 3. A first dimension that is left over becomes the number of runs.
#include "tools/run/reshape.h"

#include <algorithm>
#include <vector>

namespace arenite::tools {
namespace {

using Dims = std::vector<uint32_t>;

uint64_t elements(std::span<const uint32_t> dims) {
  uint64_t count = 1;
  for (const uint32_t dim : dims) count *= dim;
  return count;
}

std::string call(const char* name, const Dims& numbers) {
  std::string text = std::string(".") + name + "(";
  for (size_t i = 0; i < numbers.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  }
  return text + ")";
}

Dims without_ones(std::span<const uint32_t> dims) {
  Dims kept;
  std::ranges::copy_if(dims, std::back_inserter(kept), [](uint32_t dim) { return dim != 1; });
  return kept;
}

// Axes of `found` in the order of `expected`, dimensions of 1 last; empty if none is needed or none
// would do. If axes are alike, the first goes first.
Dims transposition(std::span<const uint32_t> found, std::span<const uint32_t> expected) {
  const Dims wanted = without_ones(expected);
  const Dims have = without_ones(found);
  if (have == wanted || !std::ranges::is_permutation(have, wanted)) return {};
  Dims axes;
  const auto taken = [&](uint32_t axis) { return std::ranges::find(axes, axis) != axes.end(); };
  for (const uint32_t dim : wanted) {
    for (uint32_t axis = 0; axis < found.size(); ++axis) {
      if (found[axis] != dim || taken(axis)) continue;
      axes.push_back(axis);
      break;
    }
  }
  for (uint32_t axis = 0; axis < found.size(); ++axis) {
    if (!taken(axis)) axes.push_back(axis);
  }
  return axes;
}

}  // namespace

std::string reshape_advice(const HostTensor& found, DType dtype,
                           std::span<const uint32_t> expected) {
  const uint64_t have = elements(found.dims), want = elements(expected);
  if (want == 0 || have == 0 || have % want != 0) return "";
  const uint64_t runs = have / want;
  if (runs > 1 && (found.dims.empty() || found.dims[0] % runs != 0)) return "";
  // The dims of one run's elements, if the first dimension counts the runs.
  Dims one = found.dims;
  if (runs > 1) one[0] = static_cast<uint32_t>(one[0] / runs);
  Dims axes = transposition(one, expected);
  if (runs > 1 && !axes.empty()) {
    if (one[0] != 1) return "";  // runs and elements share an axis: which is which?
    std::erase(axes, 0u);
    axes.insert(axes.begin(), 0u);
  }
  Dims dims(expected.begin(), expected.end());
  if (runs > 1) dims.insert(dims.begin(), static_cast<uint32_t>(runs));
  std::string calls;
  if (found.dtype != dtype) calls += ".astype(numpy." + std::string(text_of(dtype)) + ")";
  Dims now = found.dims;
  if (!axes.empty()) {
    calls += call("transpose", axes);
    for (size_t i = 0; i < axes.size(); ++i) now[i] = found.dims[axes[i]];
  }
  if (now != dims) calls += call("reshape", dims);
  return "numpy's " + calls + " would do" +
         (runs > 1 ? ", for " + std::to_string(runs) + " runs" : "");
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
