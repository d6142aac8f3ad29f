// Tests where elements of operands lie.
#include "tools/simulate/element_runs.h"

#include <gtest/gtest.h>

#include <array>

namespace arenite::tools {
namespace {

std::vector<std::pair<uint64_t, uint64_t>> runs_of(std::vector<uint32_t> dims,
                                                   std::vector<uint32_t> strides) {
  format::ElementsRecord record{};
  record.dtype = static_cast<uint8_t>(DType::kInt16);
  record.rank = static_cast<uint8_t>(dims.size());
  Tensor tensor;
  tensor.dims = dims.data();
  tensor.strides = strides.data();
  tensor.record = &record;
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (const ByteRange& run : element_runs(tensor)) pairs.emplace_back(run.begin, run.end);
  return pairs;
}

using Pairs = std::vector<std::pair<uint64_t, uint64_t>>;

TEST(ElementRuns, ElementsSideBySideAreOne) {
  EXPECT_EQ(runs_of({}, {}), (Pairs{{0, 2}}));
  EXPECT_EQ(runs_of({2, 3}, {3, 1}), (Pairs{{0, 12}}));
  EXPECT_EQ(runs_of({2, 3}, {1, 2}), (Pairs{{0, 12}}));  // transposed
  EXPECT_EQ(runs_of({4, 3}, {0, 1}), (Pairs{{0, 6}}));   // repeated
  EXPECT_EQ(runs_of({2, 0}, {1, 1}), (Pairs{}));
}

TEST(ElementRuns, PartsHaveGaps) {
  EXPECT_EQ(runs_of({3, 2}, {5, 1}), (Pairs{{0, 4}, {10, 14}, {20, 24}}));
  EXPECT_EQ(runs_of({3}, {2}), (Pairs{{0, 2}, {4, 6}, {8, 10}}));
  EXPECT_EQ(runs_of({2, 2, 2}, {10, 4, 1}), (Pairs{{0, 4}, {8, 12}, {20, 24}, {28, 32}}));
}

TEST(ElementRuns, SubtractLeavesTheRest) {
  const std::vector<ByteRange> left = subtract({10, 50}, {{0, 12}, {20, 30}, {25, 40}, {60, 70}});
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].begin, 12u);
  EXPECT_EQ(left[0].end, 20u);
  EXPECT_EQ(left[1].begin, 40u);
  EXPECT_EQ(left[1].end, 50u);
  EXPECT_TRUE(subtract({1, 2}, {{0, 5}}).empty());
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
