// Shares of exponentials of integers over each row: TensorFlow Lite's of 8 and of 16 bits, and that
// by a table. The same bits as the CPU's: sums saturate, in whatever order they are made. A row is
// one invocation's work, or a group's where it is long.
/* words
use requantize
use rows
use elements
use integers
enum Kind = FixedPoint, Interpolated, Tabled  // whose exponentials
spec
  bool group
  Op op
  uint type_x  // as integers.glsl has them
  uint type_y
  Kind kind
  bool run  // a row's results lie side by side
push RowsPush
parameters
  int multiplier, shift, diff_min
  OutputWords output
  uint table_skip, table_strides[2], reciprocals_skip, reciprocals_stride
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "quantized_softmax.words.glsl"
#include "grid.glsl"
#include "parameters.glsl"
#include "wide.glsl"
#include "requantize.glsl"
#include "fixed_point.glsl"
#include "rows.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Y { uint y[]; };
layout(set = 0, binding = 2) readonly buffer Table { uint table[]; };
layout(set = 0, binding = 3) readonly buffer Reciprocals { uint reciprocals[]; };

#include "elements.glsl"
#include "integers.glsl"

shared uint parts[64];

int scaled(int d) {
  return requantized(d, int(parameter(kMultiplier)), int(parameter(kShift)), kTfliteDouble);
}

// --- Tables of 513 values of 16 bits.

int halves_of(uint word, uint at) { return number_of(kHalf | kSigned, word, at); }

int exp_at(uint place) {
  uint at = parameter(kTableSkip) + place * parameter(kTableStrides);
  return halves_of(table[at / 2u], at);
}
int reciprocal_at(uint place) {
  uint at = parameter(kReciprocalsSkip) + place * parameter(kReciprocalsStride);
  return halves_of(reciprocals[at / 2u], at);
}

int to_16_bits(int number) { return number << 16 >> 16; }

int between(int value, int next, int x) {
  int slope = to_16_bits(next - value);
  return to_16_bits(value + ((slope * (x & 0x7f) + 64) >> 7));
}

int interpolated_exp(int d) {
  // Numbers that leave 32 bits saturate, as they would at 16.
  int x = clamp(min(scaled(d), 0x7fff0000) + 32767, -32768, 32767);
  uint place = uint(256 + (x >> 7));
  return between(exp_at(place), exp_at(place + 1u), x);
}

// --- What each kind adds up, and the share of each element.

uint tabled(uint row, int d) {
  return table[parameter(kTableSkip) + row * parameter(kTableStrides) +
               uint(-d) * parameter(kTableStrides + 1u)];
}

uint summand(int d) {
  if (kKind == kTabled) return tabled(1u, d);
  if (kKind == kInterpolated) return uint(max(interpolated_exp(d), 0));
  if (d < int(parameter(kDiffMin))) return 0u;
  return uint(rounded_shift_away(exp_of_negative(scaled(d)), 12));
}

uint saturating_sum(uint a, uint b) {
  const uint most = kKind == kInterpolated ? 0x7fffffffu : 0xffffffffu;
  return b < most - a ? a + b : most;
}

// For a sum that is not 0: the factor of its elements, and their shift.
void invert(uint sum, out int reciprocal, out int exponent) {
  int zeros = 31 - findMSB(sum);
  if (kKind == kInterpolated) {
    // sum * 2^(zeros - 1), of 31 bits, to 17, halves up.
    uint normal = ((sum << (zeros - 1)) + (1u << 13)) >> 14;
    int at = clamp(int(normal) - 98304, -32768, 32767);
    uint place = uint(256 + (at >> 7));
    reciprocal = between(reciprocal_at(place), reciprocal_at(place + 1u), at);
    exponent = 31 - zeros;
  } else {
    reciprocal = one_over_one_plus(int((sum << zeros) - 0x80000000u));
    exponent = min(12 + 31 - zeros - int(32u / per_word(kTypeY & 3u)), 32);
  }
}

int share(int d, uint sum, int reciprocal, int exponent) {
  if (kKind == kTabled) {
    uint numerator = tabled(0u, d);
    uint whole = numerator / sum, rest = numerator % sum, missing = sum - rest;
    bool up = rest > missing || (rest == missing && (whole & 1u) != 0u);
    return int(min(whole, 0x7fffffffu - uint(up)) + uint(up));
  }
  if (kKind == kInterpolated) {
    int product = interpolated_exp(d) * reciprocal;
    int shared_out = exponent == 0 ? product
                                   : (product >> exponent) + (product >> (exponent - 1) & 1);
    return clamp(shared_out, 0, 32767);
  }
  if (d < int(parameter(kDiffMin))) return 0;
  return rounded_shift_away(doubling_high_product(reciprocal, exp_of_negative(scaled(d))), exponent);
}

int element_of(uint x_at, uint i) {
  uint at = x_at + x_element(i);
  return number_of(kTypeX, x[word_at(kTypeX & 3u, at)], at);
}

void main() {
  uint row = kGroup ? grid_group() : grid_index();
  if (row >= p.rows) return;  // a whole group returns, or nobody waits at a barrier
  uint first = kGroup ? gl_LocalInvocationID.x : 0u;
  uint step = kGroup ? 64u : 1u;
  uint x_at, y_at;
  row_start(row, x_at, y_at);

  int most = -32768;
  for (uint i = first; i < p.elements; i += step) most = max(most, element_of(x_at, i));
  if (kGroup) {
    parts[first] = uint(most);
    barrier();
    for (uint i = 0u; i < 64u; ++i) most = max(most, int(parts[i]));
    barrier();  // parts is about to be written again
  }

  uint sum = 0u;
  for (uint i = first; i < p.elements; i += step) {
    sum = saturating_sum(sum, summand(element_of(x_at, i) - most));
  }
  if (kGroup) {
    parts[first] = sum;
    barrier();
    sum = 0u;
    for (uint i = 0u; i < 64u; ++i) sum = saturating_sum(sum, parts[i]);
  }
  sum = max(sum, 1u);

  int reciprocal, exponent;
  invert(sum, reciprocal, exponent);
  Limits limits = output_limits();
  uint type = kTypeY & 3u;
  uint held = kRun ? per_word(type) : 1u;
  uint lead = kRun ? y_at % held : 0u;  // elements of the first word that lie before the row
  for (uint word = first; word * held < lead + p.elements; word += step) {
    uint all = 0u, mask = 0u;
    for (uint k = 0u; k < held; ++k) {
      uint i = word * held + k - lead;
      if (word * held + k < lead || i >= p.elements) continue;
      int d = element_of(x_at, i) - most;
      uint bits = uint(limited_result(share(d, sum, reciprocal, exponent), limits));
      if (!kRun) {
        store_element(type, y_at + y_element(i), bits);
        continue;
      }
      all |= (bits & mask_of(type)) << shift_of(type, k);
      mask |= mask_of(type) << shift_of(type, k);
    }
    if (mask == 0xffffffffu) {
      y[y_at / held + word] = all;
    } else if (mask != 0u) {
      store_part(y_at / held + word, all, mask);
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
