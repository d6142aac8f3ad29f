// Elements of float32, int32 and bool (a byte of 0 or 1) in buffers of words: reading them, and
// writing results of which several share a word. To be included after the buffer `y` and the push
// words, of which it takes count and y_skip; the shader defines element().
#include "grid.glsl"

// As kernels/dispatch/elements.h has them.
const uint kFloat = 0u, kInt = 1u, kBool = 2u;
const uint kStoreWords = 0u;       // elements are words
const uint kStoreBytes = 1u;       // bytes, one an invocation
const uint kStoreWordsOfBytes = 2u;  // bytes side by side in the order of the invocations: four each

layout(constant_id = 0) const uint kStore = kStoreWords;

// Where element `at` of a buffer lies, and its bits in that word.
uint word_at(uint type, uint at) { return type == kBool ? at / 4u : at; }
uint bits_of(uint type, uint word, uint at) {
  return type == kBool ? word >> at % 4u * 8u & 0xffu : word;
}

// The bits of result i, and where in y they belong.
uint element(uint i, out uint y_at);

// Bytes of a word that are not in the mask may be another tensor's, which somebody else writes at
// the same time: only an access to the whole word at once leaves them as they are.
void store_part(uint word, uint bits, uint mask) {
  atomicAnd(y[word], ~mask);
  atomicOr(y[word], bits);
}

// The whole of a shader's work.
void store_elements() {
  uint i = grid_index();
  uint at;
  if (kStore != kStoreWordsOfBytes) {
    if (i >= p.count) return;
    uint bits = element(i, at);
    if (kStore == kStoreWords) {
      y[at] = bits;
    } else {
      uint shift = at % 4u * 8u;
      store_part(at / 4u, bits << shift, 0xffu << shift);
    }
    return;
  }
  uint lead = p.y_skip % 4u;  // bytes of the first word that lie before y
  uint all = 0u, mask = 0u;
  for (uint k = 0u; k < 4u; ++k) {
    uint place = i * 4u + k;
    if (place < lead || place - lead >= p.count) continue;
    all |= element(place - lead, at) << (k * 8u);
    mask |= 0xffu << (k * 8u);
  }
  uint word = p.y_skip / 4u + i;
  if (mask == 0xffffffffu) {
    y[word] = all;
  } else if (mask != 0u) {
    store_part(word, all, mask);
  }
}
// SPDX-License-Identifier: Apache-2.0
