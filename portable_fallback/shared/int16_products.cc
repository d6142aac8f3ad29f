// Reads products of 16-bit activations and 8-bit weights from their steps, and finds how their sums
// may be kept.
#include "portable_fallback/shared/int16_products.h"

#include "ops/window.h"
#include "portable_fallback/shared/blocked_rows.h"
#include "portable_fallback/shared/requantization.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

constexpr uint64_t kDepthMax = 1 << 24;
constexpr int64_t kProductMax = int64_t{1} << 22;
constexpr int64_t kNoWideBias = 0;
constexpr int32_t kNoBias = 0;

// Elements between two outputs, of an operand whose last dim counts them; 0 where one serves all.
size_t step_of(const Tensor& tensor) {
  const uint32_t last = tensor.rank() - 1;
  return tensor.dims[last] == 1 ? 0 : tensor.strides[last];
}

template <typename T>
const T* elements(const Tensor& tensor) {
  return static_cast<const T*>(static_cast<const void*>(tensor.data));
}

int32_t finish_sum(const Int16Results& results, int64_t sum, uint32_t output) {
  const size_t at = output * results.factor_step;
  const Requantization to = {static_cast<Rounding>(results.rounding), results.zero_point,
                             results.low, results.high};
  const int32_t multiplier = results.multipliers[at], shift = results.shifts[at];
  return results.is_wide() ? finished(sum, multiplier, shift, to)
                           : finished(static_cast<int32_t>(sum), multiplier, shift, to);
}

// Whether 32 bits hold the sums of all outputs, and factors are below 1/2 and not tiny.
bool has_small_sums(const Int16Results& results, uint32_t outputs, uint32_t depth) {
  if (static_cast<Rounding>(results.rounding) == Rounding::kHalfEven) return false;
  if (depth > kInt16ChunkDepth) return false;
  const int64_t bias_max = INT32_MAX - depth * kProductMax;
  for (uint32_t i = 0; i < outputs; ++i) {
    const int64_t bias = results.wide_bias[i * results.bias_step];
    const int32_t shift = results.shifts[i * results.factor_step];
    if (bias > bias_max || bias < -bias_max || shift > -2 || shift < -31) return false;
  }
  return true;
}

bool only_divides(const Int16Results& results, uint32_t outputs) {
  if (static_cast<Rounding>(results.rounding) != Rounding::kTfliteDouble) return false;
  if (results.factor_step == 0) outputs = 1;
  for (uint32_t i = 0; i < outputs; ++i) {
    const int32_t shift = results.shifts[i * results.factor_step];
    if (shift > -2 || shift < -31) return false;
  }
  return true;
}

}  // namespace

bool takes_int16_results(const Step& step) {
  if (step.dtype(0) != DType::kInt16 || step.dtype(1) != DType::kInt8) return false;
  if (step.dtype(step.input_count()) != DType::kInt16) return false;
  if (!step.has_input(kMultipliersInput) || step.has_input(kXZeroPointInput) ||
      step.has_input(kWZeroPointsInput)) {
    return false;
  }
  size_t steps[] = {0, 0, 0};  // of the bias, the multipliers and the shifts
  for (uint32_t k = 0; k < 3; ++k) {
    if (!step.has_input(kBiasInput + k)) continue;
    const Tensor each = step.input(kBiasInput + k);
    for (uint32_t d = 0; d + 1 < each.rank(); ++d) {
      if (each.dims[d] != 1 && each.strides[d] != 0) return false;
    }
    steps[k] = step_of(each);
  }
  return steps[1] == steps[2];
}

bool takes_int16_conv(const Step& step, const Blocks& blocks) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  const Tensor w = step.input(1);
  return attributes.groups == 1 && attributes.x_zero_point == 0 && attributes.w_zero_point == 0 &&
         !is_empty(step.input(0)) && !is_empty(w) && depth_of(w) < kDepthMax &&
         takes_blocks(step, blocks) && takes_int16_results(step);
}

bool takes_int16_matmul(const Step& step, const Blocks& blocks) {
  QuantizedMatMulAttributes room;
  const QuantizedMatMulAttributes& attributes = step.attributes(room);
  const OutTensor y = step.output(0);
  // Batches follow each other evenly.
  uint32_t batches = 0;
  for (uint32_t d = 0; d + 2 < y.rank(); ++d) batches += y.dims[d] != 1;
  return batches <= 1 && attributes.a_zero_point == 0 && attributes.b_zero_point == 0 &&
         !is_empty(step.input(0)) && !is_empty(step.input(1)) &&
         step.input(0).dims[y.rank() - 1] < kDepthMax && takes_blocks(step, blocks) &&
         takes_int16_results(step);
}

