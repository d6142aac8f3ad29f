// Cases of family unary, and what each member computes: a row for each, by ONNX's definition.
#include <cmath>

#include "core/contract.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

struct Unary {
  Number (*function)(const UnaryAttributes& a, Number x);
  double tolerance = 0;
  double low = -9, high = 9;  // of the numbers in most cases
  double wide = 110;          // of one case, to both sides
  std::vector<UnaryAttributes> attributes = {{}};
};

const Unary kSigmoid = {
    .function = [](const UnaryAttributes&, Number x) { return 1 / (1 + std::exp(-x)); },
    .tolerance = 2e-7};

const Unary kHardSigmoid = {
    .function =
        [](const UnaryAttributes& a, Number x) {
          return std::isnan(x) ? x : std::fmax(0.0L, std::fmin(1.0L, a.alpha * x + a.beta));
        },
    .tolerance = 1e-6,
    .attributes = {{0.2f, 0.5f}, {1.0f / 6, 0.5f}, {-0.7f, 0.25f}}};

const Unary kSqrt = {.function = [](const UnaryAttributes&, Number x) { return std::sqrt(x); },
                     .tolerance = 2e-7};
const Unary kExp = {.function = [](const UnaryAttributes&, Number x) { return std::exp(x); },
                    .tolerance = 3e-7};
const Unary kLog = {.function = [](const UnaryAttributes&, Number x) { return std::log(x); },
                    .tolerance = 2e-7};
const Unary kErf = {.function = [](const UnaryAttributes&, Number x) { return std::erf(x); },
                    .tolerance = 2e-7};
const Unary kTanh = {.function = [](const UnaryAttributes&, Number x) { return std::tanh(x); },
                     .tolerance = 2e-7};
const Unary kAbs = {.function = [](const UnaryAttributes&, Number x) { return std::fabs(x); }};
const Unary kNeg = {.function = [](const UnaryAttributes&, Number x) { return -x; }};
const Unary kFloor = {.function = [](const UnaryAttributes&, Number x) { return std::floor(x); }};
const Unary kCeil = {.function = [](const UnaryAttributes&, Number x) { return std::ceil(x); }};
// Halves to even: the mode that programs start in.
const Unary kRound = {.function = [](const UnaryAttributes&, Number x) { return std::rint(x); }};
const Unary kSign = {.function = [](const UnaryAttributes&, Number x) -> Number {
  return x > 0 ? 1 : x < 0 ? -1 : x;
}};
const Unary kReciprocal = {.function = [](const UnaryAttributes&, Number x) { return 1 / x; },
                           .tolerance = 2e-7};
const Unary kSin = {.function = [](const UnaryAttributes&, Number x) { return std::sin(x); },
                    .tolerance = 2e-7,
                    .wide = 1e9};
const Unary kCos = {.function = [](const UnaryAttributes&, Number x) { return std::cos(x); },
                    .tolerance = 2e-7,
                    .wide = 1e9};
const Unary kLeakyRelu = {
    .function = [](const UnaryAttributes& a, Number x) { return x < 0 ? a.alpha * x : x; },
    .tolerance = 2e-7,
    .attributes = {{0.01f, 0}, {-0.5f, 0}}};
const Unary kThresholdedRelu = {
    .function = [](const UnaryAttributes& a, Number x) { return x > a.alpha ? x : 0; },
    .attributes = {{1.0f, 0}, {-0.5f, 0}}};
const Unary kElu = {.function = [](const UnaryAttributes& a,
                                   Number x) { return x < 0 ? a.alpha * std::expm1(x) : x; },
                    .tolerance = 3e-7,
                    .attributes = {{1.0f, 0}, {2.5f, 0}}};
const Unary kSelu = {
    .function = [](const UnaryAttributes& a,
                   Number x) { return a.beta * (x < 0 ? a.alpha * std::expm1(x) : x); },
    .tolerance = 5e-7,
    .attributes = {{1.67326319217681884765625f, 1.05070102214813232421875f}, {2.0f, 3.0f}}};
