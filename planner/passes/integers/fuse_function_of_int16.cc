// Functions of one value of int16 as TensorFlow Lite's kernels compute them: tables of all results
// or of some, and slopes.
#include <algorithm>
#include <cmath>

#include "planner/fixed_point/tables_int16.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/fusion.h"

namespace arenite::planner::quantize {
namespace {

// Results in units of 2^-15 alone.
constexpr float kFunctionScale = 1.0f / 32768;

std::vector<int64_t> clipped(const std::vector<int32_t>& table, const Limits& limits) {
  std::vector<int64_t> entries;
  for (const int32_t entry : table) {
    entries.push_back(std::clamp(entry, limits.low, limits.high));
  }
  return entries;
}

// The table of lookup; nothing where kernels have none.
std::optional<std::vector<int32_t>> table_of(Op op, const Scaled& x, const Scaled& y) {
  // Numbers without a logarithm or a root count as this.
  const IntegerRange range = range_of(y.dtype);
  const float least = y.scale * static_cast<float>(range.low - y.zero_point);
  const float most = y.scale * static_cast<float>(range.high - y.zero_point);
  const bool of_one = y.scale == kFunctionScale && x.zero_point == 0 && y.zero_point == 0;
  switch (op) {
    case Op::kSigmoid:
      return of_one ? std::optional(tflite::logistic_of_int16(x.scale)) : std::nullopt;
    case Op::kTanh:
      return of_one ? std::optional(tflite::tanh_of_int16(x.scale)) : std::nullopt;
    case Op::kExp:
      return tflite::interpolated_table(x, y, [](float number) { return std::exp(number); });
    case Op::kLog:
      return tflite::interpolated_table(
          x, y, [least](float number) { return number <= 0 ? least : std::log(number); });
    case Op::kReciprocal:
      return tflite::interpolated_table(
          x, y, [most](float number) { return number <= 0 ? most : 1.0f / std::sqrt(number); });
    default:
      return std::nullopt;
  }
}

// Multiplies negative numbers by -1 or 1, through a multiplier of their own.
std::optional<Node> sloped(Fusion& fusion, const Node& from, const ScaledOperand& x,
                           const Wanted& wanted) {
  float slope = -1;
  if (from.op == Op::kLeakyRelu) {
    slope = from.attributes_as<UnaryAttributes>().alpha;
  } else if (from.op != Op::kAbs) {
    return std::nullopt;
  }
  const float scale = x.scale.scale, y = wanted.y.scale;
  const bool is_abs = from.op == Op::kAbs;
  const Multiplier above =
      quantized_multiplier(is_abs ? double{scale} / double{y} : double{scale / y});
  const Multiplier below =
      is_abs ? above : quantized_multiplier(double{std::abs(scale * slope / y)});
  if (above.shift > 31 || below.shift > 31) return std::nullopt;
  const Dims ones(fusion.value(x.integers).dims.size(), 1);
  Node node;
  node.op = Op::kQuantizedPRelu;
  node.inputs = {x.integers,
                 add_integers(fusion.graph(), "slope", x.scale.dtype, ones, {slope < 0 ? -1 : 1})};
  node.set_attributes(QuantizedPReluAttributes{{0, 0},
                                               {above.multiplier, below.multiplier},
                                               {above.shift, below.shift},
                                               requantization(wanted)});
  return node;
}

}  // namespace

bool fuse_function_of_int16(Fusion& fusion, const Target& target) {
  const uint32_t n = fusion.producer(target.number);
  if (n == kNoNode || !target.wanted.is_tflite() || target.wanted.y.dtype != DType::kInt16) {
    return false;
  }
  const Node& from = fusion.node(n);
  if (from.inputs.size() != 1) return false;
  ValueId number = from.inputs[0];
  std::vector<uint32_t> nodes = {n};
  if (from.op == Op::kReciprocal) {  // that of a root alone
    const uint32_t root = fusion.producer(number);
    if (root == kNoNode || fusion.node(root).op != Op::kSqrt) return false;
    number = fusion.node(root).inputs[0];
    nodes.push_back(root);
  }
  const std::optional<ScaledOperand> x = fusion.scaled(number);
  if (!x || x->scale.dtype != DType::kInt16) return false;
  if (const auto table = table_of(from.op, x->scale, target.wanted.y)) {
    Node node;
    node.op = Op::kLookup;
    node.inputs = {x->integers, add_integers(fusion.graph(), "table", DType::kInt16,
                                             clipped(*table, limits_of(target.wanted)))};
    return fusion.fuse(target, std::move(node), nodes);
  }
  if (x->scale.zero_point != 0) return false;
  std::optional<Node> node = sloped(fusion, from, *x, target.wanted);
  return node && fusion.fuse(target, *std::move(node), nodes);
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
