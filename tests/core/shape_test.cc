// Extents and strides of tensors, at the edges of 32 and 64 bits.
#include "core/shape.h"

#include <gtest/gtest.h>

#include <vector>

namespace arenite {
namespace {

struct Shape {
  std::vector<uint32_t> dims, strides;

  // Valid until the next one of this shape.
  Tensor tensor(DType dtype = DType::kFloat32, uint32_t bytes = 0) const {
    record.dtype = static_cast<uint8_t>(dtype);
    record.rank = static_cast<uint8_t>(dims.size());
    record.bytes = bytes;
    return {nullptr, dims.data(), strides.data(), &record};
  }

  mutable format::ElementsRecord record{};
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
  // Whether there are few enough: all lie in the same four bytes.
  const auto fits = [](const Shape& shape) {
    std::vector<uint32_t> words = shape.dims;
    words.insert(words.end(), shape.strides.begin(), shape.strides.end());
    return holds_elements(*shape.tensor(DType::kFloat32, 4).record, words.data(), 4, false);
  };
  EXPECT_TRUE(fits(Shape{{0x7fffffff}, {0}}));
  EXPECT_FALSE(fits(Shape{{0x80000000}, {0}}));
  EXPECT_FALSE(fits(Shape{{0x10000, 0x8000}, {0, 0}}));
  // Loops over the other dims would be as long as if the 0 were not there.
  EXPECT_FALSE(fits(Shape{{0x10000, 0, 0x8000}, {0, 0, 0}}));
  const Shape all{std::vector<uint32_t>(8, kMost), std::vector<uint32_t>(8, 0)};
  EXPECT_FALSE(fits(all));
}

TEST(Shape, ElementsApart) {
  const auto apart = [](const Shape& shape) {
    std::vector<uint32_t> words = shape.dims;
    words.insert(words.end(), shape.strides.begin(), shape.strides.end());
    return holds_elements(*shape.tensor(DType::kFloat32, 1u << 20).record, words.data(), 4, true);
  };
  for (const Shape& good : {Shape{{}, {}}, Shape{{4}, {1}}, Shape{{1}, {0}}, Shape{{2, 3}, {3, 1}},
                            Shape{{2, 3}, {1, 2}}, Shape{{2, 3}, {100, 7}}, Shape{{3, 2}, {2, 1}},
                            Shape{{1, 3}, {1, 1}}, Shape{{2, 1, 3}, {3, 0, 1}},
                            Shape{{0, 4}, {0, 0}}, Shape{{2, 3, 4}, {4, 8, 1}}}) {
    EXPECT_TRUE(apart(good)) << testing::PrintToString(good.dims);
  }
  for (const Shape& bad :
       {Shape{{4}, {0}}, Shape{{512, 16}, {1, 1}}, Shape{{2, 3}, {2, 1}}, Shape{{2, 3}, {1, 1}},
        Shape{{2, 2, 2}, {4, 1, 1}}, Shape{{2, 2, 2}, {2, 2, 1}}, Shape{{2, 3, 4}, {3, 8, 1}}}) {
    EXPECT_FALSE(apart(bad)) << testing::PrintToString(bad.dims);
  }
}

TEST(Shape, RowMajor) {
  EXPECT_TRUE(is_row_major(Shape{{}, {}}.tensor()));
  EXPECT_TRUE(is_row_major(Shape{{2, 3, 4}, {12, 4, 1}}.tensor()));
  EXPECT_TRUE(is_row_major(Shape{{2, 1, 4}, {4, 77, 1}}.tensor()));
  EXPECT_TRUE(is_row_major(Shape{{2, 0, 4}, {9, 9, 9}}.tensor()));
  EXPECT_FALSE(is_row_major(Shape{{2, 3, 4}, {12, 1, 3}}.tensor()));
  EXPECT_FALSE(is_row_major(Shape{{2, 3}, {4, 1}}.tensor()));
}

// Parts of channels-last [.., 3 of 10] and [.., 4 of 10] storage, in elements of four bytes.
TEST(Shape, PartsOfAConcatenationShareNoElement) {
  const Shape three{{1, 3, 2, 5}, {100, 1, 50, 10}}, four{{1, 4, 2, 5}, {100, 1, 50, 10}};
  EXPECT_TRUE(share_no_element(three.tensor(), 0, four.tensor(), 12));
  EXPECT_TRUE(share_no_element(four.tensor(), 12, three.tensor(), 28));
  EXPECT_FALSE(share_no_element(four.tensor(), 8, three.tensor(), 0)) << "one channel in common";
  EXPECT_FALSE(share_no_element(three.tensor(), 0, three.tensor(), 0));
  // Across the end of a pixel: channels 8, 9 and the next pixel's 0.
  EXPECT_TRUE(share_no_element(three.tensor(), 32, four.tensor(), 12));
  EXPECT_FALSE(share_no_element(three.tensor(), 32, four.tensor(), 0));
  // Dims joined: ten pixels in one dim.
  EXPECT_TRUE(share_no_element(Shape{{10, 3}, {10, 1}}.tensor(), 0, four.tensor(), 12));
  // The same places whatever the batch, but other strides between pixels.
  EXPECT_FALSE(share_no_element(Shape{{10, 3}, {12, 1}}.tensor(), 0, four.tensor(), 12));
}

TEST(Shape, RangesAndEmptyTensorsShareNoElement) {
  const Shape a{{2, 3}, {3, 1}}, b{{5}, {1}}, none{{0, 3}, {3, 1}}, repeated{{9, 2}, {0, 1}};
  EXPECT_TRUE(share_no_element(a.tensor(), 0, b.tensor(), 24));
  EXPECT_FALSE(share_no_element(a.tensor(), 0, b.tensor(), 20));
  EXPECT_TRUE(share_no_element(a.tensor(), 0, none.tensor(), 0));
  EXPECT_TRUE(share_no_element(repeated.tensor(), 0, b.tensor(), 8));
  EXPECT_FALSE(share_no_element(repeated.tensor(), 0, b.tensor(), 4));
  EXPECT_FALSE(share_no_element(Shape{{2}, {5}}.tensor(), 0, Shape{{2}, {7}}.tensor(), 4))
      << "not shown by any period, so not taken for granted";
  EXPECT_TRUE(
      share_no_element(Shape{{2}, {1}}.tensor(DType::kUint8), 0, Shape{{1}, {1}}.tensor(), 4));
}

// Compared with the elements themselves, over all small pairs of a kind.
TEST(Shape, NoSharedElementIsNeverClaimedWrongly) {
  uint32_t claimed = 0;
  for (uint32_t n = 0; n < 20000; ++n) {
    uint32_t state = n * 2654435761u + 1;
    const auto next = [&state](uint32_t most) {
      state = state * 1664525u + 1013904223u;
      return (state >> 16) % (most + 1);
    };
    Shape shapes[2];
    uint32_t offsets[2];
    std::vector<bool> touched[2];
    for (int k = 0; k < 2; ++k) {
      touched[k].assign(512, false);
      shapes[k] = {{1 + next(3), 1 + next(3)}, {next(12), next(4)}};
      offsets[k] = next(20);
      for (uint32_t i = 0; i < shapes[k].dims[0]; ++i) {
        for (uint32_t j = 0; j < shapes[k].dims[1]; ++j) {
          const uint32_t at = i * shapes[k].strides[0] + j * shapes[k].strides[1] + offsets[k];
          touched[k][at] = true;
        }
      }
    }
    if (!share_no_element(shapes[0].tensor(DType::kUint8), offsets[0],
                          shapes[1].tensor(DType::kUint8), offsets[1])) {
      continue;
    }
    ++claimed;
    for (size_t i = 0; i < touched[0].size(); ++i) {
      ASSERT_FALSE(touched[0][i] && touched[1][i]) << "pair " << n << ", byte " << i;
    }
  }
  EXPECT_GT(claimed, 1000u);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
