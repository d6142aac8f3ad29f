// Finds the steps of biases, multipliers and shifts, and how large a bias keeps sums small.
#include "portable_fallback/shared/integer_results.h"

#include <bit>

#include "ops/quantized.h"
#include "portable_fallback/shared/requantization.h"

namespace arenite {
namespace {

constexpr int32_t kNoBias = 0;

bool is_byte(DType type) { return type == DType::kInt8 || type == DType::kUint8; }

// Elements between two outputs, of an operand whose last dim counts them; 0 where one serves all.
size_t step_of(const Tensor& tensor) {
  const uint32_t last = tensor.rank() - 1;
  return tensor.dims[last] == 1 ? 0 : tensor.strides[last];
}

template <typename T>
const T* elements(const Tensor& tensor) {
  return static_cast<const T*>(static_cast<const void*>(tensor.data));
}

Requantization output_of(const IntegerResults& results, Rounding rounding) {
  return {rounding, results.zero_point, results.low, results.high};
}

int32_t finish_sum(const IntegerResults& results, int32_t sum, int32_t multiplier, int32_t shift) {
  return finished(sum, multiplier, shift,
                  output_of(results, static_cast<Rounding>(results.rounding)));
}

// The same of results that are rounded twice, without the code of other roundings.
int32_t finish_twice(const IntegerResults& results, int32_t sum, int32_t multiplier,
                     int32_t shift) {
  const int32_t number = requantized_twice(sum, multiplier, shift);
  return limited_result(number, output_of(results, Rounding::kTfliteDouble));
}

constexpr uint64_t kProductMax = 255 * 128;

// Whether the least and the greatest of all sums have the same result: it never falls as sums grow.
bool is_constant(const IntegerResults& results, uint32_t output, uint64_t depth) {
  const int64_t bias = results.bias[output * results.bias_step];
  const auto reach = static_cast<int64_t>(depth * kProductMax);
  const int32_t shift = results.shifts[output * results.factor_step];
  if (shift > 0 || bias - reach < INT32_MIN || bias + reach > INT32_MAX) return false;
  const auto result = [&](int64_t sum) {
    return results.finish(results, static_cast<int32_t>(sum),
                          results.multipliers[output * results.factor_step], shift);
  };
  return result(bias - reach) == result(bias + reach);
}

// Whether the sums of an output fit 32 bits when raised as raised_by() says and then by `more`
// bits.
bool can_be_raised(const IntegerResults& results, uint32_t output, uint64_t depth, int32_t more) {
  const int64_t bias = results.bias[output * results.bias_step];
  const int32_t raised = raised_by(results.shifts[output * results.factor_step]) + more;
  const uint64_t reach = static_cast<uint64_t>(bias < 0 ? -bias : bias) + depth * kProductMax;
  return raised < 31 && reach < uint64_t{1} << (31 - raised);
}

// Sets halves_bits.
void find_halves(IntegerResults& results, uint32_t outputs, uint64_t depth) {
  const auto bits = static_cast<int32_t>(std::bit_width(depth * kProductMax));
  for (uint32_t i = 0; i < outputs; ++i) {
    if (!may_halve(results, i, bits)) continue;
    results.halves_bits = static_cast<uint8_t>(bits);
    return;
  }
}

// What the requantization says.
void set_output(const Requantization& output, IntegerResults& results) {
  results.zero_point = output.zero_point;
  results.low = output.low;
  results.high = output.high;
  results.rounding = static_cast<uint32_t>(output.rounding);
  results.in_float32 = output.rounding == Rounding::kFloat32;
  results.rounds_twice = output.rounding == Rounding::kTfliteDouble;
}

// All but how other sums are finished.
IntegerResults results_of(const Step& step, const Requantization& output, uint32_t depth) {
  constexpr uint64_t kSumEnd = uint64_t{1} << 30;
  const Tensor multipliers = step.input(kMultipliersInput);
  const Tensor shifts = step.input(kShiftsInput);
  IntegerResults results = {};
  results.bias = &kNoBias;
  if (step.has_input(kBiasInput)) {
    const Tensor bias = step.input(kBiasInput);
    results.bias = elements<int32_t>(bias);
    results.bias_step = step_of(bias);
  }
  results.multipliers = elements<int32_t>(multipliers);
  results.shifts = elements<int8_t>(shifts);
  results.factor_step = step_of(multipliers);
  set_output(output, results);
  const uint64_t products_max = depth * kProductMax;
  if (results.rounds_twice && products_max < kSumEnd) {
    results.small_bias_end = static_cast<uint32_t>(kSumEnd - products_max);
  }
  return results;
}

}  // namespace

bool has_bias_of_each_output(const Step& step) {
  return step.has_input(kBiasInput) && step_of(step.input(kBiasInput)) == 1;
}

template <bool kAnyRight>
bool takes_integer_results(const Step& step) {
  const uint32_t inputs = step.input_count();
  if (!is_byte(step.dtype(0))) return false;
  if (kAnyRight ? !is_byte(step.dtype(1)) : step.dtype(1) != DType::kInt8) return false;
  if (!is_byte(step.dtype(inputs)) || !step.has_input(kMultipliersInput)) return false;
  // No zero points.
  for (uint32_t i = kXZeroPointInput; i < inputs; ++i) {
    if (step.input_value(i) != kNoIndex) return false;
  }
  size_t steps[] = {0, 0, 0};  // as step_of says, of the bias, the multipliers and the shifts
  for (uint32_t k = 0; k < 3; ++k) {
    const uint32_t i = kBiasInput + k;
    if (step.input_value(i) == kNoIndex) continue;
    const format::ElementsRecord& each = step.elements(i);
    const uint32_t* dim = step.bindings().shapes + each.shape;
    for (const uint32_t* const last = dim + each.rank - 1; dim != last; ++dim) {
      if (*dim != 1 && dim[each.rank] != 0) return false;
    }
    if (*dim != 1) steps[k] = dim[each.rank];
  }
  return steps[kMultipliersInput - kBiasInput] == steps[kShiftsInput - kBiasInput];
}

bool takes_sums_of_products(const Step& step) {
  const uint32_t inputs = step.input_count();
  if (!is_byte(step.dtype(0)) || step.dtype(1) != DType::kInt8) return false;
  if (step.dtype(inputs) != DType::kInt32 || step.has_input(kMultipliersInput)) return false;
  if (step.has_input(kWZeroPointsInput)) return false;
  const auto is_one = [&](uint32_t i, bool or_row) {
    if (!step.has_input(i)) return true;
    const Tensor each = step.input(i);
    const uint32_t rank = each.rank();
    for (uint32_t d = 0; d < rank; ++d) {
      if (each.dims[d] != 1 && each.strides[d] != 0 && !(or_row && d + 1 == rank)) return false;
    }
    return true;
  };
  return is_one(kXZeroPointInput, false) && is_one(kBiasInput, true);
}

IntegerResults sums_of_products(const Step& step) {
  IntegerResults results = {};
  results.bias = &kNoBias;
  if (step.has_input(kBiasInput)) {
    const Tensor bias = step.input(kBiasInput);
    results.bias = elements<int32_t>(bias);
    results.bias_step = step_of(bias);
  }
  return results;
}

template bool takes_integer_results<false>(const Step& step);
template bool takes_integer_results<true>(const Step& step);

IntegerResults integer_results(const Step& step, const Requantization& output, uint32_t depth) {
  IntegerResults results = results_of(step, output, depth);
  results.finish = finish_sum;
  return results;
}

IntegerResults twice_rounded_results(const Step& step, const Requantization& output,
                                     uint32_t depth) {
  IntegerResults results = results_of(step, output, depth);
  results.finish = finish_twice;
  return results;
}

IntegerResults single_results(const Requantization& output, const int32_t& multiplier,
                              const int8_t& shift) {
  constexpr uint32_t kDepth = 2;  // products of that many numbers of 9 and 8 bits are as large
  IntegerResults results = {};
  results.bias = &kNoBias;
  results.multipliers = &multiplier;
  results.shifts = &shift;
  set_output(output, results);
  results.finish = finish_sum;
  find_single_roundings(results, 1, kDepth);
  results.rounds_twice = results.rounds_twice && only_divides(results, 1);
  return results;
}

void find_small_outputs(IntegerResults& results, uint32_t outputs, uint32_t depth) {
  results.small = results.rounds_twice && results.low == -128 && results.high == 127;
  if (!results.rounds_twice) return;
  for (uint32_t i = 0; i < outputs; ++i) {
    if (is_small(results, i)) continue;
    if (i < 32 * kConstantWords && is_constant(results, i, depth)) {
      results.constant[i / 32] |= 1u << i % 32;
      results.has_constant = true;
    } else {
      results.small = false;
    }
  }
}

// Weights that are doubled and raised fit 16 bits, and sums of twice such 32.
void find_exact_outputs(IntegerResults& results, uint32_t outputs, uint32_t depth) {
  results.small = results.rounding != static_cast<uint32_t>(Rounding::kFloat32);
  for (uint32_t i = 0; i < outputs; ++i) {
    const int32_t shift = results.shifts[i * results.factor_step];
    const bool in_range = shift >= -kSmallShiftMax && raised_by(shift) <= kRaisedMax;
    if (in_range && can_be_raised(results, i, depth, 1)) continue;
    if (i < 32 * kConstantWords && is_constant(results, i, depth)) {
      results.constant[i / 32] |= 1u << i % 32;
      results.has_constant = true;
    } else {
      results.small = false;
    }
  }
}

bool only_divides(const IntegerResults& results, uint32_t outputs) {
  if (results.factor_step == 0) outputs = 1;
  for (uint32_t i = 0; i < outputs; ++i) {
    const int32_t shift = results.shifts[i * results.factor_step];
    if (shift > 0 || shift < -31) return false;
  }
  return true;
}

void find_single_roundings(IntegerResults& results, uint32_t outputs, uint32_t depth) {
  const bool is_one = results.factor_step == 0;
  bool divides = true, raises = false, in_range = true;
  for (uint32_t i = 0; i < (is_one ? 1 : outputs); ++i) {
    const int32_t shift = results.shifts[i * results.factor_step];
    in_range = in_range && shift >= kShiftMin && shift <= kShiftMax;
    divides = divides && shift >= -31;
    if (shift < 0) continue;
    raises = true;
    divides = divides && !is_one && can_be_raised(results, i, depth, 0);
  }
  const auto rounding = static_cast<Rounding>(results.rounding);
  results.halves_to_even = divides && rounding == Rounding::kHalfEven;
  results.halves_up = divides && rounding == Rounding::kTfliteSingle;
  results.raises = raises && rounding != Rounding::kFloat32;
  results.in_float32 = results.in_float32 && in_range;
  if (rounding == Rounding::kHalfEven) find_halves(results, outputs, depth);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
