// Quantized convolutions and matrix products in one dispatch: four sums of integer products at a
// time, of one place or of several that share words of w, then their results. Multipliers and
// shifts are uniform buffers, since a device may bind no more than four storage buffers; zero points
// are known and sums have 32 bits. A shader defines main() and its own parameters behind WholeWords; with
// JOINED also binding 2 and ends_of().
/* words
use requantize
use elements
use each_element
use integer_products
use integer_results
struct WholeSpec
  uint store  // y's type; with kRun beside it four results are a word
  uint type_x  // as integers.glsl has them
  uint type_w  // beside these kPacked4
  bool has_bias
  WordUse words
  Rounding rounding
  uint slices = 1  // invocations of a group that share a tile: a power of two up to 32; more than 1 where words are of runs, rows or sums alone
  uint places = 1  // of a tile, four sums each, that share words of w: 1, 2 or 4
struct WholePush
  uint count
struct WholeWords
  uint depth           // products of a run
  uint x_step, w_step  // strides in a run
  int x_zero, w_zero
  uint above  // what lies outside x, less the zero point
  uint x_skip, w_skip, bias_skip, sum_skip, x_zero_skip, w_zero_skip  // sum_skip: of y
  uint multiplier_skip, multiplier_stride, shift_skip, shift_stride   // from one output channel to the next
  OutputWords output
*/
#include "parameters.glsl"
#include "wide.glsl"
#include "requantize.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 0) readonly buffer X4 { uvec4 x4[]; };
layout(set = 0, binding = 1) readonly buffer W { uint w[]; };
layout(set = 0, binding = 1) readonly buffer W4 { uvec4 w4[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };
#ifndef JOINED
layout(set = 0, binding = 2) readonly buffer B { uint b[]; };
// The guaranteed 16 KiB each.
layout(std140, set = 0, binding = PARAMETER_BINDING + 1) uniform Multipliers { ivec4 multipliers[1024]; };
layout(std140, set = 0, binding = PARAMETER_BINDING + 2) uniform Shifts { uvec4 shifts[1024]; };
#endif

#include "grid.glsl"
#include "elements.glsl"
#include "integers.glsl"
#include "integer_products.glsl"

const uint kPlacesMax = 4u;
const uint kSumsOfTile = kPlaces;
#include "slices.glsl"

const uint kStored = kStore & 3u;
#include "integer_results.glsl"

Zeros zeros_at(uint x_at, uvec4 w_at) { return Zeros(int(parameter(kXZero)), ivec4(parameter(kWZero))); }

// Adds up what the slices found of a tile. False in invocations that are not to store any.
bool join_slices(inout ivec4 sums[kPlacesMax]) {
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    if (j < kPlaces) leave_slice(j, sums[j]);
  }
  if (kSlices > 1u) barrier();
  if (!stores_sums()) return false;
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    if (j < kPlaces) join_slice(j, sums[j]);
  }
  return true;
}

// Sums of words as they are stored, of each place: zero points are taken from them behind the last one.
struct StoredSums {
  ivec4 products[kPlacesMax];
  int x[kPlacesMax];
  ivec4 w;
  uint added;  // products of a sum
};

const bool kOfWords = kWords == kVectorsOfRuns || kWords == kWordsOfRuns || kWords == kWordsOfRows;
const uint kStep = kWords == kVectorsOfRuns ? 16u : 4u;  // products of a sum that one load is for

StoredSums no_sums() {
  StoredSums sums;
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    sums.products[j] = ivec4(0);
    sums.x[j] = 0;
  }
  sums.w = ivec4(0);
  sums.added = 0u;
  return sums;
}

// The zero points of what products() multiplies.
Zeros stored_zeros(Zeros zeros) { return Zeros(zeros.x - moved_by(kTypeX), zeros.w - moved_by(kTypeW)); }

// Four elements that lie outside x.
uint outside_word() { return ((parameter(kXZero) + parameter(kAbove)) & 0xffu) * 0x01010101u; }

// Adds the products of a word of each place and four words of w: so many of each sum, behind which both have what
// counts as zero.
void add_words(inout StoredSums sums, uint v[kPlacesMax], uvec4 words, uint count, Zeros zeros) {
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    if (j < kPlaces) {
      sums.products[j] += products_of_four(v[j], words);
      if (zeros.w != ivec4(0)) sums.x[j] += sum_of_x(v[j]);
    }
  }
  if (zeros.x != 0) sums.w += sums_of_four(words);
  sums.added += count;
}

