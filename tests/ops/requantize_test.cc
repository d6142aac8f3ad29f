// Requantization against its definition in 128 bits: random and edge sums, multipliers and shifts,
// each rule; as many as ARENITE_TEST_TRIPLES says, of each rule.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "portable_fallback/shared/requantization.h"
#include "tests/environment_count.h"
#include "tests/ops/wide.h"

namespace arenite {
namespace {

uint64_t triples() { return test::environment_count("ARENITE_TEST_TRIPLES", 100'000); }

class Triples {
 public:
  explicit Triples(uint32_t seed) : random_(seed) {}

  int32_t shift() { return kShiftMin + static_cast<int32_t>(random_() % 95); }
  // Most as the planner makes them, from 2^30 on.
  int32_t multiplier() {
    const auto drawn = static_cast<int32_t>(random_() >> 33);
    switch (random_() % 8) {
      case 0:
        return drawn;
      case 1:
        return kEdges[random_() % std::size(kEdges)];
      case 2:
        return drawn & -(1 << (random_() % 31));  // few bits: halves
      default:
        return drawn | 1 << 30;
    }
  }
  // Draws a sum of any size; many are near powers of two and halves.
  int64_t sum(int32_t bits) {
    const auto size = static_cast<int32_t>(1 + random_() % static_cast<uint32_t>(bits - 1));
    auto value = static_cast<int64_t>(random_() >> (64 - size));
    if (random_() % 4 == 0) value &= -(int64_t{1} << (random_() % 47));
    if (random_() % 16 == 0) value = (int64_t{1} << size) - static_cast<int64_t>(random_() % 3);
    if (random_() % 2 == 0) value = -value;
    const int64_t end = int64_t{1} << (bits - 1);
    return value < -end ? -end : value >= end ? end - 1 : value;
  }

 private:
  static constexpr int32_t kEdges[] = {0,          1,          2,          1 << 30,
                                       0x40000001, 0x7fffffff, 0x7ffeffff, 0x7fff0000,
                                       0x7ffe8000, 0x00018000, 0x55555555, 0x7ffffffe};
  std::mt19937_64 random_;
};

template <typename Sum>
void compare(Rounding rounding, int32_t bits) {
  Triples draw(static_cast<uint32_t>(rounding) * 100 + static_cast<uint32_t>(bits));
  for (uint64_t left = triples(); left != 0; --left) {
    const auto sum = static_cast<Sum>(draw.sum(bits));
    const int32_t multiplier = draw.multiplier();
    const int32_t shift = draw.shift();
    const int32_t got = requantized(sum, multiplier, shift, rounding);
    const int32_t expected = ops_test::requantized_by_definition(sum, multiplier, shift, rounding);
    ASSERT_EQ(got, expected) << sum << " * " << multiplier << " * 2^(" << shift << " - 31)";
  }
}

class Requantization128 : public testing::TestWithParam<Rounding> {};

TEST_P(Requantization128, OfSumsOf32Bits) { compare<int32_t>(GetParam(), 32); }
TEST_P(Requantization128, OfSumsOf63Bits) { compare<int64_t>(GetParam(), 63); }
// All of which count.
TEST_P(Requantization128, OfSumsOf48Bits) { compare<int64_t>(GetParam(), 48); }

INSTANTIATE_TEST_SUITE_P(Rules, Requantization128,
                         testing::Values(Rounding::kTfliteDouble, Rounding::kTfliteSingle,
                                         Rounding::kHalfEven, Rounding::kFloat32),
                         [](const testing::TestParamInfo<Rounding>& rule) -> std::string {
                           return rule.param == Rounding::kTfliteDouble   ? "TfliteDouble"
                                  : rule.param == Rounding::kTfliteSingle ? "TfliteSingle"
                                  : rule.param == Rounding::kHalfEven     ? "HalfEven"
                                                                          : "Float32";
                         });

TEST(Requantized, TakesShiftsBeyondTheLimitsAsTheLimits) {
  for (const Rounding rounding : {Rounding::kTfliteDouble, Rounding::kTfliteSingle,
                                  Rounding::kHalfEven, Rounding::kFloat32}) {
    for (const int32_t sum : {-1000, 1, 77}) {
      EXPECT_EQ(requantized(sum, 1 << 30, INT32_MAX, rounding),
                requantized(sum, 1 << 30, kShiftMax, rounding));
      EXPECT_EQ(requantized(sum, 1 << 30, INT32_MIN, rounding), 0);
      EXPECT_EQ(requantized(int64_t{sum}, 1 << 30, INT32_MIN, rounding), 0);
    }
  }
}

// Compares with this machine's floats: factors of 24 bits, results that floats hold.
TEST(Requantized, InFloat32IsTheProductOfFloats) {
  Triples draw(7);
  for (uint64_t left = triples(); left != 0; --left) {
    const auto sum = static_cast<int32_t>(draw.sum(32));
    const int32_t multiplier = draw.multiplier() & ~0x7f;
    const int32_t shift = draw.shift() % 8;
    const float product =
        static_cast<float>(sum) * std::ldexp(static_cast<float>(multiplier), shift - 31);
    if (!(std::fabs(product) < 0x1p31f)) continue;
    ASSERT_EQ(requantized(sum, multiplier, shift, Rounding::kFloat32),
              static_cast<int32_t>(std::nearbyint(product)))
        << sum << " * " << multiplier << " * 2^(" << shift << " - 31)";
  }
}

TEST(Finished, MovesAndLimits) {
  const Requantization output = {Rounding::kHalfEven, -3, -128, 100};
  EXPECT_EQ(finished(10, 1 << 30, 0, output), 2);
  EXPECT_EQ(finished(7, 1 << 30, 0, output), 1);  // 3.5 to 4
  EXPECT_EQ(finished(1000, 1 << 30, 0, output), 100);
  EXPECT_EQ(finished(INT32_MIN, 0x7fffffff, 31, output), -128);
  EXPECT_EQ(finished(INT32_MAX, 0x7fffffff, 31, {Rounding::kHalfEven, INT32_MAX, 0, INT32_MAX}),
            INT32_MAX);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
