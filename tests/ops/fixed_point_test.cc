// Fixed-point functions: near the real ones, and bit for bit gemmlowp's, of whose results over the
// whole range these are the sums (FNV-1a over whole numbers).
#include "portable_fallback/shared/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>

namespace arenite {
namespace {

class Sum {
 public:
  void add(int64_t number) { sum_ = (sum_ ^ static_cast<uint64_t>(number)) * 0x100000001b3ull; }
  uint64_t value() const { return sum_; }

 private:
  uint64_t sum_ = 0xcbf29ce484222325ull;
};

// The greatest distance from the real function, and the sum of all results.
struct Seen {
  double error = 0;
  Sum sum;

  void add(int64_t result, double unit, double real) {
    error = std::fmax(error, std::fabs(static_cast<double>(result) / unit - real));
    sum.add(result);
  }
};

struct Expected {
  uint64_t exp, logistic, tanh;
};

// Every int16_t, or 65,536 of int32_t.
template <typename Raw, int32_t kInteger>
void compare(const Expected& expected, double tolerance) {
  const bool wide = sizeof(Raw) == 4;
  const double unit = std::ldexp(1.0, wide ? 31 : 15);
  Seen exp;
  Seen logistic;
  Seen tanh;
  for (int32_t k = -32768; k < 32768; ++k) {
    const auto x = static_cast<Raw>(wide ? int64_t{k} * 65536 + ((k & 1) != 0 ? 12345 : 0) : k);
    const double real = static_cast<double>(x) / std::ldexp(unit, -kInteger);
    if (x <= 0) exp.add(fixed_point::exp_of_negative<kInteger>(x), unit, std::exp(real));
    logistic.add(fixed_point::logistic<kInteger>(x), unit, 1 / (1 + std::exp(-real)));
    tanh.add(fixed_point::tanh<kInteger>(x), unit, std::tanh(real));
  }
  EXPECT_EQ(exp.sum.value(), expected.exp);
  EXPECT_EQ(logistic.sum.value(), expected.logistic);
  EXPECT_EQ(tanh.sum.value(), expected.tanh);
  EXPECT_LT(exp.error, tolerance);
  EXPECT_LT(logistic.error, tolerance);
  EXPECT_LT(tanh.error, tolerance);
}

TEST(FixedPoint, Of16BitsIsGemmlowps) {
  compare<int16_t, 0>({0x26fe678109353ed2ull, 0x241ffaa0c0683a89ull, 0x2893e47288c33441ull}, 4e-4);
  compare<int16_t, 3>({0x8ae049f289c6ea34ull, 0xcc77ab6629a914a1ull, 0x91ae6faca3a7e89cull}, 4e-4);
  compare<int16_t, 6>({0x5d25e060feec9d87ull, 0x10a03f714191e7c2ull, 0x80a885b1a7708e4cull}, 4e-4);
}

TEST(FixedPoint, Of32BitsIsGemmlowps) {
  compare<int32_t, 0>({0x1887b3ae8887070eull, 0x4dea392006a45381ull, 0x83e903432da1d3c1ull}, 3e-7);
  compare<int32_t, 4>({0x6859b2e91fd8d8c2ull, 0x0a8d2e06f07dcd85ull, 0x9b7f04557ee846d0ull}, 3e-7);
  compare<int32_t, 5>({0x75e2a4a47b691e6full, 0xa04cf78e1ad0fe94ull, 0x43f911c0147b9a5dull}, 3e-7);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
