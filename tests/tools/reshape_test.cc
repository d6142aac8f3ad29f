// Tests the advice for tensors of the wrong form.
#include "tools/run/reshape.h"

#include <gtest/gtest.h>

namespace arenite::tools {
namespace {

using Dims = std::vector<uint32_t>;

std::string advice(const Dims& found, const Dims& expected, DType dtype = DType::kFloat32) {
  return reshape_advice({dtype, found, {}}, DType::kFloat32, expected);
}

TEST(ReshapeAdvice, DimensionsOfOneComeAndGo) {
  EXPECT_EQ(advice({8, 8}, {1, 1, 8, 8}), "numpy's .reshape(1, 1, 8, 8) would do");
  EXPECT_EQ(advice({1, 1, 8, 8}, {64}), "numpy's .reshape(64) would do");
  EXPECT_EQ(advice({1}, {}), "numpy's .reshape() would do");
}

TEST(ReshapeAdvice, AStackKeepsItsRuns) {
  EXPECT_EQ(advice({360, 8, 8}, {1, 1, 8, 8}),
            "numpy's .reshape(360, 1, 1, 8, 8) would do, for 360 runs");
  EXPECT_EQ(advice({360, 1, 8, 8}, {1, 1, 8, 8}),
            "numpy's .reshape(360, 1, 1, 8, 8) would do, for 360 runs");
  EXPECT_EQ(advice({6, 5}, {2, 5}), "numpy's .reshape(3, 2, 5) would do, for 3 runs");
}

TEST(ReshapeAdvice, ChannelsMove) {
  EXPECT_EQ(advice({224, 200, 3}, {1, 3, 224, 200}),
            "numpy's .transpose(2, 0, 1).reshape(1, 3, 224, 200) would do");
  EXPECT_EQ(advice({1, 224, 224, 3}, {1, 3, 224, 224}),
            "numpy's .transpose(3, 1, 2, 0).reshape(1, 3, 224, 224) would do");
  EXPECT_EQ(advice({16, 32, 32, 3}, {1, 3, 32, 32}),
            "numpy's .transpose(0, 3, 1, 2).reshape(16, 1, 3, 32, 32) would do, for 16 runs");
}

TEST(ReshapeAdvice, TypesAreConverted) {
  EXPECT_EQ(advice({8, 8}, {8, 8}, DType::kFloat64), "numpy's .astype(numpy.float32) would do");
  EXPECT_EQ(advice({64}, {8, 8}, DType::kUint8),
            "numpy's .astype(numpy.float32).reshape(8, 8) would do");
}

TEST(ReshapeAdvice, NoneWhereNoneWouldDo) {
  for (const Dims& dims : {Dims{8, 9}, Dims{7}, Dims{0}, Dims{0, 8, 8}, Dims{}}) {
    EXPECT_EQ(advice(dims, {1, 1, 8, 8}), "") << dims.size();
  }
  EXPECT_EQ(advice({8, 16}, {3}), "");
  EXPECT_EQ(advice({5, 6}, {2, 5}), "");  // 3 runs, but no first dimension of 3
  EXPECT_EQ(advice({2}, {0}), "");
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
