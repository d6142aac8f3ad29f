// Our own float functions: how near they are to the exact values, and the same bits everywhere.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "portable_fallback/shared/double_math.h"
#include "portable_fallback/shared/float_rest.h"
#include "portable_fallback/shared/hyperbolic.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/power.h"
#include "portable_fallback/shared/rounding.h"
#include "portable_fallback/shared/small_float.h"
#include "portable_fallback/shared/trigonometry.h"

namespace arenite {
namespace {

constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();

struct Function {
  const char* name;
  float (*ours)(float);
  double (*exact)(double);
  float low, high;  // arguments tested
  double units;     // allowed error, in units of the last place of the nearest float
  uint64_t digest;  // of results over a spread of arguments
};

double units_off(float got, double exact) {
  if (std::isnan(exact)) return std::isnan(got) ? 0 : INFINITY;
  const auto nearest = static_cast<float>(exact);
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0 : INFINITY;
  const int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
  return std::fabs(static_cast<double>(got) - exact) / std::ldexp(1.0, exponent - 23);
}

class Math : public testing::TestWithParam<Function> {};

// Calls visit(x) for every `stride`th float of the range.
template <typename F>
void for_floats(const Function& f, uint32_t stride, F visit) {
  const auto side = [&](float from, float to) {
    for (uint32_t bits = std::bit_cast<uint32_t>(from); bits <= std::bit_cast<uint32_t>(to);
         bits += stride) {
      visit(bits);
    }
  };
  if (f.high > 0) side(std::max(f.low, 0.0f), f.high);
  if (f.low < 0) {
    const float near = f.high < 0 ? -f.high : 0.0f;
    for (uint32_t bits = std::bit_cast<uint32_t>(near); bits <= std::bit_cast<uint32_t>(-f.low);
         bits += stride) {
      visit(bits | 0x80000000u);
    }
  }
}

TEST_P(Math, IsNearTheExactValue) {
  const Function& f = GetParam();
  double worst = 0;
  float worst_at = 0;
  for_floats(f, 997, [&](uint32_t bits) {
    const float x = std::bit_cast<float>(bits);
    const double off = units_off(f.ours(x), f.exact(static_cast<double>(x)));
    if (!(off <= worst)) {
      worst = off;
      worst_at = x;
    }
  });
  EXPECT_LE(worst, f.units) << f.name << "(" << std::hexfloat << worst_at << ")";
  RecordProperty("worst_units", std::to_string(worst));
}

TEST_P(Math, KeepsNaN) {
  EXPECT_TRUE(std::isnan(GetParam().ours(std::numeric_limits<float>::quiet_NaN())));
}

// A compiler that reorders or fuses would change it.
TEST_P(Math, KeepsItsBits) {
  const Function& f = GetParam();
  uint64_t digest = 1469598103934665603u;
  for_floats(f, 99991, [&](uint32_t bits) {
    const float y = f.ours(std::bit_cast<float>(bits));
    digest = (digest ^ (std::isnan(y) ? 0x7fc00000u : std::bit_cast<uint32_t>(y))) * 1099511628211u;
  });
  EXPECT_EQ(digest, f.digest) << f.name;
}

INSTANTIATE_TEST_SUITE_P(
    Functions, Math,
    testing::Values(
        Function{"exp", exp_f32, std::exp, -103.97f, 88.722f, 1.0, 5888916756147503604u},
        Function{"log", log_f32, std::log, 0, kMax, 1.0, 17658937668563595359u},
        Function{"log1p", log1p_f32, std::log1p, -0.999f, kMax, 3.0, 7912496122913449056u},
        Function{"expm1", expm1_f32, std::expm1, -200, 89, 2.0, 9922914507088289030u},
        Function{"tanh", tanh_f32, std::tanh, -kMax, kMax, 2.0, 11876586264583040533u},
        Function{"erf", erf_f32, std::erf, -kMax, kMax, 2.0, 13631728524893852097u},
        Function{"sin", sin_f32, std::sin, -kMax, kMax, 2.0, 11245870035891325581u},
        Function{"cos", cos_f32, std::cos, -kMax, kMax, 2.0, 13301277580530818261u},
        Function{"tan", tan_f32, std::tan, -kMax, kMax, 4.0, 3192199399870972921u},
        Function{"atan", atan_f32, std::atan, -kMax, kMax, 3.0, 2702329976195053649u},
        Function{"asin", asin_f32, std::asin, -1.5f, 1.5f, 3.0, 10610462332853312193u},
        Function{"acos", acos_f32, std::acos, -1.5f, 1.5f, 3.0, 16048559481446714378u},
        Function{"sinh", sinh_f32, std::sinh, -kMax, kMax, 4.0, 1821431426224715555u},
        Function{"cosh", cosh_f32, std::cosh, -kMax, kMax, 4.0, 6756442091386602911u},
        Function{"asinh", asinh_f32, std::asinh, -kMax, kMax, 4.0, 12332902282468404521u},
        Function{"acosh", acosh_f32, std::acosh, 0.5f, kMax, 4.0, 7451398610739203372u},
        Function{"atanh", atanh_f32, std::atanh, -1.5f, 1.5f, 4.0, 8686179030376715379u},
        Function{"trunc", trunc_f32, std::trunc, -kMax, kMax, 0, 8206903865502482419u},
        Function{"floor", floor_f32, std::floor, -kMax, kMax, 0, 6053664384136582811u},
        Function{"ceil", ceil_f32, std::ceil, -kMax, kMax, 0, 1949473995644311339u},
        Function{"round_even", round_even_f32, std::nearbyint, -kMax, kMax, 0,
                 15957623392792498747u}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Exp, ReachesItsLimits) {
  EXPECT_EQ(exp_f32(0.0f), 1.0f);
  EXPECT_EQ(exp_f32(-0.0f), 1.0f);
  EXPECT_EQ(exp_f32(88.73f), kInfinity);
  EXPECT_EQ(exp_f32(kMax), kInfinity);
  EXPECT_EQ(exp_f32(kInfinity), kInfinity);
  EXPECT_EQ(exp_f32(-104.0f), 0.0f);
  EXPECT_EQ(exp_f32(-kMax), 0.0f);
  EXPECT_EQ(exp_f32(-kInfinity), 0.0f);
}

void expect_power(float x, float y) {
  const auto wanted = static_cast<double>(std::pow(static_cast<double>(x), static_cast<double>(y)));
  const float got = pow_f32(x, y);
  ASSERT_LE(units_off(got, wanted), 1.0) << x << "^" << y << " = " << got;
  ASSERT_EQ(std::signbit(got) && !std::isnan(got), std::signbit(wanted) && !std::isnan(wanted))
      << x << "^" << y;
}

TEST(Power, IsWithinOneUnitInTheLastPlace) {
  uint32_t state = 1;
  const auto random = [&] { return state = state * 1664525u + 1013904223u; };
  for (int i = 0; i < 400000; ++i) {
    // Exponents near those for which results stay in range.
    const float x = std::bit_cast<float>(random() & 0x7fffffffu);
    const float range = 160.0f / (std::fabs(std::log2(x)) + 1e-3f);
    const float y = (static_cast<float>(random()) / 2147483648.0f - 1.0f) * range;
    if (std::isnan(x)) continue;
    ASSERT_NO_FATAL_FAILURE(expect_power(x, y));
    ASSERT_NO_FATAL_FAILURE(expect_power(-x, std::round(y)));
  }
}

TEST(Power, KnowsTheSpecialCases) {
  const float values[] = {0.0f,  -0.0f, 1.0f,  -1.0f,  0.5f,        -0.5f,       2.0f,
                          -2.0f, 3.0f,  -3.0f, 2.5f,   -2.5f,       kInfinity,   -kInfinity,
                          kMax,  -kMax, kTiny, -kTiny, 16777215.0f, 16777216.0f, kNan};
  for (const float x : values) {
    for (const float y : values) ASSERT_NO_FATAL_FAILURE(expect_power(x, y));
  }
}

// In units of the last place of the double nearest to the exact value.
double units_off(double got, long double exact) {
  if (std::isnan(exact)) return std::isnan(got) ? 0 : INFINITY;
  const auto nearest = static_cast<double>(exact);
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0 : INFINITY;
  const int exponent = exact == 0 ? -1022 : std::max(std::ilogb(exact), -1022);
  return static_cast<double>(std::fabs(got - exact) / std::ldexp(1.0L, exponent - 52));
}

void expect_double_power(double x, double y) {
  const long double wanted = std::pow(static_cast<long double>(x), static_cast<long double>(y));
  const double got = pow_f64(x, y);
  ASSERT_LE(units_off(got, wanted), 1.0) << x << "^" << y << " = " << got;
  ASSERT_EQ(std::signbit(got) && !std::isnan(got), std::signbit(wanted) && !std::isnan(wanted))
      << x << "^" << y;
}

TEST(DoubleMath, IsWithinOneUnitInTheLastPlace) {
  uint64_t state = 1;
  const auto random = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (int i = 0; i < 300000; ++i) {
    const auto x = std::bit_cast<double>(random() & ~(uint64_t{1} << 63));
    const double share = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
    if (std::isnan(x)) continue;
    ASSERT_LE(units_off(log_f64(x), std::log(static_cast<long double>(x))), 1.0) << x;
    const double power = share * 750;
    ASSERT_LE(units_off(exp_f64(power), std::exp(static_cast<long double>(power))), 1.0) << power;
    const double range = 1100 / (std::fabs(std::log2(x)) + 1e-3);
    ASSERT_NO_FATAL_FAILURE(expect_double_power(x, share * range));
    ASSERT_NO_FATAL_FAILURE(expect_double_power(-x, std::round(share * range)));
    const double near_one = 1 + share * 0x1p-20;
    ASSERT_NO_FATAL_FAILURE(expect_double_power(near_one, power * 0x1p20));
  }
}

TEST(DoubleMath, KnowsTheSpecialCases) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  constexpr double kMost = std::numeric_limits<double>::max();
  const double values[] = {0.0,   -0.0,   1.0,    -1.0,    0.5,    -0.5,       2.0,
                           -2.0,  3.0,    -3.0,   2.5,     -2.5,   kInf,       -kInf,
                           kMost, -kMost, kLeast, -kLeast, 0x1p53, 0x1p53 - 1, std::nan("")};
  for (const double x : values) {
    for (const double y : values) ASSERT_NO_FATAL_FAILURE(expect_double_power(x, y));
    EXPECT_LE(units_off(log_f64(x), std::log(static_cast<long double>(x))), 1.0) << x;
    EXPECT_LE(units_off(exp_f64(x), std::exp(static_cast<long double>(x))), 1.0) << x;
  }
}

template <typename T>
void expect_rest(T x, T y) {
  const T wanted = std::fmod(x, y);
  const T got = float_rest(x, y);
  if (std::isnan(wanted)) {
    ASSERT_TRUE(std::isnan(got)) << x << " mod " << y;
  } else {
    ASSERT_EQ(got, wanted) << x << " mod " << y;
    ASSERT_EQ(std::signbit(got), std::signbit(wanted)) << x << " mod " << y;
  }
}

TEST(Rest, IsExact) {
  uint64_t state = 1;
  const auto random = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (int i = 0; i < 300000; ++i) {
    const auto bits = random();
    const auto more = random();
    expect_rest(std::bit_cast<double>(bits), std::bit_cast<double>(more));
    expect_rest(std::bit_cast<float>(static_cast<uint32_t>(bits >> 32)),
                std::bit_cast<float>(static_cast<uint32_t>(more >> 32)));
    // Numbers of no hidden bit.
    expect_rest(std::bit_cast<float>(static_cast<uint32_t>(bits >> 32)),
                std::bit_cast<float>(static_cast<uint32_t>(more >> 42)));
  }
  const float values[] = {0.0f,       -0.0f, 1.0f,  -1.0f, 0.5f,   3.0f, kInfinity,
                          -kInfinity, kMax,  -kMax, kTiny, -kTiny, kNan};
  for (const float x : values) {
    for (const float y : values) expect_rest(x, y);
  }
}

// Over all doubles: the same steps through their bits.
TEST(DoubleMath, RootsAreRoundedToTheNearest) {
  for (uint64_t bits = 0; bits < 0x7ff1000000000000u; bits += 0x00000321fedcba97u) {
    for (const double x : {std::bit_cast<double>(bits), -std::bit_cast<double>(bits)}) {
      ASSERT_EQ(units_off(sqrt_f64(x), static_cast<long double>(std::sqrt(x))), 0) << x;
    }
  }
  for (double x = 0.4; x < 4.5; x += 0.0000317) ASSERT_EQ(sqrt_f64(x), std::sqrt(x));
  for (const double x : {0.0, -0.0}) {
    EXPECT_EQ(std::signbit(sqrt_f64(x)), std::signbit(x));
  }
}

TEST(Rounding, KeepsTheSignOfZero) {
  EXPECT_TRUE(std::signbit(ceil_f32(-0.5f)));
  EXPECT_TRUE(std::signbit(trunc_f32(-0.5f)));
  EXPECT_TRUE(std::signbit(round_even_f32(-0.5f)));
  EXPECT_TRUE(std::signbit(floor_f32(-0.0f)));
  EXPECT_FALSE(std::signbit(floor_f32(0.5f)));
}

TEST(Rounding, TakesHalvesToEven) {
  EXPECT_EQ(round_even_f32(0.5f), 0.0f);
  EXPECT_EQ(round_even_f32(1.5f), 2.0f);
  EXPECT_EQ(round_even_f32(2.5f), 2.0f);
  EXPECT_EQ(round_even_f32(-3.5f), -4.0f);
}

template <SmallFloatFormat kFormat>
void expect_the_same_number_in_float32() {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float found = small_to_float<kFormat>(half);
    const double expected = small_to_double<kFormat>(half);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(found)) << bits;
    } else {
      ASSERT_EQ(std::bit_cast<uint64_t>(double{found}), std::bit_cast<uint64_t>(expected)) << bits;
    }
  }
}

TEST(SmallFloats, WidenToTheSameNumber) {
  expect_the_same_number_in_float32<kFloat16Format>();
  expect_the_same_number_in_float32<kBfloat16Format>();
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
