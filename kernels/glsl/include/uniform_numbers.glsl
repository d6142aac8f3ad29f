// Floats of a uniform buffer, which shaders see as vectors of four words: of 32 bits, or in a
// shader's twin of 16.

// The number at an index, in the vector of words that holds it.
float number_in(uvec4 words, uint at) {
#ifdef HALF_FLOATS
  return unpackHalf2x16(words[at >> 1u & 3u])[at & 1u];
#else
  return uintBitsToFloat(words[at & 3u]);
#endif
}
// The numbers at a multiple of four and the three behind it.
vec4 four_in(uvec4 words, uint at) {
#ifdef HALF_FLOATS
  uvec2 two = (at & 4u) == 0u ? words.xy : words.zw;
  return vec4(unpackHalf2x16(two.x), unpackHalf2x16(two.y));
#else
  return uintBitsToFloat(words);
#endif
}
#ifdef HALF_FLOATS
const uint kVectorLog = 3u;  // numbers in a vector of words
#else
const uint kVectorLog = 2u;
#endif
// SPDX-License-Identifier: Apache-2.0
