// Multiplies the dims and attributes that the contract's work rule names, up to a limit.
#include "planner/graph/work.h"

#include <algorithm>

#include "ops/attributes.h"

namespace arenite::planner {
namespace {

constexpr uint64_t kMost = uint64_t{1} << 31u;

uint64_t product(const uint32_t* first, const uint32_t* last) {
  uint64_t result = 1;
  for (; first != last; ++first) result = std::min(result * *first, kMost);
  return result;
}

uint64_t operations(const WorkQuestion& question) {
  const std::vector<uint32_t>& x = question.x;
  const std::vector<uint32_t>& w = question.w;
  switch (question.rule) {
    case Work::kOne:
      return 1;
    case Work::kWeights:
      return w.empty() ? 1 : product(w.data() + 1, w.data() + w.size());
    case Work::kInner:
      return x.empty() ? 1 : x.back();
    case Work::kWindow: {
      const size_t size = std::min(question.attributes.size(), std::size(PoolAttributes{}.kernel));
      static_assert(offsetof(PoolAttributes, kernel) == 0);
      return product(question.attributes.data(), question.attributes.data() + size);
    }
    case Work::kReduced:
      return product(x.data(), x.data() + x.size()) / std::max<uint64_t>(question.results, 1);
    case Work::kKeys:
      return w.size() < 2 ? 1 : 2 * uint64_t{w[w.size() - 2]};
  }
  return 1;
}

}  // namespace

uint64_t operations_each(const WorkQuestion& question) {
  return std::clamp<uint64_t>(operations(question), 1, kMost);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