// Adds kStep products to each sum. Those of place j begin at element x_at[j], which is any of x where that place
// is outside; `zeros` are stored ones.
void add_step(inout StoredSums sums, uint x_at[kPlacesMax], bool inside[kPlacesMax], uvec4 w_at, Zeros zeros) {
  if (kWords == kVectorsOfRuns) {
    uvec4 w_0 = w4[w_at.x >> 4], w_1 = w4[w_at.y >> 4], w_2 = w4[w_at.z >> 4], w_3 = w4[w_at.w >> 4];
    [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
      if (j < kPlaces) {
        uvec4 v = x4[x_at[j] >> 4];
        if (!inside[j]) v = uvec4(outside_word());
        FOR_WORDS (uint i = 0u; i < 4u; ++i) {
          sums.products[j] += products_of_four(v[i], uvec4(w_0[i], w_1[i], w_2[i], w_3[i]));
          if (zeros.w != ivec4(0)) sums.x[j] += sum_of_x(v[i]);
        }
      }
    }
    if (zeros.x != 0) {
      FOR_WORDS (uint i = 0u; i < 4u; ++i) sums.w += sums_of_four(uvec4(w_0[i], w_1[i], w_2[i], w_3[i]));
    }
    sums.added += kStep;
  } else {
    uint v[kPlacesMax];
    [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
      if (j < kPlaces) v[j] = inside[j] ? x[x_at[j] >> 2] : outside_word();
    }
    add_words(sums, v, uvec4(w_word(w_at.x), w_word(w_at.y), w_word(w_at.z), w_word(w_at.w)), kStep, zeros);
  }
}

// The sums of place j.
ivec4 sums_of(StoredSums sums, uint j, Zeros zeros) {
  return sums.products[j] - zeros.x * sums.w - zeros.w * (sums.x[j] - int(sums.added) * zeros.x);
}

// Adds a run of products, one by one, to four sums of each place that is inside x. Runs of place j begin at
// x_at + places[j], any element of x where it is outside.
void add_run(inout ivec4 sums[kPlacesMax], uvec4 x_at, uint places[kPlacesMax], bool inside[kPlacesMax],
             uvec4 w_at, Zeros zeros) {
  for (uint k = 0u; k < parameter(kDepth); ++k) {
    ivec4 factors = ivec4(w_number(w_at.x), w_number(w_at.y), w_number(w_at.z), w_number(w_at.w)) - zeros.w;
    [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
      if (j < kPlaces && inside[j]) {
        uvec4 at = x_at + places[j];
        ivec4 numbers = ivec4(x_number(at.x));
        if (kWords == kBytes) numbers.yzw = ivec3(x_number(at.y), x_number(at.z), x_number(at.w));
        sums[j] += (numbers - zeros.x) * factors;
      }
    }
    x_at += parameter(kXStep);
    w_at += parameter(kWStep);
  }
}

// The same of a run that lies outside x.
void add_outside(inout ivec4 sums, uvec4 w_at, ivec4 w_zeros) {
  for (uint k = 0u; k < parameter(kDepth); ++k) {
    ivec4 numbers = ivec4(w_number(w_at.x), w_number(w_at.y), w_number(w_at.z), w_number(w_at.w));
    sums += int(parameter(kAbove)) * (numbers - w_zeros);
    w_at += parameter(kWStep);
  }
}

#ifndef JOINED
// The numbers of output channels o to o + 3. Where there are no four, the last of `outputs` stands for the
// others. A shader reads them before the sums are added up, which hides how long it takes.
Ends ends_of(uint o, uint outputs, uint bias_at, uint bias_stride) {
  Ends ends;
  uint first = parameter(kMultiplierSkip) + o * parameter(kMultiplierStride);
  uint first_shift = parameter(kShiftSkip) + o * parameter(kShiftStride);
  // One for all, or neighbors in a vector, are one load: different ones in different invocations are
  // slow.
  bool same = (parameter(kMultiplierStride) | parameter(kShiftStride)) == 0u;
  bool whole = outputs >= 4u && (parameter(kMultiplierStride) & parameter(kShiftStride)) == 1u &&
               ((first | first_shift) & 3u) == 0u;
  if (whole) {
    uint word = shifts[first_shift >> 4][first_shift >> 2 & 3u];
    ends.multipliers = multipliers[first >> 2];
    ends.shifts = ivec4(int(word << 24), int(word << 16), int(word << 8), int(word)) >> 24;
  } else if (same) {
    ends.multipliers = ivec4(multipliers[first >> 2][first & 3u]);
    uint word = shifts[first_shift >> 4][first_shift >> 2 & 3u];
    ends.shifts = ivec4(int(word << (24u - 8u * (first_shift & 3u))) >> 24);
  }
  [[unroll]] for (uint j = 0u; j < 4u; ++j) {
    uint channel = min(j, outputs - 1u);
    ends.bias[j] = kHasBias ? int(b[bias_at + channel * bias_stride]) : 0;
    if (whole || same) continue;
    uint at = first + channel * parameter(kMultiplierStride);
    ends.multipliers[j] = multipliers[at >> 2][at & 3u];
    at = first_shift + channel * parameter(kShiftStride);
    ends.shifts[j] = int(shifts[at >> 4][at >> 2 & 3u] << (24u - 8u * (at & 3u))) >> 24;
  }
  return ends;
}
#endif
// SPDX-License-Identifier: Apache-2.0
