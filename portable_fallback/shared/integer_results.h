// Tells kernels of integer products how a step's sums become results of 8 bits.
#pragma once

#include "core/step.h"
#include "ops/attributes.h"
#include "portable_fallback/fast/integer_results.h"

namespace arenite {

// Whether a step's operands are those of such kernels: x and y of 8 bits, int8 weights with one
// zero point, and multipliers, one for all outputs or each; nothing varies along other dims.
// kAnyRight: weights may be uint8.
template <bool kAnyRight = false>
bool takes_integer_results(const Step& step);

// The same of a product whose results are its sums, of int32, and whose x may have one zero point
// that a run decides.
bool takes_sums_of_products(const Step& step);
// For such: IntegerResults without `finish`.
IntegerResults sums_of_products(const Step& step);

// Whether biases follow each other, one for each output.
bool has_bias_of_each_output(const Step& step);

// For sums of `depth` products of numbers of 9 and 8 bits.
IntegerResults integer_results(const Step& step, const Requantization& output, uint32_t depth);
// The same of results that are rounded as kTfliteDouble: what images link has no other rounding.
IntegerResults twice_rounded_results(const Step& step, const Requantization& output,
                                     uint32_t depth);

// For products of two numbers of 9 bits, of one factor that the caller keeps: what can be rounded
// by vectors is found.
IntegerResults single_results(const Requantization& output, const int32_t& multiplier,
                              const int8_t& shift);

// Finds which of so many outputs, of sums of `depth` products, are constant, and whether the others
// are small (IntegerResults). Those that are not rounded as kTfliteDouble are neither.
void find_small_outputs(IntegerResults& results, uint32_t outputs, uint32_t depth);

// The same after find_single_roundings(): small are the results of halves to even or up, of both
// 8-bit types and within any limits, by factors of up to 2^kRaisedMax.
void find_exact_outputs(IntegerResults& results, uint32_t outputs, uint32_t depth);

// Whether all shifts of so many outputs divide by 2^0 to 2^31.
bool only_divides(const IntegerResults& results, uint32_t outputs);

// Whether results are rounded once: as float32 rounds them, halves to even or up.
inline bool rounds_once(const Requantization& output) {
  return output.rounding != Rounding::kTfliteDouble;
}
// The same of a step, of those attributes. They are no part of the stack below what asks.
template <typename Attributes>
[[gnu::noinline]] bool rounds_once(const Step& step) {
  Attributes room;
  return rounds_once(step.attributes(room).output);
}
// Sets which results can be rounded once, as vectors round them, of so many outputs, of sums of
// `depth` products.
void find_single_roundings(IntegerResults& results, uint32_t outputs, uint32_t depth);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
