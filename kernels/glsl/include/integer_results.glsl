// Results of sums of integer products: each channel's numbers requantize them, and up to four are stored at
// once. Include this after requantize.glsl and elements.glsl; a shader defines kStore and kStored.
/* words
use requantize
use elements
use each_element
*/

// The numbers that turn the sums of four output channels into results.
struct Ends {
  ivec4 bias, multipliers, shifts;
};

ivec4 results_of(ivec4 sums, Ends ends, uint rounding, Limits limits) {
  bool fast = true;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    fast = fast && is_fast(ends.multipliers[i], ends.shifts[i], rounding);
  }
  sums += ends.bias;
  ivec4 numbers;
  // One after another: the code is long, and a device reads it while others wait.
  if (fast) {
    [[dont_unroll]] for (uint i = 0u; i < 4u; ++i) {
      numbers[i] = limited_result(requantized_fast(sums[i], ends.multipliers[i], ends.shifts[i], rounding), limits);
    }
  } else {
    [[dont_unroll]] for (uint i = 0u; i < 4u; ++i) {
      numbers[i] = finished(sums[i], ends.multipliers[i], ends.shifts[i], rounding, limits);
    }
  }
  return numbers;
}

// Writes up to four results, the first to element `at` of y; `outputs` are left from it on.
void store_results(ivec4 numbers, uint at, uint stride, uint outputs) {
  uvec4 bits = uvec4(numbers) & mask_of(kStored);
  if ((kStore & kRun) != 0u) {
    y[at >> 2] = bits.x | bits.y << 8 | bits.z << 16 | bits.w << 24;
    return;
  }
  for (uint i = 0u; i < 4u && i < outputs; ++i) store_element(kStored, at + i * stride, bits[i]);
}
// SPDX-License-Identifier: Apache-2.0
