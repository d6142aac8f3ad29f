// Shapes, broadcasts, types and activations of elementwise operators of two inputs.
#include "tests/ops/binary_cases.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase binary(const char* name, const Dims& dims, Activation activation = {}) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-6;
  c.attributes = words(BinaryAttributes{activation});
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
  c.tolerance = type == DType::kFloat64 ? 1e-15 : 0;
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

OpCase typed(const char* name, DType type) {
  return typed(name, type, lowest_of(type), highest_of(type));
}

}  // namespace

std::vector<OpCase> binary_cases() {
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
      binary("large", {1, 12, 61, 59}),
      broadcast(binary("large_broadcast", {1, 64, 25, 25}), 0, 0b1101),
      binary("large_odd", {40009}),
      binary("empty", {3, 0, 2}),
      typed("int8", DType::kInt8),
      typed("uint8", DType::kUint8),
      typed("int16", DType::kInt16),
      typed("uint16", DType::kUint16),
      typed("int32", DType::kInt32),
      typed("uint32", DType::kUint32),
      typed("int64", DType::kInt64),
      typed("uint64", DType::kUint64),
      typed("float64", DType::kFloat64, -1.5e300L, 1e-300L),
  };
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
  return cases;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
