// Softmax of quantized values: of 8 bits, and TensorFlow Lite's of int16.
#include "planner/fixed_point/tables_int16.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/fusion.h"

namespace arenite::planner::quantize {
namespace {

// Differences of 65535 are 10: what lies below counts as that.
constexpr double kInt16Step = 10.0 / 65535.0;

// LiteRT adds up floats for uint8. Over rows of up to so many elements tables of integers were a
// step off its results in 2 of 240,000 rows, and a softmax of floats in 7.
constexpr uint64_t kLitertMost = 2048;

// The argument of softmax: an operand, times a number.
struct Exponent {
  std::optional<ScaledOperand> operand;
  float beta = 1;
};

Exponent exponent_of(const Fusion& fusion, ValueId number) {
  const uint32_t n = fusion.producer(number);
  if (n == kNoNode || fusion.node(n).op != Op::kMul) return {fusion.scaled(number)};
  const Node& product = fusion.node(n);
  for (size_t i = 0; i < 2; ++i) {
    const std::optional<std::vector<float>> beta = fusion.numbers(product.inputs[1 - i]);
    if (beta && beta->size() == 1 && (*beta)[0] > 0)
      return {fusion.scaled(product.inputs[i]), (*beta)[0]};
  }
  return {};
}

ValueId add_table(Fusion& fusion, const char* name, const std::vector<int32_t>& entries) {
  return add_integers(fusion.graph(), name, DType::kInt16,
                      std::vector<int64_t>(entries.begin(), entries.end()));
}

}  // namespace

bool fuse_softmax(Fusion& fusion, const Target& target) {
  const uint32_t n = fusion.producer(target.number);
  if (n == kNoNode || fusion.node(n).op != Op::kSoftmax) return false;
  const Node& from = fusion.node(n);
  const auto [x, beta] = exponent_of(fusion, from.inputs[0]);
  if (!x) return fusion.refuse(n, "its input has no one constant scale");
  const Scaled& scale = x->scale;
  const Wanted& wanted = target.wanted;
  const bool wide = wanted.is_tflite() && scale.dtype == DType::kInt16;
  if (element_bytes(scale.dtype) != 1 && !wide) {
    return fusion.refuse(n, "its input is not of 8 bits");
  }
  Node node;
  node.op = Op::kQuantizedSoftmax;
  node.inputs = {x->integers};
  QuantizedSoftmaxAttributes attributes = {};
  attributes.axes = from.attributes_as<SoftmaxAttributes>().axes;
  attributes.output = requantization(wanted);
  if (wide) {
    const Multiplier factor = quantized_multiplier(double{scale.scale} * double{beta} / kInt16Step);
    if (factor.shift > 31) return fusion.refuse(n, "its scale is too large");
    attributes.multiplier = factor.multiplier;
    attributes.shift = factor.shift;
    node.inputs.push_back(add_table(fusion, "exponentials", tflite::softmax_exponentials()));
    node.inputs.push_back(add_table(fusion, "reciprocals", tflite::softmax_reciprocals()));
  } else if (wanted.is_tflite() && !wanted.is_litert()) {
    const auto numbers = tflite::softmax_scale(scale.scale, beta);
    if (!numbers) return fusion.refuse(n, "its scale is too small");
    attributes.multiplier = numbers->input.multiplier;
    attributes.shift = numbers->input.shift;
    attributes.diff_min = numbers->difference_min;
  } else {
    const auto count = static_cast<uint64_t>(baked(
        elements_along(fusion.value(x->integers), attributes.axes), "the table of a softmax"));
    if (wanted.is_litert() && count > kLitertMost) {
      return fusion.refuse(n, "floats are finer than tables for so many elements");
    }
    attributes.output.rounding = Rounding::kHalfEven;
    const auto halves = wanted.is_litert() ? half_even::Halves::kUp : half_even::Halves::kEven;
    const std::vector<uint32_t> table =
        half_even::softmax_table(scale.scale * beta, wanted.y.scale, count, halves);
    node.inputs.push_back(add_words(fusion.graph(), "table", {2, 256}, table));
  }
  node.set_attributes(attributes);
  return fusion.fuse(target, std::move(node), {n});
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
