// Checks that dims compute as numbers do, and that what depends on the run is asked for, not
// guessed.
#include "planner/graph/dims.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "planner/graph/names.h"

namespace arenite::planner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A number is taken out of a dim by name alone.
static_assert(std::is_convertible_v<int64_t, Dim> && std::is_convertible_v<uint32_t, Dim>);
static_assert(!std::is_convertible_v<Dim, int64_t> && !std::is_constructible_v<int64_t, Dim>);
static_assert(!std::is_convertible_v<Dim, bool> && !std::is_convertible_v<bool, Dim>);
static_assert(!std::is_convertible_v<Dims, std::vector<uint32_t>>);
static_assert(!std::is_convertible_v<Comparison, bool>);

TEST(Dims, ComputesAsNumbersDo) {
  const Dim a = 7, b = 3;
  EXPECT_EQ(bound(a + b), 10);
  EXPECT_EQ(bound(b - a), -4);
  EXPECT_EQ(bound(a * b), 21);
  EXPECT_EQ(bound(a / b), 2);
  EXPECT_EQ(bound((b - a) / b), -1);
  EXPECT_EQ(bound(a % b), 1);
  EXPECT_EQ(bound(ceil_div(a, b)), 3);
  EXPECT_EQ(bound(ceil_div(6, b)), 2);
  EXPECT_EQ(bound(max(a, b)), 7);
  EXPECT_EQ(bound(min(a, b)), 3);
  Dim c = a;
  c += 1;
  c *= 2;
  c -= 1;
  c /= 4;
  EXPECT_EQ(bound(c), 3);
  EXPECT_EQ(dim_text(a), "7");
}

TEST(Dims, ProductsBesideAnEmptyDimWrap) {
  const Dims dims = {0x7fffffff, 0x7fffffff, 0x7fffffff, 0};
  EXPECT_EQ(bound(product(dims)), 0);
}

TEST(Dims, ComparisonsOfNumbersHoldAlwaysOrNever) {
  const Dim a = 7, b = 3;
  EXPECT_TRUE(always(a == 7) && never(a == b));
  EXPECT_TRUE(always(a != b) && never(a != 7));
  EXPECT_TRUE(always(b < a) && never(a < b) && never(a < 7));
  EXPECT_TRUE(always(a > b) && never(b > a));
  EXPECT_TRUE(always(a <= 7) && never(a <= b));
  EXPECT_TRUE(always(a >= 7) && never(b >= a));
  EXPECT_TRUE(asked(a == 7));
  EXPECT_FALSE(asked(a == b));
}

// Count 0 of at most 12, and another one.
const Dim kCount = Dim::counted(0, 12);
const Dim kOther = Dim::counted(1, 12);

TEST(Dims, MultiplesOfACountAreDims) {
  EXPECT_EQ(bound(kCount), 12);
  EXPECT_EQ(dim_text(kCount), "0..12");
  EXPECT_EQ(multiple_of(kCount), (Multiple{0, 1}));
  EXPECT_EQ(multiple_of(kCount * 3), (Multiple{0, 3}));
  EXPECT_EQ(multiple_of(3 * kCount), (Multiple{0, 3}));
  EXPECT_EQ(multiple_of(kCount + kCount), (Multiple{0, 2}));
  EXPECT_EQ(multiple_of(3 * kCount - kCount), (Multiple{0, 2}));
  EXPECT_EQ(multiple_of(kCount * 6 / 2), (Multiple{0, 3}));
  EXPECT_EQ(bound(kCount * 6 / 2), 36);
  EXPECT_EQ(multiple_of(kCount + 0), multiple_of(kCount));
  EXPECT_EQ(multiple_of(max(kCount, 1)), multiple_of(kCount));
  EXPECT_EQ(multiple_of(min(kCount, 12)), multiple_of(kCount));
  EXPECT_EQ(multiple_of(7), std::nullopt);
}

TEST(Dims, NumbersComeBackFromCounts) {
  EXPECT_TRUE(always(kCount - kCount == 0));
  EXPECT_TRUE(always(kCount * 0 == 0));
  EXPECT_TRUE(always(kCount * 6 / kCount == 6));
  EXPECT_TRUE(always(kCount * 6 % 3 == 0));
  EXPECT_TRUE(always(max(kCount, 12) == 12));
}

