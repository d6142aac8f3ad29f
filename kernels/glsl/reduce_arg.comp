// arg_max and arg_min of family reduce: the place of the best element of each row, as int64 in two words. A row is one
// invocation's work, or a whole group's where it is long.
/* words
use rows
use elements
use integers
spec
  bool group
  Op op
  bool select_last
  uint type  // as integers.glsl has them
push RowsPush
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "reduce_arg.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "rows.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Y { uint y[]; };  // the strides and the skip count words

#include "elements.glsl"
#include "integers.glsl"

shared uint keys[64];
shared uint places[64];

const bool kLeast = kOp == kOpArgMin;
const uint kSign = 0x80000000u;

// A number that is greater the better the element: integers compare all floats alike, subnormals too. Zeros are equal, a
// NaN is best.
uint key_of(uint at) {
  uint bits = uint(number_of(kType, x[word_at(kType & 3u, at)], at));
  if (kType != kFloat) return kLeast ? ~(bits ^ kSign) : bits ^ kSign;
  if (is_nan(uintBitsToFloat(bits))) return 0xffffffffu;
  if ((bits & ~kSign) == 0u) bits = 0u;
  uint rising = (bits & kSign) != 0u ? ~bits : bits | kSign;
  return kLeast ? ~rising : rising;
}

bool beats(uint key, uint place, uint best, uint best_place) {
  return key > best || (key == best && (kSelectLast ? place > best_place : place < best_place));
}

void main() {
  uint row = kGroup ? grid_group() : grid_index();
  if (row >= p.rows) return;  // a whole group returns, or nobody waits at a barrier
  uint first = kGroup ? gl_LocalInvocationID.x : 0u;
  uint step = kGroup ? 64u : 1u;
  uint x_at, y_at;
  row_start(row, x_at, y_at);

  // An invocation without elements takes the first one: it is there.
  uint place = 0u;
  uint best = key_of(x_at);
  for (uint i = first; i < p.elements; i += step) {
    uint key = key_of(x_at + x_element(i));
    if (beats(key, i, best, place)) {
      best = key;
      place = i;
    }
  }
  if (kGroup) {
    keys[first] = best;
    places[first] = place;
    barrier();
    if (first != 0u) return;
    for (uint i = 1u; i < 64u; ++i) {
      if (beats(keys[i], places[i], best, place)) {
        best = keys[i];
        place = places[i];
      }
    }
  }
  y[y_at] = place;
  y[y_at + 1u] = 0u;
}
// SPDX-License-Identifier: Apache-2.0
