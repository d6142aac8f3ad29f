// What the dispatch rules of quantised convolutions and matrix products share: a first pass that
// adds up products, and a second one from sums to results (kernels/glsl/include/integer_sums.glsl).
#pragma once

#include <cstdint>

#include "kernels/dispatch/builder.h"
#include "ops/quantised.h"

namespace arenite {

// How elements of one byte are read: kWords of integer_sums.glsl.
enum class WordUse : uint32_t { kBytes = 0, kOfRuns = 1, kOfSums = 2 };

// Where the first pass leaves sums: in y where they are the results, else in the step's scratch.
struct SumPlaces {
  bool are_results;
  Operand operand;             // `skip` in sums
  uint32_t strides[kMaxRank];  // of y's dims; in scratch dense, those of y in falling order
};

// A step's operands, as far as all of these operators have them.
struct IntegerSumStep {
  explicit IntegerSumStep(const Step& step);

  Operand x, w, bias, y;
  bool has_bias;
  SumPlaces sums;
};

// The first pass.
struct IntegerSumPass {
  Shader shader;
  uint64_t invocations;
  uint32_t depth, x_step, w_step;  // products of a run, and strides in it
  uint32_t above = 0;              // what lies outside x, less the zero point
  WordUse words;
  // The shader's own parameters.
  uint32_t own[48];
  uint32_t own_count = 0;

  IntegerSumPass& add(uint32_t word) {
    own[own_count++] = word;
    return *this;
  }
};

// Whether shaders have its types, numbers known before and sums of 32 bits.
bool supports_integer_sums(const Step& step);
// Whether elements of one byte along `axis` are neighbours, whole words of four.
bool are_words_of_four(const Operand& operand, uint32_t axis);
// The first pass of a convolution whose attributes have so many groups: its runs, and the words
// that channel_sums.glsl reads.
IntegerSumPass channel_sums(const IntegerSumStep& step, uint32_t groups, Shader shader);
// Emits both passes.
Status emit_integer_sums(const Step& step, const IntegerSumStep& operands,
                         const IntegerSumPass& pass, const QuantisedProduct& product,
                         const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
