// Strides: which reshapes need no copy, and what orders mean.
#include "planner/graph/strides.h"

#include <gtest/gtest.h>

namespace arenite::planner {
namespace {

using Words = std::vector<uint32_t>;

TEST(Strides, ChannelsLastPutsDimOneInnermost) {
  EXPECT_EQ(dense_in_order({2, 3, 4, 5}, channels_last_order(4)).strides, (Words{60, 1, 15, 3}));
  EXPECT_EQ(dense_in_order({2, 3, 4}, channels_last_order(3)).strides, (Words{12, 1, 3}));
  EXPECT_EQ(dense_in_order({2, 3}, channels_last_order(2)).strides, (Words{3, 1}));
}

TEST(Strides, OrderOfUndoesDenseInOrder) {
  for (const Order& order : {Order{0, 2, 3, 1}, Order{3, 1, 0, 2}, Order{0, 1, 2, 3}}) {
    EXPECT_EQ(order_of(dense_in_order({2, 3, 4, 5}, order)), order);
  }
  EXPECT_EQ(order_of(dense_in_order({1, 3, 1, 5}, channels_last_order(4))), (Order{0, 3, 1, 2}));
}

TEST(Strides, SplittingADimIsAlwaysInPlace) {
  const Strided x = dense_in_order({1, 6, 2, 2}, channels_last_order(4));
  const auto y = reshape_in_place(x, {1, 2, 3, 2, 2});
  ASSERT_TRUE(y.has_value());
  EXPECT_EQ(y->strides, (Words{24, 3, 1, 12, 6}));
}

TEST(Strides, JoiningNeedsDimsThatFollowEachOther) {
  const Strided channels_last = dense_in_order({1, 6, 2, 2}, channels_last_order(4));
  EXPECT_FALSE(reshape_in_place(channels_last, {1, 24}).has_value());
  EXPECT_TRUE(reshape_in_place(row_major({1, 6, 2, 2}), {1, 24}).has_value());
  // Channels last and seen so: row-major again.
  const Strided seen = transposed(channels_last, {0, 2, 3, 1});
  ASSERT_TRUE(reshape_in_place(seen, {4, 6}).has_value());
  EXPECT_EQ(reshape_in_place(seen, {4, 6})->strides, (Words{6, 1}));
  // Height and width follow each other in channels-last memory, channels do not follow them.
  const auto pixels = reshape_in_place(channels_last, {1, 6, 4});
  ASSERT_TRUE(pixels.has_value());
  EXPECT_EQ(pixels->strides[1], 1u);
  EXPECT_EQ(pixels->strides[2], 6u);
}

TEST(Strides, DimsOfOneNeverMatter) {
  const Strided pooled = dense_in_order({1, 7, 1, 1}, channels_last_order(4));
  const auto flat = reshape_in_place(pooled, {7});
  ASSERT_TRUE(flat.has_value());
  EXPECT_EQ(flat->strides, (Words{1}));
  EXPECT_TRUE(same_elements(pooled, row_major({1, 7, 1, 1})));
}

TEST(Strides, RepeatedElementsJoinOnlyAmongThemselves) {
  Strided repeated = row_major({2, 3});
  repeated.strides = {0, 0};
  ASSERT_TRUE(reshape_in_place(repeated, {6}).has_value());
  EXPECT_EQ(reshape_in_place(repeated, {6})->strides, (Words{0}));
  repeated.strides = {0, 1};
  EXPECT_FALSE(reshape_in_place(repeated, {6}).has_value());
}

TEST(Strides, EmptyValuesReshapeAndSpanNothing) {
  EXPECT_TRUE(reshape_in_place(row_major({0, 3}), {5, 0}).has_value());
  EXPECT_EQ(span_elements(row_major({0, 3})), 0u);
  EXPECT_EQ(span_elements(row_major({})), 1u);
  EXPECT_EQ(span_elements(row_major({2, 3})), 6u);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
