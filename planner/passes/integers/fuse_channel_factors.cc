// A factor and a term for each channel of a quantized value (batch normalization) become a
// convolution of integers whose filters see one element.
#include <algorithm>
#include <cmath>

#include "planner/graph/rewrite.h"
#include "planner/passes/integers/fusion.h"

namespace arenite::planner::quantize {
namespace {

struct Factors {
  std::vector<double> factors, terms;
};

std::optional<Factors> factors_of(const Fusion& fusion, const Node& node) {
  const auto attributes = node.attributes_as<BatchNormalizationAttributes>();
  if (attributes.training != 0 || node.inputs.size() != 5) return std::nullopt;
  std::vector<float> numbers[4];  // scale, bias, mean, variance
  for (size_t i = 0; i < 4; ++i) {
    std::optional<std::vector<float>> found = fusion.numbers(node.inputs[i + 1]);
    if (!found) return std::nullopt;
    numbers[i] = std::move(*found);
  }
  Factors all;
  for (size_t c = 0; c < numbers[0].size(); ++c) {
    const double factor =
        double{numbers[0][c]} / std::sqrt(double{numbers[3][c]} + double{attributes.epsilon});
    all.factors.push_back(factor);
    all.terms.push_back(double{numbers[1][c]} - double{numbers[2][c]} * factor);
    if (!std::isfinite(factor) || !std::isfinite(all.terms.back())) return std::nullopt;
  }
  return all;
}

}  // namespace

// Weights are 127 or -127 where terms leave room, so that a term is rounded to 1/254 of a step.
bool fuse_channel_factors(Fusion& fusion, const Target& target) {
  constexpr double kWeight = 127, kTermMax = 1 << 29;
  const uint32_t n = fusion.producer(target.number);
  if (n == kNoNode || fusion.node(n).op != Op::kBatchNormalization) return false;
  const Node& from = fusion.node(n);
  const std::optional<ScaledOperand> x = fusion.scaled(from.inputs[0]);
  if (!x) return fusion.refuse(n, "its input has no one constant scale");
  const std::optional<Factors> by = factors_of(fusion, from);
  const Dims& dims = fusion.value(x->integers).dims;
  if (!by || (dims.size() != 3 && dims.size() != 4) || element_bytes(x->scale.dtype) != 1) {
    return fusion.refuse(n, "it is not that of images of 8 bits by constants");
  }
  const size_t channels = by->factors.size();
  std::vector<int64_t> weights, bias, multipliers, shifts;
  for (size_t c = 0; c < channels; ++c) {
    const double step = by->factors[c] * double{x->scale.scale};
    const double unit = std::max({std::abs(step) / kWeight, std::abs(by->terms[c]) / kTermMax,
                                  double{target.wanted.y.scale} / kTermMax});
    const int64_t weight = std::llround(step / unit);
    const Multiplier factor = quantized_multiplier(unit / double{target.wanted.y.scale});
    weights.push_back(weight);
    bias.push_back(std::llround(by->terms[c] / unit) - weight * x->scale.zero_point);
    multipliers.push_back(factor.multiplier);
    shifts.push_back(factor.shift);
    if (factor.shift > 31) return fusion.refuse(n, "its factors are too large");
  }
  Graph& graph = fusion.graph();
  const auto count = static_cast<uint32_t>(channels);
  Dims filters(dims.size(), 1);
  filters[0] = count;
  Node node;
  node.op = Op::kQuantizedConv;
  node.inputs = {x->integers, add_integers(graph, "factors", DType::kInt8, filters, weights),
                 add_integers(graph, "terms", DType::kInt32, bias),
                 add_integers(graph, "multipliers", DType::kInt32, multipliers),
                 add_integers(graph, "shifts", DType::kInt8, shifts)};
  node.set_attributes(QuantizedConvAttributes{
      count, {1, 1}, {1, 1}, {0, 0}, 0, 0, x->scale.zero_point, requantization(target.wanted)});
  return fusion.fuse(target, std::move(node), {n});
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