bool takes_int16_depthwise(const Step& step) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(x) || is_empty(w) || is_empty(y)) return false;
  // A single channel with several outputs is faster by pairs of taps.
  if (w.dims[1] != 1 || (attributes.groups == 1 && w.dims[0] != 1)) return false;
  if (attributes.x_zero_point != 0 || attributes.w_zero_point != 0 || attributes.outside != 0) {
    return false;
  }
  return x.strides[1] == 1 && w.strides[0] == 1 && y.strides[1] == 1 &&
         uint64_t{w.dims[2]} * w.dims[3] <= kInt16ChunkDepth && takes_int16_results(step);
}

bool is_int16_vector(const Step& step) {
  const OutTensor y = step.output(0);
  const Tensor a = step.input(0);
  const uint32_t column = y.rank() - 1;
  for (uint32_t d = 0; d < column; ++d) {
    if (y.dims[d] != 1) return false;
  }
  return a.dims[column] == 1 || a.strides[column] == 1;
}

Int16Results int16_results(const Step& step, const Requantization& output, uint32_t columns,
                           uint32_t depth) {
  const Tensor multipliers = step.input(kMultipliersInput);
  Int16Results results = {};
  results.wide_bias = &kNoWideBias;
  results.bias = &kNoBias;
  if (step.has_input(kBiasInput)) {
    const Tensor bias = step.input(kBiasInput);
    results.wide_bias = elements<int64_t>(bias);
    results.bias = elements<int32_t>(bias);
    results.bias_step = step_of(bias);
  }
  results.multipliers = elements<int32_t>(multipliers);
  results.shifts = elements<int8_t>(step.input(kShiftsInput));
  results.factor_step = step_of(multipliers);
  results.zero_point = output.zero_point;
  results.low = output.low;
  results.high = output.high;
  results.rounding = static_cast<uint32_t>(output.rounding);
  results.finish = finish_sum;
  if (has_wide_sums(step)) {
    const bool small = has_small_sums(results, columns, depth);
    results.sums = small ? Int16Sums::kSmall : Int16Sums::kWide;
  } else {
    const bool divides = only_divides(results, columns);
    results.sums = divides ? Int16Sums::kWrapping : Int16Sums::kAny;
  }
  return results;
}

Int16Products int16_products(const Step& step, const IntegerProducts& shape,
                             const Requantization& output, uint32_t depth) {
  Int16Products p = {};
  p.x = step.input(0).read<int16_t>();
  p.w = shape.w;
  p.y = step.output(0).write<int16_t>();
  p.rows = shape.rows;
  p.x_h = shape.x_h, p.x_w = shape.x_w, p.x_c = shape.x_c;
  p.y_h = shape.y_h, p.y_w = shape.y_w, p.y_c = shape.y_c;
  p.in_h = shape.in_h, p.in_w = shape.in_w, p.out_w = shape.out_w;
  p.kernel_h = shape.kernel_h, p.kernel_w = shape.kernel_w;
  p.stride_h = shape.stride_h, p.stride_w = shape.stride_w;
  p.dilation_h = shape.dilation_h, p.dilation_w = shape.dilation_w;
  p.pad_h = shape.pad_h, p.pad_w = shape.pad_w;
  p.channels = shape.channels, p.columns = shape.columns;
  p.joined = shape.joined;
  p.outside = shape.outside;

  p.results = int16_results(step, output, p.columns, depth);
  return p;
}

uint64_t int16_vector_distance(const Step& step, uint32_t columns_at_once) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return 0;
  const uint32_t column = y.rank() - 1;
  DistanceNest nest(1);
  nest.add(DistanceLoop::blocks(y.dims[column], columns_at_once, y.strides[column], 0));
  DistanceWalk walk;
  walk.nest(nest);
  return int16_distance(walk.bytes());
}

uint64_t int16_depthwise_distance(const Step& step, uint32_t input, uint32_t columns_at_once) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  DistanceNest nest(1);
  nest.add(DistanceLoop::shared_blocks(y.dims[1], columns_at_once, y.dims[1] / attributes.groups));
  nest.add(DistanceLoop::window(conv_window(attributes, x, w, 1), y.dims[3], y.strides[3],
                                x.strides[3]));
  return int16_distance(distance_of_lines(attributes, x, w, y, nest));
}

void split_int16(const Step& step, const Platform& platform, uint32_t depth, Int16Work& work,
                 void (*items)(void*, uint32_t, uint32_t, uint32_t)) {
  const OutTensor y = step.output(0);
  const uint64_t places = element_count(y) / work.products.columns;
  const auto lines = static_cast<uint32_t>(places / work.products.out_w);
  split(platform, lines * work.pieces(), element_count(y) * work_of_result(depth), items, &work);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
