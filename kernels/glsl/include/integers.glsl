// Numbers of one, two and four bytes in words. To be included after elements.glsl.

// As kernels/dispatch/integers.h has them: an element's type, and this where it has a sign.
const uint kSigned = 4u;

int number_of(uint type, uint word, uint at) {
  uint bits = bits_of(type & 3u, word, at);
  uint unused = 32u - 32u / per_word(type & 3u);
  if ((type & kSigned) == 0u) return int(bits);
  return int(bits << unused) >> unused;
}
// SPDX-License-Identifier: Apache-2.0