TEST(Dims, WhatIsNoMultipleIsMixed) {
  for (const Dim& dim : {kCount + 1, kCount - 1, kCount + kOther, kCount * kOther, kCount / 5,
                         kCount % 5, max(kCount, 5), min(kCount, 5), kCount - 2 * kCount}) {
    EXPECT_TRUE(is_mixed(dim)) << dim_text(dim);
    EXPECT_EQ(multiple_of(dim), std::nullopt);
  }
  EXPECT_EQ(bound(kCount + 1), 13);
  EXPECT_EQ(bound(kCount + kOther), 24);
  EXPECT_EQ(bound(kCount % 5), 4);
}

TEST(Dims, ACountIsNeither0Nor1) {
  EXPECT_TRUE(never(kCount == 0) && never(kCount == 1) && never(kCount == 13));
  EXPECT_TRUE(always(kCount == kCount) && always(kCount != 1));
  EXPECT_TRUE(always(kCount > 0) && always(kCount < 13) && always(kCount <= 12));
  EXPECT_EQ((kCount == 12).truth(), Truth::kDepends);
  EXPECT_EQ((kCount == kOther).truth(), Truth::kDepends);
  EXPECT_EQ((kCount < 12).truth(), Truth::kDepends);
  EXPECT_EQ((kCount > 5).truth(), Truth::kDepends);
}

TEST(Dims, ABakedCountNamesWhatNeedsANumber) {
  try {
    static_cast<void>(baked(kCount, "a table"));
    FAIL() << "a number was given";
  } catch (const UnsupportedError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a table needs a number, and a dim of 0..12 depends"));
  }
}

TEST(Dims, WhatDependsIsNeitherAlwaysNorNeverAndAskingThrows) {
  const Comparison open(Truth::kDepends, "n == 4");
  EXPECT_FALSE(always(open));
  EXPECT_FALSE(never(open));
  try {
    (void)asked(open);
    FAIL() << "an answer was given";
  } catch (const UnsupportedError& error) {
    EXPECT_THAT(error.what(), HasSubstr("n == 4"));
    EXPECT_FALSE(error.instead.empty());
  }
}

TEST(Dims, ListsAreEqualWhereRankAndEachDimAre) {
  const Dims dims = {1, 3, 224};
  EXPECT_TRUE(always(dims == std::vector<uint32_t>{1, 3, 224}));
  EXPECT_TRUE(always(dims == std::vector<int64_t>{1, 3, 224}));
  EXPECT_TRUE(never(dims == Dims{1, 3}));
  EXPECT_TRUE(never(dims == Dims{1, 3, 225}));
  EXPECT_TRUE(always(dims != Dims{1, 3, 225}));
  EXPECT_TRUE(never(dims != Dims{1, 3, 224}));
  EXPECT_TRUE(always(Dims{} == Dims{}));
}

TEST(Dims, GiveTheirNumbersByName) {
  const Dims dims = {1, 3, 224};
  EXPECT_EQ(bound(product(dims)), 672);
  EXPECT_EQ(bound(product({})), 1);
  EXPECT_THAT(bounds(dims), ElementsAre(1, 3, 224));
  EXPECT_THAT(baked(dims, "a test"), ElementsAre(1, 3, 224));
  EXPECT_EQ(baked(dims[2], "a test"), 224);
  EXPECT_EQ(dims_text(dims), "[1, 3, 224]");
  EXPECT_EQ(dims_text(Dims{}), "[]");
}

TEST(Dims, ListsAreEditedAsVectorsAre) {
  Dims dims(2, 5);
  dims.push_back(7);
  dims.insert(dims.begin(), {1, 2});
  dims.erase(dims.begin() + 1);
  EXPECT_THAT(bounds(dims), ElementsAre(1, 5, 5, 7));
  const Dims inner(dims.begin() + 1, dims.end());
  EXPECT_THAT(bounds(inner), ElementsAre(5, 5, 7));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
