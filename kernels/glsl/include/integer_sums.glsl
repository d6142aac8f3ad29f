// Passes of quantized convolutions and matrix products: sums of integer products, four at a time; a
// pass that turns sums into results; and one before both that writes the zero points of the run and
// the bias side by side as int32, since a device may bind no more than four buffers. A
// shader defines add_sums(), which adds up four sums p.count times, and its own parameters behind
// SumWords; with INTEGER_DOT four products of bytes are one instruction. Where there are few sums,
// several invocations of a group share them: each takes slices of the runs.
/* words
use requantize
use each_element
use integer_products
enum SumPass = Sums, Results, Numbers
struct IntegerSumsSpec
  uint store  // as each_element.glsl has it
  SumPass pass
  uint type_x  // as integers.glsl has them
  uint type_w  // beside these kPacked4
  bool has_bias
  WordUse words  // up to Wide
  Rounding rounding
  uint given  // zero points in b: 1 of x, 2 of w
  uint slices = 1  // invocations of a group that share four sums: a power of two up to 32; more than 1 of WordsOfRuns alone
struct IntegerSumsPush
  uint count, y_skip
struct SumWords  // of the pass of sums, before those of a shader
  uint depth           // products of a run
  uint x_step, w_step  // strides in a run
  int x_zero, w_zero
  uint above  // what lies outside x, less the zero point
  uint x_skip, w_skip, bias_skip, sum_skip
  uint x_zero_skip, w_zero_skip  // in b
struct ElementWords  // of the other passes
  uint rank, first_skip, multiplier_skip, shift_skip
  OutputWords output
  walk 4  // over the four buffers
  pad 16
*/
#include "parameters.glsl"
#include "wide.glsl"
#include "requantize.glsl"

// Sums: x, w, bias, sums. Results: sums, multipliers, shifts, y. Numbers: integers in the first, of
// type kTypeX, int32 in the last.
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer W { uint w[]; };
layout(set = 0, binding = 2) readonly buffer B { uint b[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "integers.glsl"

#include "walk.glsl"

#include "integer_products.glsl"

// The zero points are in b from `x_at` on and at `w_at`, or known.
Zeros zeros_at(uint x_at, uvec4 w_at) {
  Zeros zeros = Zeros(int(parameter(kXZero)), ivec4(parameter(kWZero)));
  if ((kGiven & 1u) != 0u) zeros.x = int(b[x_at]);
  if ((kGiven & 2u) != 0u) zeros.w = ivec4(b[w_at.x], b[w_at.y], b[w_at.z], b[w_at.w]);
  return zeros;
}

// The upper words of four sums of 64 bits.
ivec4 high_words = ivec4(0);

void add_product(inout ivec4 sums, uint j, int a, int b) {
  if (kWords != kWide) {
    sums[j] += a * b;
    return;
  }
  Wide sum = sum_of(Wide(high_words[j], uint(sums[j])), product_of(a, b));
  sums[j] = int(sum.low);
  high_words[j] = sum.high;
}

// Writes one of four sums with its bias.
void store_sum(ivec4 sums, uint j, uint at, uint bias_at) {
  if (kWords != kWide) {
    y[at] = uint(sums[j] + (kHasBias ? int(b[bias_at]) : 0));
    return;
  }
  Wide sum = Wide(high_words[j], uint(sums[j]));
  if (kHasBias) sum = sum_of(sum, Wide(int(b[bias_at + 1u]), b[bias_at]));
  y[at] = sum.low;
  y[at + 1u] = uint(sum.high);
}

const uint kSumsOfTile = 1u;
#include "slices.glsl"

// Adds an invocation's slice of a run of products to each of four sums.
void add_run(inout ivec4 sums, uvec4 x_at, uvec4 w_at, Zeros zeros) {
  uint depth = parameter(kDepth);
  if (kWords == kWordsOfSums) {
    sums += (numbers_of(kTypeX, x[x_at.x >> 2]) - zeros.x) *
            (numbers_of(kTypeW, w_word(w_at.x)) - zeros.w);
  } else if (kWords == kWordsOfRuns) {
    zeros = Zeros(zeros.x - moved_by(kTypeX), zeros.w - moved_by(kTypeW));
    for (uint k = 4u * slice(); k < depth; k += 4u * kSlices) {
      uint x_word = x[(x_at.x + k) >> 2];
      uvec4 words = uvec4(w_word(w_at.x + k), w_word(w_at.y + k), w_word(w_at.z + k),
                          w_word(w_at.w + k));
      sums += ivec4(products(x_word, words.x), products(x_word, words.y), products(x_word, words.z),
                    products(x_word, words.w));
      if (zeros.w != ivec4(0)) sums -= zeros.w * (sum_of_x(x_word) - 4 * zeros.x);
      if (zeros.x != 0) {
        sums -= zeros.x *
                ivec4(sum_of_w(words.x), sum_of_w(words.y), sum_of_w(words.z), sum_of_w(words.w));
      }
    }
  } else {
    for (uint k = 0u; k < depth; ++k) {
      for (uint j = 0u; j < 4u; ++j) {
        add_product(sums, j, x_number(x_at[j]) - zeros.x, w_number(w_at[j]) - zeros.w[j]);
      }
      x_at += parameter(kXStep);
      w_at += parameter(kWStep);
    }
  }
}

// The same of a run that lies outside x.
void add_outside(inout ivec4 sums, uvec4 w_at, Zeros zeros) {
  int above = int(parameter(kAbove));
  if (above == 0) return;
  w_at += slice() * parameter(kWStep);
  for (uint k = slice(); k < parameter(kDepth); k += kSlices) {
    for (uint j = 0u; j < 4u; ++j) add_product(sums, j, above, w_number(w_at[j]) - zeros.w[j]);
    w_at += kSlices * parameter(kWStep);
  }
}

void add_sums();

uint element(uint i, out uint y_at) {
  uint at[4] = uint[4](parameter(kFirstSkip), parameter(kMultiplierSkip), parameter(kShiftSkip), p.y_skip);
  walk(i, parameter(kRank), at);
  y_at = at[3];
  if (kPass == kNumbers) return uint(x_number(at[0]));
  Limits limits = output_limits();
  int shift = number_of(kBool | kSigned, b[at[2] >> 2], at[2]);
  int multiplier = int(w[at[1]]);
  if (kWords == kWide) {
    Wide sum = Wide(int(x[at[0] + 1u]), x[at[0]]);
    int number = wide_requantized(sum, multiplier, shift, kRounding);
    return uint(limited_result(number, limits)) & mask_of(kStored);
  }
  return uint(finished(int(x[at[0]]), multiplier, shift, kRounding, limits)) & mask_of(kStored);
}

void main() {
  if (kPass == kSums) {
    add_sums();
  } else {
    store_elements();
  }
}
// SPDX-License-Identifier: Apache-2.0