const Unary kCelu = {
    .function = [](const UnaryAttributes& a,
                   Number x) { return x < 0 ? a.alpha * std::expm1(x / a.alpha) : x; },
    .tolerance = 5e-7,
    .attributes = {{1.0f, 0}, {2.5f, 0}}};
const Unary kSoftplus = {
    .function =
        [](const UnaryAttributes&, Number x) {
          return std::isnan(x) ? x : std::fmax(x, 0.0L) + std::log1p(std::exp(-std::fabs(x)));
        },
    .tolerance = 3e-7};
const Unary kSoftsign = {
    .function = [](const UnaryAttributes&, Number x) { return x / (1 + std::fabs(x)); },
    .tolerance = 3e-7};
const Unary kHardSwish = {
    .function =
        [](const UnaryAttributes&, Number x) {
          return std::isnan(x) ? x : x * std::fmax(0.0L, std::fmin(1.0L, x / 6 + 0.5L));
        },
    .tolerance = 1e-6};

const Unary kMish = {.function = [](const UnaryAttributes&,
                                    Number x) { return x * std::tanh(std::log1p(std::exp(x))); },
                     .tolerance = 8e-7};
const Unary kGelu = {.function =
                         [](const UnaryAttributes& a, Number x) {
                           if (a.alpha == 0) return x / 2 * (1 + std::erf(x * std::sqrt(0.5L)));
                           const Number inner =
                               std::sqrt(2 / 3.14159265358979323846L) * (x + 0.044715L * x * x * x);
                           return x / 2 * (1 + std::tanh(inner));
                         },
                     .tolerance = 1.2e-6,
                     .attributes = {{0, 0}, {1, 0}}};
const Unary kTan = {.function = [](const UnaryAttributes&, Number x) { return std::tan(x); },
                    .tolerance = 5e-7,
                    .wide = 1e9};
const Unary kAsin = {.function = [](const UnaryAttributes&, Number x) { return std::asin(x); },
                     .tolerance = 5e-7,
                     .low = -1,
                     .high = 1};
const Unary kAcos = {.function = [](const UnaryAttributes&, Number x) { return std::acos(x); },
                     .tolerance = 5e-7,
                     .low = -1,
                     .high = 1};
const Unary kAtan = {.function = [](const UnaryAttributes&, Number x) { return std::atan(x); },
                     .tolerance = 5e-7};
const Unary kSinh = {.function = [](const UnaryAttributes&, Number x) { return std::sinh(x); },
                     .tolerance = 5e-7};
const Unary kCosh = {.function = [](const UnaryAttributes&, Number x) { return std::cosh(x); },
                     .tolerance = 5e-7};
const Unary kAsinh = {.function = [](const UnaryAttributes&, Number x) { return std::asinh(x); },
                      .tolerance = 5e-7,
                      .wide = 1e9};
const Unary kAcosh = {.function = [](const UnaryAttributes&, Number x) { return std::acosh(x); },
                      .tolerance = 5e-7,
                      .low = -1,
                      .wide = 1e9};
const Unary kAtanh = {.function = [](const UnaryAttributes&, Number x) { return std::atanh(x); },
                      .tolerance = 5e-7,
                      .low = -1,
                      .high = 1};
const Unary kShrink = {.function = [](const UnaryAttributes& a, Number x) -> Number {
                         return x < -a.alpha ? x + a.beta : x > a.alpha ? x - a.beta : 0;
                       },
                       .tolerance = 2e-7,
                       .attributes = {{0.5f, 0}, {1.5f, 1.5f}}};
const Unary kSwish = {
    .function = [](const UnaryAttributes& a, Number x) { return x / (1 + std::exp(-a.alpha * x)); },
    .tolerance = 8e-7,
    .attributes = {{1, 0}, {1.702f, 0}, {-0.5f, 0}}};
const Unary kLogicalNot = {
    .function = [](const UnaryAttributes&, Number x) -> Number { return x == 0 ? 1 : 0; }};

