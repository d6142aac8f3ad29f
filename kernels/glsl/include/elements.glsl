// Elements in buffers of words, of which those of one and two bytes share a word. To be included
// after the buffer `y`.
/* words
enum ElementType = Float, Int, Bool, Half  // any other type by its size
*/

uint per_word(uint type) { return type == kBool ? 4u : type == kHalf ? 2u : 1u; }

// The word of a buffer that holds element `at`, and the element's bits in that word.
uint word_at(uint type, uint at) { return at / per_word(type); }
uint mask_of(uint type) { return 0xffffffffu >> (32u - 32u / per_word(type)); }
uint shift_of(uint type, uint at) { return at % per_word(type) * (32u / per_word(type)); }
uint bits_of(uint type, uint word, uint at) { return word >> shift_of(type, at) & mask_of(type); }

// Bytes of a word that are not in the mask may be another tensor's, which somebody else writes at
// the same time: only an access to the whole word at once leaves them as they are.
void store_part(uint word, uint bits, uint mask) {
  atomicAnd(y[word], ~mask);
  atomicOr(y[word], bits);
}

void store_element(uint type, uint at, uint bits) {
  if (per_word(type) == 1u) {
    y[at] = bits;
  } else {
    uint shift = shift_of(type, at);
    store_part(word_at(type, at), (bits & mask_of(type)) << shift, mask_of(type) << shift);
  }
}
// SPDX-License-Identifier: Apache-2.0
