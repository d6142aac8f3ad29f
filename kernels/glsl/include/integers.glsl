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
// SPDX-License-Identifier: Apache-2.0
