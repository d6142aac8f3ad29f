// Means and sums of quantized values: over axes, and over the windows of a pool.
#include <algorithm>
#include <iterator>

#include "planner/graph/rewrite.h"
#include "planner/passes/integers/fusion.h"

namespace arenite::planner::quantize {
namespace {

uint64_t count_of(const PoolAttributes& pool) {
  return uint64_t{pool.kernel[0]} * pool.kernel[1] * pool.kernel[2];
}

Node integer_reduction(const Wanted& wanted, const Scaled& scale, const Node& from,
                       uint64_t summed) {
  const uint32_t axes = from.attributes_as<ReduceAttributes>().axes;
  const auto count = from.op == Op::kReduceMean ? static_cast<uint32_t>(summed) : uint32_t{0};
  Node node;
  node.op = Op::kQuantizedSum;
  node.set_attributes(sum_attributes(wanted, scale, axes, count));
  return node;
}

template <size_t kSize>
void copy(const uint32_t (&from)[kSize], uint32_t (&to)[kSize]) {
  std::copy(std::begin(from), std::end(from), std::begin(to));
}

// Whether all windows count as many elements, those in the padding among them.
bool counts_all(const PoolAttributes& pool) {
  const auto none = [](const uint32_t(&pads)[3]) {
    return std::all_of(std::begin(pads), std::end(pads), [](uint32_t pad) { return pad == 0; });
  };
  return (none(pool.pad_begin) && none(pool.pad_end)) || pool.count_include_pad != 0;
}

// TensorFlow Lite's pools keep their scale, and round the mean of the integers.
Node integer_pool(const Wanted& wanted, const Scaled& scale, const PoolAttributes& pool) {
  QuantizedAveragePoolAttributes attributes = {};
  copy(pool.kernel, attributes.kernel);
  copy(pool.stride, attributes.stride);
  copy(pool.dilation, attributes.dilation);
  copy(pool.pad_begin, attributes.pad_begin);
  attributes.x_zero_point = scale.zero_point;
  attributes.output = requantization(wanted);
  if (!wanted.is_tflite()) {
    const auto count = static_cast<uint32_t>(count_of(pool));
    const QuantizedSumAttributes sum = sum_attributes(wanted, scale, 0, count);
    attributes.multiplier = sum.multiplier;
    attributes.shift = sum.shift;
  }
  Node node;
  node.op = Op::kQuantizedAveragePool;
  node.set_attributes(attributes);
  return node;
}

}  // namespace

bool fuse_mean(Fusion& fusion, const Target& target) {
  const uint32_t n = fusion.producer(target.number);
  if (n == kNoNode) return false;
  const Node& from = fusion.node(n);
  const bool pool = from.op == Op::kAveragePool;
  if (!pool && from.op != Op::kReduceMean && from.op != Op::kReduceSum) return false;
  const std::optional<ScaledOperand> x = fusion.scaled(from.inputs[0]);
  if (!x) return fusion.refuse(n, "its input has no one constant scale");
  if (x->scale.dtype != target.wanted.y.dtype) {
    return fusion.refuse(n, "input and result are integers of different types");
  }
  const Value& integers = fusion.value(x->integers);
  const uint64_t summed =
      pool ? count_of(from.attributes_as<PoolAttributes>())
           : static_cast<uint64_t>(
                 baked(elements_along(integers, from.attributes_as<ReduceAttributes>().axes),
                       "the number of elements of a mean of integers"));
  if (summed > uint64_t{INT32_MAX} / static_cast<uint64_t>(reach(x->scale))) {
    return fusion.refuse(n, Fusion::kMoreThan32Bits);
  }
  Node node;
  if (pool) {
    const auto attributes = from.attributes_as<PoolAttributes>();
    if (target.wanted.is_tflite()) {
      if (attributes.count_include_pad != 0 || x->scale != target.wanted.y) {
        return fusion.refuse(n, "input and result have different scales");
      }
    } else if (!counts_all(attributes)) {
      return fusion.refuse(n, "its windows at the edges count fewer elements");
    }
    node = integer_pool(target.wanted, x->scale, attributes);
  } else {
    node = integer_reduction(target.wanted, x->scale, from, summed);
  }
  node.inputs = {x->integers};
  return fusion.fuse(target, std::move(node), {n});
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
