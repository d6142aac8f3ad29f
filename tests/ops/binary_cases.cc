// Cases of family binary: shapes, broadcasts, types and activations; and what each member computes:
// a row for each.
#include <cmath>

#include "core/contract.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/pow_cases.h"

namespace arenite::ops_test {
namespace {

// Sums and products of 64-bit integers do not fit a Number: they are wrapped in integers.
uint64_t bits_of(Number value) {
  return value < 0 ? uint64_t{0} - static_cast<uint64_t>(-value) : static_cast<uint64_t>(value);
}

struct Binary {
  Number (*floats)(Number a, Number b);
  Number (*integers)(Number a, Number b) = nullptr;   // to be wrapped
  bool compares = false;                              // the result is bool
  Number (*truncated)(Number a, Number b) = nullptr;  // with BinaryAttributes::truncated
};

const Binary kAdd = {
    .floats = [](Number a, Number b) { return a + b; },
    .integers = [](Number a, Number b) { return static_cast<Number>(bits_of(a) + bits_of(b)); },
};

const Binary kMul = {
    .floats = [](Number a, Number b) { return a * b; },
    .integers = [](Number a, Number b) { return static_cast<Number>(bits_of(a) * bits_of(b)); },
};

const Binary kDiv = {
    .floats = [](Number a, Number b) { return a / b; },
    .integers = [](Number a, Number b) { return b == 0 ? 0 : std::trunc(a / b); },
};

const Binary kSub = {
    .floats = [](Number a, Number b) { return a - b; },
    .integers = [](Number a, Number b) { return static_cast<Number>(bits_of(a) - bits_of(b)); },
};

const Binary kMin = {
    .floats = [](Number a, Number b) { return std::isnan(a) || a < b ? a : b; },
    .integers = [](Number a, Number b) { return a < b ? a : b; },
};

const Binary kMax = {
    .floats = [](Number a, Number b) { return std::isnan(a) || a > b ? a : b; },
    .integers = [](Number a, Number b) { return a > b ? a : b; },
};

const Binary kPRelu = {
    .floats = [](Number a, Number b) { return a < 0 ? a * b : a; },
    .integers = [](Number a,
                   Number b) { return a < 0 ? static_cast<Number>(bits_of(a) * bits_of(b)) : a; },
};

Number rest_of(Number a, Number b) { return b == 0 ? 0 : std::fmod(a, b); }

const Binary kMod = {
    .floats = nullptr,
    .integers =
        [](Number a, Number b) {
          const Number rest = rest_of(a, b);
          return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
        },
    .truncated = [](Number a, Number b) { return std::fmod(a, b); },
};

// Its result depends on its type: pow_cases.h.
const Binary kPow = {.floats = nullptr};

Binary comparison(Number (*compare)(Number a, Number b)) { return {compare, compare, true}; }

const Binary kEqual = comparison([](Number a, Number b) -> Number { return a == b ? 1 : 0; });
const Binary kGreater = comparison([](Number a, Number b) -> Number { return a > b ? 1 : 0; });
const Binary kGreaterOrEqual =
    comparison([](Number a, Number b) -> Number { return a >= b ? 1 : 0; });
const Binary kLess = comparison([](Number a, Number b) -> Number { return a < b ? 1 : 0; });
const Binary kLessOrEqual = comparison([](Number a, Number b) -> Number { return a <= b ? 1 : 0; });

const Binary kLogicalAnd = {
    .floats = nullptr,
    .integers = [](Number a, Number b) -> Number { return a != 0 && b != 0 ? 1 : 0; },
};
const Binary kLogicalOr = {
    .floats = nullptr,
    .integers = [](Number a, Number b) -> Number { return a != 0 || b != 0 ? 1 : 0; },
};
const Binary kLogicalXor = {
    .floats = nullptr,
    .integers = [](Number a, Number b) -> Number { return (a != 0) != (b != 0) ? 1 : 0; },
};

// On bits: numbers below 0 have all higher ones set.
const Binary kBitwiseAnd = {
    .floats = nullptr,
    .integers = [](Number a, Number b) { return static_cast<Number>(bits_of(a) & bits_of(b)); },
};
const Binary kBitwiseOr = {
    .floats = nullptr,
    .integers = [](Number a, Number b) { return static_cast<Number>(bits_of(a) | bits_of(b)); },
};
const Binary kBitwiseXor = {
    .floats = nullptr,
    .integers = [](Number a, Number b) { return static_cast<Number>(bits_of(a) ^ bits_of(b)); },
};
const Binary kShiftLeft = {
    .floats = nullptr,
    .integers = [](Number a,
                   Number b) { return b > 63 ? 0 : static_cast<Number>(bits_of(a) << bits_of(b)); },
};
const Binary kShiftRight = {
    .floats = nullptr,
    .integers = [](Number a,
                   Number b) { return b > 63 ? 0 : static_cast<Number>(bits_of(a) >> bits_of(b)); },
};

// A case of float32 for a member of the family that takes no floats.
Operand of_another_type(Operand operand, TypeSet types) {
  operand.dtype = has(types, DType::kBool)    ? DType::kBool
                  : has(types, DType::kInt32) ? DType::kInt32
                                              : DType::kUint32;
  if (operand.dtype == DType::kBool) return ranged(std::move(operand), 0, 1);
  return ranged(std::move(operand), operand.dtype == DType::kInt32 ? -40 : 0, 40);
}

using Dims = std::vector<uint32_t>;

OpCase binary(const char* name, const Dims& dims, Activation activation = {}) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-6;
  c.attributes = words(BinaryAttributes{activation, 0});
  c.inputs = {tensor(dims), tensor(dims)};
  c.outputs = {tensor(dims)};
  return c;
}

OpCase broadcast(OpCase c, uint32_t a, uint32_t b) {
  c.inputs[0].repeated = a;
  c.inputs[1].repeated = b;
  return c;
}

OpCase typed(const char* name, DType type, Number low, Number high) {
  OpCase c = binary(name, {3, 7, 5});
  c.tolerance = type == DType::kFloat64 ? 1e-15 : 0;  // of 16 bits, rounded from 32: exact
  for (Operand& operand : c.inputs) {
    operand.dtype = type;
    operand.low = -9;
    operand.high = 9;
    if (lowest_of(type) >= 0 && !is_float(type)) operand.low = 0;
    operand.specials = {low, 0, high, high - 1, -1 < low ? high : -1, 1};
  }
  // Every pair of special numbers meets.
  c.inputs[1].specials = {high, high, low, 0, 1, 1, -1 < low ? high : -1};
  c.inputs[1].repeated = 0;
  c.outputs[0].dtype = type;
  return c;
}

// Rests of floats are all truncated; those of integers both ways.
void add_truncated(std::vector<OpCase>& cases) {
  std::vector<OpCase> more;
  for (OpCase& c : cases) {
    auto attributes = attributes_of<BinaryAttributes>(c);
    attributes.truncated = 1;
    if (is_float(c.outputs[0].dtype)) {
      c.attributes = words(attributes);
    } else {
      more.push_back(c);
      more.back().name += "_truncated";
      more.back().attributes = words(attributes);
    }
  }
  cases.insert(cases.end(), more.begin(), more.end());
}

std::vector<OpCase> binary_cases(const Binary& member, TypeSet types) {
  std::vector<OpCase> cases = {
      binary("scalar", {}),
      binary("vector", {67}),
      binary("rank_8", {2, 1, 3, 2, 1, 2, 3, 2}),
      binary("image", {2, 5, 6, 7}),
      broadcast(binary("broadcast_scalar", {4, 33}), 0, 3),
      broadcast(binary("broadcast_scalar_left", {4, 33}), 3, 0),
      broadcast(binary("broadcast_channel", {2, 5, 3, 4}), 0, 0b1101),
      broadcast(binary("broadcast_both", {4, 5}), 1, 2),
      broadcast(binary("broadcast_inner_and_outer", {3, 4, 5}), 0b101, 0b010),
      broadcast(binary("everything_broadcast", {3, 4}), 3, 3),
      binary("clip", {5, 9}, {ActivationKind::kClip, -0.25f, 0.5f}),
      broadcast(binary("clip_strided", {5, 9}, {ActivationKind::kClip, 0, __builtin_inff()}), 2, 1),
      binary("hard_sigmoid", {5, 9}, {ActivationKind::kHardSigmoid, 0.2f, 0.5f}),
      binary("sigmoid", {5, 9}, {ActivationKind::kSigmoid, 0, 0}),
      binary("hard_swish", {5, 9}, {ActivationKind::kHardSwish, 0.2f, 0.5f}),
      binary("swish", {5, 9}, {ActivationKind::kSwish, -1.5f, 0}),
      binary("large", {1, 12, 61, 59}),
      broadcast(binary("large_broadcast", {1, 64, 25, 25}), 0, 0b1101),
      binary("large_odd", {40009}),
      binary("empty", {3, 0, 2}),
  };
  for (const NamedType& type : kAllTypes) {
    if (type.dtype == DType::kFloat32 || !has(types, type.dtype)) continue;
    const Number most = type.dtype == DType::kFloat64   ? 1.5e300L
                        : type.dtype == DType::kFloat16 ? 6e4L
                                                        : 3e38L;
    const bool real = is_float(type.dtype);
    cases.push_back(typed(type.name, type.dtype, real ? -most : lowest_of(type.dtype),
                          real ? 1 / most : highest_of(type.dtype)));
  }
  OpCase last = binary("channels_last", {2, 5, 6, 7});
  for (Operand* operand : {&last.inputs[0], &last.inputs[1], &last.outputs[0]}) {
    *operand = channels_last(*operand);
  }
  cases.push_back(last);
  last.name = "mixed_layouts";
  last.inputs[1].order.clear();
  cases.push_back(last);
  OpCase special = binary("nan_and_infinity", {9, 9}, {ActivationKind::kClip, -1, 1});
  special.inputs[0].specials = {__builtin_nanl(""), __builtin_infl(), -__builtin_infl(), 0.0L};
  special.inputs[1].specials = {1.0L, __builtin_infl(), __builtin_infl(), 0.0L, 0.0L, -0.0L};
  cases.push_back(special);
  // Activations are of float32 results only.
  const bool floats = has(types, DType::kFloat32) && !member.compares;
  std::erase_if(cases, [&](const OpCase& c) {
    const auto kind = attributes_of<BinaryAttributes>(c).activation.kind;
    return !floats && kind != ActivationKind::kNone;
  });
  for (OpCase& c : cases) {
    for (Operand& x : c.inputs) {
      if (!has(types, x.dtype)) x = of_another_type(std::move(x), types);
    }
    if (!has(types, c.outputs[0].dtype)) c.outputs[0].dtype = c.inputs[0].dtype;
    if (member.compares) c.outputs[0].dtype = DType::kBool;
    // Equal numbers now and then.
    if (member.compares && c.inputs[1].specials.empty()) {
      for (Operand& x : c.inputs) x.specials = {0, 1, 0};
    }
  }
  if (member.truncated != nullptr) add_truncated(cases);
  if (&member == &kPow) cases = cases_of_pow(std::move(cases));
  return cases;
}

std::vector<Numbers> binary_oracle(const Binary& member, const OpCase& c,
                                   const std::vector<Numbers>& inputs) {
  Numbers y = blank_output(c, 0);
  const auto [activation, truncated] = attributes_of<BinaryAttributes>(c);
  const auto floats = truncated != 0 ? member.truncated : member.floats;
  const auto integers = truncated != 0 ? rest_of : member.integers;
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Number a = inputs[0].values[p];
    const Number b = inputs[1].values[p];
    // A float's result is rounded: an overflow is infinite.
    if (&member == &kPow) {
      y.values[p] = activated(activation, power_of(y.dtype, a, b));
    } else if (member.compares && is_float(inputs[0].dtype)) {
      y.values[p] = floats(a, b);
    } else {
      y.values[p] = is_float(y.dtype) ? activated(activation, nearest(y.dtype, floats(a, b)))
                                      : wrapped(y.dtype, integers(a, b));
    }
  }
  return {y};
}

}  // namespace

#define ARENITE_OP_binary(number, name, Type, set)                                          \
  std::vector<OpCase> name##_cases() { return binary_cases(k##Type, types::k##set); }       \
  std::vector<Numbers> name##_oracle(const OpCase& c, const std::vector<Numbers>& inputs) { \
    return binary_oracle(k##Type, c, inputs);                                               \
  }
#include "schema/ops.def"

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
