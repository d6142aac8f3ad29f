// The table that replaces a quantized convolution's results.
/* words
use integer_whole
use conv_words
use conv_ends
struct ConvLookupSpec
  uint store  // y's type; with kRun beside it four results are a word
  uint type_x, type_w  // as integers.glsl has them
  WordUse words
  Rounding rounding
  uint slices = 1  // as in WholeSpec
  uint places = 1
struct ConvLookup
  WholeWords whole
  ConvOwn own
  ConvEndsWords ends
  uint table_skip, table_stride
  int lowest  // number of y's type
*/
#include "conv_ends.glsl"

layout(set = 0, binding = 2) readonly buffer Table { uint table[]; };

// The bits that four numbers become.
ivec4 looked_up(ivec4 numbers) {
  uvec4 at = parameter(kTableSkip) + (uvec4(numbers) - parameter(kLowest)) * parameter(kTableStride);
  ivec4 bits;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) bits[i] = int(bits_of(kStored, table[word_at(kStored, at[i])], at[i]));
  return bits;
}
// SPDX-License-Identifier: Apache-2.0
