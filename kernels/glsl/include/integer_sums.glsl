// What the shaders of quantised convolutions and matrix products share: sums of integer products,
// four at a time; a pass that turns sums into results; and one before that writes zero points that the
// run gives, and the bias, side by side as int32, since no device need bind more than four buffers. A
// shader defines add_sums(), of p.count invocations, and its own parameter words from kOwn on; with
// INTEGER_DOT four products of int8 are one instruction.
#define PARAMETER_BINDING 4
#define PARAMETER_VECTORS 17
#define WALK_OPERANDS 4
#include "parameters.glsl"
#include "wide.glsl"
#include "requantise.glsl"

layout(constant_id = 1) const uint kPass = 0u;
layout(constant_id = 2) const uint kTypeX = 0u;       // as integers.glsl has them
layout(constant_id = 3) const uint kTypeW = 0u;       // beside these kPacked4
layout(constant_id = 4) const bool kHasBias = false;
layout(constant_id = 5) const uint kWords = 0u;  // as below
layout(constant_id = 6) const uint kRounding = 0u;
layout(constant_id = 7) const uint kGiven = 0u;  // zero points in b: 1 of x, 2 of w

const uint kSums = 0u, kResults = 1u, kNumbers = 2u;  // kPass
// Sums: x, w, bias, sums. Results: sums, multipliers, shifts, y. Numbers: integers in the first, of
// type kTypeX, int32 in the last.
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer W { uint w[]; };
layout(set = 0, binding = 2) readonly buffer B { uint b[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };

layout(push_constant) uniform Push { uint count, y_skip; } p;

#include "each_element.glsl"
#include "integers.glsl"

// The words of the parameter block: of sums...
const uint kDepth = 0u;              // products of a run
const uint kXStep = 1u, kWStep = 2u;  // strides in a run
const uint kXZero = 3u, kWZero = 4u;
const uint kAbove = 5u;  // what lies outside x, less the zero point
const uint kXSkip = 6u, kWSkip = 7u, kBiasSkip = 8u, kSumSkip = 9u;
const uint kXZeroSkip = 10u, kWZeroSkip = 11u;  // in b
const uint kOwn = 12u;                          // the shader's
// ... and of the other passes.
const uint kRank = 0u, kFirstSkip = 1u, kMultiplierSkip = 2u, kShiftSkip = 3u;
const uint kOutput = 4u;  // zero point, low, high
const uint kWalk = 7u;    // over the four buffers

#include "walk.glsl"

// Two elements of w a byte.
const uint kPacked4 = 8u;

// How elements are read: one by one; words of four products of a run, in x and in w; words of four
// sums' neighbouring x and w, a run having one product; or one by one to sums of 64 bits, which like
// their biases are two words each.
const uint kBytes = 0u, kWordsOfRuns = 1u, kWordsOfSums = 2u, kWide = 3u;

ivec4 numbers_of(uint type, uint word) {
  if ((type & kSigned) == 0u) {
    return ivec4(word & 0xffu, word >> 8 & 0xffu, word >> 16 & 0xffu, word >> 24);
  }
  return ivec4(int(word << 24) >> 24, int(word << 16) >> 24, int(word << 8) >> 24, int(word) >> 24);
}

int sum_of_numbers(ivec4 numbers) { return numbers.x + numbers.y + numbers.z + numbers.w; }

#ifdef INTEGER_DOT
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4450)
int signed_dot(int a, int b, spirv_literal uint packed_format);

// Of int8 alone: what the dispatch rule gives it.
int products(uint a, uint b) { return signed_dot(int(a), int(b), 0u); }
int sum_of_x(uint word) { return signed_dot(int(word), 0x01010101, 0u); }
int sum_of_w(uint word) { return signed_dot(int(word), 0x01010101, 0u); }
#else
int products(uint a, uint b) {
  return sum_of_numbers(numbers_of(kTypeX, a) * numbers_of(kTypeW, b));
}
int sum_of_x(uint word) { return sum_of_numbers(numbers_of(kTypeX, word)); }
int sum_of_w(uint word) { return sum_of_numbers(numbers_of(kTypeW, word)); }
#endif

// Four elements of 4 bits as those of 8.
uint bytes_of(uint halves) {
  uint bytes = (halves & 0xfu) | (halves & 0xf0u) << 4 | (halves & 0xf00u) << 8 | (halves & 0xf000u) << 12;
  return (kTypeW & kSigned) == 0u ? bytes : bytes | (bytes & 0x08080808u) * 0x1eu;
}

// The word of w that holds an element.
uint w_word(uint at) {
  if ((kTypeW & kPacked4) != 0u) return bytes_of(w[at >> 3] >> ((at & 4u) * 4u));
  return w[word_at(kTypeW & 3u, at)];
}

int x_number(uint at) { return number_of(kTypeX, x[word_at(kTypeX & 3u, at)], at); }
int w_number(uint at) { return number_of(kTypeW, w_word(at), at); }

// Zero points of four sums, in b from `x_at` on and at `w_at`, or known.
struct Zeros {
  int x;
  ivec4 w;
};

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

// Adds a run of products to each of four sums.
void add_run(inout ivec4 sums, uvec4 x_at, uvec4 w_at, Zeros zeros) {
  uint depth = parameter(kDepth);
  if (kWords == kWordsOfSums) {
    sums += (numbers_of(kTypeX, x[x_at.x >> 2]) - zeros.x) *
            (numbers_of(kTypeW, w_word(w_at.x)) - zeros.w);
  } else if (kWords == kWordsOfRuns) {
    for (uint k = 0u; k < depth; k += 4u) {
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
  for (uint k = 0u; k < parameter(kDepth); ++k) {
    for (uint j = 0u; j < 4u; ++j) add_product(sums, j, above, w_number(w_at[j]) - zeros.w[j]);
    w_at += parameter(kWStep);
  }
}

void add_sums();

uint element(uint i, out uint y_at) {
  uint at[4] = uint[4](parameter(kFirstSkip), parameter(kMultiplierSkip), parameter(kShiftSkip), p.y_skip);
  walk(i, parameter(kRank), at);
  y_at = at[3];
  if (kPass == kNumbers) return uint(x_number(at[0]));
  Limits limits =
      Limits(int(parameter(kOutput)), int(parameter(kOutput + 1u)), int(parameter(kOutput + 2u)));
  int shift = number_of(kBool | kSigned, b[at[2] >> 2], at[2]);
  int multiplier = int(w[at[1]]);
  if (kWords == kWide) {
    Wide sum = Wide(int(x[at[0] + 1u]), x[at[0]]);
    int number = wide_requantised(sum, multiplier, shift, kRounding);
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
