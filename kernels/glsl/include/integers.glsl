// Numbers of one, two and four bytes in words. To be included after elements.glsl.
/* words
constant signed = 4  // beside an element's type, where it has a sign
*/

int number_of(uint type, uint word, uint at) {
  uint bits = bits_of(type & 3u, word, at);
  uint unused = 32u - 32u / per_word(type & 3u);
  if ((type & kSigned) == 0u) return int(bits);
  return int(bits << unused) >> unused;
}

// Four numbers of a byte each.
ivec4 numbers_of(uint type, uint word) {
  if ((type & kSigned) == 0u) {
    return ivec4(word & 0xffu, word >> 8 & 0xffu, word >> 16 & 0xffu, word >> 24);
  }
  return ivec4(int(word << 24) >> 24, int(word << 16) >> 24, int(word << 8) >> 24, int(word) >> 24);
}
// SPDX-License-Identifier: Apache-2.0
