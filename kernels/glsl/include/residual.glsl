// The residual that comes to a quantized convolution's results.
/* words
use scaled_sum
use integer_whole
use conv_words
use conv_ends
struct ConvAddSpec
  uint store  // y's type; with kRun beside it four results are a word
  uint type_x, type_w, type_r  // as integers.glsl has them
  WordUse words
  bool words_r  // four channels of r are a word
  Rounding rounding, sum_rounding
  uint slices = 1  // as in WholeSpec
  uint places = 1
struct ConvAdd
  WholeWords whole
  ConvOwn own
  ConvEndsWords ends
  uint r_skip, r_image, r_output, r_strides[2]
  ScaledSumWords scaled
  int sum_zero_point, sum_low, sum_high
*/
#include "scaled_sum.glsl"
#include "conv_ends.glsl"

layout(set = 0, binding = 2) readonly buffer R { uint r[]; };

// The place of channel o in a row of the residual.
uint residual_at(uint n, uint o, uint oh) {
  return parameter(kRSkip) + n * parameter(kRImage) + o * parameter(kROutput) + oh * parameter(kRStrides);
}

// Four channels, where a word has them: read before sums are added up, which hides how long it takes.
uint residual_word(uint r_at, uint ow) {
  return kWordsR ? r[(r_at + ow * parameter(kRStrides + 1u)) >> 2] : 0u;
}

ivec4 with_residual(ivec4 numbers, uint word, uint r_at, uint ow, uint outputs) {
  ivec4 added = numbers_of(kTypeR, word);
  if (!kWordsR) {
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      uint at = r_at + ow * parameter(kRStrides + 1u) + min(i, outputs - 1u) * parameter(kROutput);
      added[i] = number_of(kTypeR, r[word_at(kTypeR & 3u, at)], at);
    }
  }
  Limits limits = Limits(int(parameter(kSumZeroPoint)), int(parameter(kSumLow)), int(parameter(kSumHigh)));
  ivec4 sums;
  if (is_sum_of_bytes(kSumRounding)) {
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      sums[i] = sum_of_bytes(centered(numbers[i], 0u), centered(added[i], 1u), kSumRounding, limits);
    }
    return sums;
  }
  // One after another: the code is long.
  [[dont_unroll]] for (uint i = 0u; i < 4u; ++i) {
    sums[i] = sum_or_difference(centered(numbers[i], 0u), centered(added[i], 1u), kSumRounding, limits);
  }
  return sums;
}
// SPDX-License-Identifier: Apache-2.0