// The bits as a number below 0, of which other types have the lowest.
const Unary kBitwiseNot = {.function = [](const UnaryAttributes&, Number x) { return -x - 1; }};

OpCase unary(const Unary& member, std::string name, Operand x) {
  OpCase c;
  c.name = std::move(name);
  c.tolerance = member.tolerance;
  c.attributes = words(member.attributes[0]);
  c.inputs = {ranged(x, member.low, member.high)};
  c.outputs = {std::move(x)};
  return c;
}

// The numbers of an integer type, its ends among them.
OpCase typed_unary(OpCase c, const NamedType& type) {
  c.name = type.name;
  for (Operand* operand : {&c.inputs[0], &c.outputs[0]}) operand->dtype = type.dtype;
  if (is_float(type.dtype)) {
    c.tolerance += half_unit(type.dtype);
    if (type.dtype == DType::kFloat64 && c.tolerance != 0) c.tolerance = 4e-16;
    c.inputs[0].specials = {0.0L, -0.0L, __builtin_infl(), -__builtin_infl(), __builtin_nanl("")};
    return c;
  }
  if (lowest_of(type.dtype) >= 0) c.inputs[0].low = 0;
  c.inputs[0].specials = {lowest_of(type.dtype), highest_of(type.dtype), 0, 1};
  return c;
}

std::vector<OpCase> unary_cases(const Unary& member, TypeSet types) {
  const std::vector<Number> specials = {
      __builtin_nanl(""), __builtin_infl(), -__builtin_infl(), 0.0L, -0.0L, 1e-40L};
  const OpCase vector = unary(member, "vector", tensor({61}));
  std::vector<OpCase> cases = {
      vector,
      unary(member, "scalar", tensor({})),
      unary(member, "image", channels_last(tensor({2, 5, 6, 7}))),
      unary(member, "rank_8", tensor({1, 2, 1, 3, 2, 1, 2, 2})),
      unary(member, "specials", with_specials(tensor({50}), specials)),
      unary(member, "large", tensor({1, 10, 64, 65})),
      unary(member, "empty", tensor({0, 3})),
      vector,
  };
  cases.back().name = "wide_range";
  cases.back().inputs[0] = ranged(tensor({200}), -member.wide, member.wide);
  cases.back().outputs[0] = tensor({200});
  // Numbers near 0 among some far away, and some of both in between.
  cases.push_back(unary(member, "near_and_far", tensor({3, 67})));
  cases.back().inputs[0] = with_specials(ranged(tensor({3, 67}), -0.01, 0.01),
                                         {member.wide, -member.wide, 3.0L, -0.75L});
  for (size_t i = 1; i < member.attributes.size(); ++i) {
    cases.push_back(vector);
    cases.back().name = "attributes_" + std::to_string(i);
    cases.back().attributes = words(member.attributes[i]);
  }
  if (!has(types, DType::kFloat32)) {
    cases = {typed_unary(cases[5], {has(types, DType::kBool) ? DType::kBool : DType::kInt32, ""})};
    cases[0].name = "large";
  }
  for (const NamedType& type : kAllTypes) {
    if (type.dtype != DType::kFloat32 && has(types, type.dtype)) {
      cases.push_back(typed_unary(vector, type));
    }
  }
  return cases;
}

std::vector<Numbers> unary_oracle(const Unary& member, const OpCase& c, Numbers x) {
  const auto attributes = attributes_of<UnaryAttributes>(c);
  for (Number& value : x.values) {
    value = member.function(attributes, value);
    // A float's result is rounded: an overflow is infinite.
    value = is_float(x.dtype) ? nearest(x.dtype, value) : wrapped(x.dtype, value);
  }
  return {std::move(x)};
}

}  // namespace

#define ARENITE_OP_unary(number, name, Type, set)                                           \
  std::vector<OpCase> name##_cases() { return unary_cases(k##Type, types::k##set); }        \
  std::vector<Numbers> name##_oracle(const OpCase& c, const std::vector<Numbers>& inputs) { \
    return unary_oracle(k##Type, c, inputs[0]);                                             \
  }
#include "schema/ops.def"

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
