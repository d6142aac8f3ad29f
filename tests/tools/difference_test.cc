// Tests comparing tensors of the types that no program gives yet, and of extreme numbers.
#include "tools/io/difference.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>

namespace arenite::tools {
namespace {

template <typename T>
HostTensor tensor(DType dtype, const std::vector<T>& elements) {
  HostTensor result{dtype, {static_cast<uint32_t>(elements.size())}, {}};
  result.bytes.resize(elements.size() * sizeof(T));
  std::memcpy(result.bytes.data(), elements.data(), result.bytes.size());
  return result;
}

TEST(Difference, SmallFloatsMayDifferByTheirLastPlace) {
  const auto one = tensor<uint16_t>(DType::kFloat16, {0x3c00, 0x3800});   // 1, 0.5
  const auto next = tensor<uint16_t>(DType::kFloat16, {0x3c01, 0x3800});  // 1 + 2^-10
  const auto far = tensor<uint16_t>(DType::kFloat16, {0x3c03, 0x3800});
  EXPECT_TRUE(difference(one, next, {}).agrees());
  EXPECT_FALSE(difference(one, next, 0.0).agrees());
  EXPECT_FALSE(difference(one, far, {}).agrees());
  EXPECT_EQ(difference(one, next, {}).max_abs, 0x1p-10);
  const auto brain = tensor<uint16_t>(DType::kBfloat16, {0x3f80});  // 1
  EXPECT_TRUE(difference(brain, tensor<uint16_t>(DType::kBfloat16, {0x3f81}), {}).agrees());
  EXPECT_FALSE(difference(brain, tensor<uint16_t>(DType::kBfloat16, {0x3f84}), {}).agrees());
  EXPECT_EQ(number_at(brain, 0), 1.0);
}

TEST(Difference, IntegersAreComparedExactly) {
  using Limits = std::numeric_limits<int64_t>;
  const auto low = tensor<int64_t>(DType::kInt64, {Limits::min(), 5});
  const auto high = tensor<int64_t>(DType::kInt64, {Limits::max(), 5});
  EXPECT_EQ(difference(low, high, {}).max_abs, 0x1p64);
  EXPECT_EQ(difference(low, high, {}).worst->expected_text, "-9223372036854775808");
  const auto a = tensor<uint64_t>(DType::kUint64, {UINT64_MAX});
  const auto b = tensor<uint64_t>(DType::kUint64, {UINT64_MAX - 1});
  EXPECT_FALSE(difference(a, b, {}).agrees());
  EXPECT_EQ(difference(a, b, {}).max_abs, 1.0);
  EXPECT_EQ(
      difference(tensor<int8_t>(DType::kInt8, {-128}), tensor<int8_t>(DType::kInt8, {127}), {})
          .max_abs,
      255.0);
}

TEST(Difference, OneStepOfAQuantizedOutput) {
  const auto a = tensor<uint8_t>(DType::kUint8, {0, 255, 100});
  const auto b = tensor<uint8_t>(DType::kUint8, {1, 254, 100});
  EXPECT_FALSE(difference(a, b, {}).agrees());
  EXPECT_TRUE(difference(a, b, 1.0 / 255).agrees());
  const auto c = tensor<uint8_t>(DType::kUint8, {2, 255, 100});
  EXPECT_TRUE(difference(a, b, Tolerance(1, true)).agrees());
  EXPECT_FALSE(difference(a, c, Tolerance(1, true)).agrees());
  EXPECT_TRUE(difference(a, c, Tolerance(2, true)).agrees());
  const auto x = tensor<float>(DType::kFloat32, {1});
  EXPECT_FALSE(difference(x, tensor<float>(DType::kFloat32, {1.5f}), Tolerance(1, true)).agrees());
}

TEST(Difference, TolerancesAreNumbersOrSteps) {
  for (const char* good : {"0", "1e-4", "1step", "3steps", "0step"}) {
    EXPECT_EQ(tolerance_problem(good), "") << good;
  }
  for (const char* bad : {"", "step", "steps", "1.5step", "-1step", "1 step", "-1", "nan", "1x"}) {
    EXPECT_NE(tolerance_problem(bad), "") << bad;
  }
  EXPECT_FALSE(parse_tolerance("").has_value());
  EXPECT_EQ(parse_tolerance("3steps")->number, 3);
  EXPECT_TRUE(parse_tolerance("3steps")->steps);
  EXPECT_FALSE(parse_tolerance("0.5")->steps);
}

TEST(Difference, BoolsAreEqualOrNot) {
  const auto yes = tensor<uint8_t>(DType::kBool, {1, 0});
  const auto no = tensor<uint8_t>(DType::kBool, {0, 0});
  EXPECT_TRUE(difference(yes, yes, 1.0).agrees());
  EXPECT_FALSE(difference(yes, no, 1.0).agrees());
}

TEST(Difference, NothingAgreesWithNothing) {
  const HostTensor none{DType::kFloat32, {0, 3}, {}};
  EXPECT_TRUE(difference(none, none, {}).agrees());
  EXPECT_EQ(difference(none, HostTensor{DType::kFloat32, {3, 0}, {}}, {}).form,
            "expected float32[0,3], found float32[3,0]");
}

TEST(Difference, ToleranceIsANumberOfAtLeastZero) {
  for (const char* text : {"0", "1e-5", "2", ".5"}) EXPECT_EQ(tolerance_problem(text), "") << text;
  for (const char* text : {"", "-1", "nan", "inf", "1e-5x", "five"}) {
    EXPECT_NE(tolerance_problem(text), "") << text;
  }
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
