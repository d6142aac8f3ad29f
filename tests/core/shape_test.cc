// What dims and strides say, at the edges of 32 and 64 bits.
#include "core/shape.h"

#include <gtest/gtest.h>

#include <vector>

namespace arenite {
namespace {

struct Shape {
  std::vector<uint32_t> dims, strides;

  Tensor tensor(DType dtype = DType::kFloat32) const {
    Tensor tensor;
    tensor.dims = dims.data();
    tensor.strides = strides.data();
    tensor.rank = static_cast<uint8_t>(dims.size());
    tensor.dtype = dtype;
    return tensor;
  }
};

constexpr uint32_t kMost = 0xffffffffu;

TEST(Shape, ExtentOfStrides) {
  EXPECT_EQ(extent_bytes(Shape{{}, {}}.tensor()), 4u);
  EXPECT_EQ(extent_bytes(Shape{{3}, {1}}.tensor()), 12u);
  EXPECT_EQ(extent_bytes(Shape{{3, 4}, {10, 2}}.tensor()), (20u + 6 + 1) * 4);
  EXPECT_EQ(extent_bytes(Shape{{3, 4}, {0, 0}}.tensor(DType::kInt64)), 8u);
  EXPECT_EQ(extent_bytes(Shape{{kMost, 0, kMost}, {kMost, kMost, kMost}}.tensor()), 0u);
}

TEST(Shape, ExtentNeverWrapsAround) {
  const Shape all{std::vector<uint32_t>(8, kMost), std::vector<uint32_t>(8, kMost)};
  EXPECT_GE(extent_bytes(all.tensor(DType::kInt64)), uint64_t{1} << 32);
  EXPECT_EQ(extent_bytes(Shape{{kMost}, {1}}.tensor(DType::kInt64)), uint64_t{kMost} * 8);
  EXPECT_GE(extent_bytes(Shape{{2, 2}, {kMost, 1}}.tensor(DType::kUint8)), uint64_t{1} << 32);
}

TEST(Shape, ElementCountsFitIn31Bits) {
  EXPECT_TRUE(element_count_fits(Shape{{0x7fffffff}, {0}}.tensor()));
  EXPECT_FALSE(element_count_fits(Shape{{0x80000000}, {0}}.tensor()));
  EXPECT_FALSE(element_count_fits(Shape{{0x10000, 0x8000}, {0, 0}}.tensor()));
  // Loops over the other dims would be as long as if the 0 were not there.
  EXPECT_FALSE(element_count_fits(Shape{{0x10000, 0, 0x8000}, {0, 0, 0}}.tensor()));
  const Shape all{std::vector<uint32_t>(8, kMost), std::vector<uint32_t>(8, 0)};
  EXPECT_FALSE(element_count_fits(all.tensor()));
}

TEST(Shape, RowMajor) {
  EXPECT_TRUE(is_row_major(Shape{{}, {}}.tensor()));
  EXPECT_TRUE(is_row_major(Shape{{2, 3, 4}, {12, 4, 1}}.tensor()));
  EXPECT_TRUE(is_row_major(Shape{{2, 1, 4}, {4, 77, 1}}.tensor()));
  EXPECT_TRUE(is_row_major(Shape{{2, 0, 4}, {9, 9, 9}}.tensor()));
  EXPECT_FALSE(is_row_major(Shape{{2, 3, 4}, {12, 1, 3}}.tensor()));
  EXPECT_FALSE(is_row_major(Shape{{2, 3}, {4, 1}}.tensor()));
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
