// Results that are elements of `y`, one an invocation, or as many as a word holds. To be included
// after the buffer `y` and the push words, of which it takes count and y_skip; the shader defines
// element().
/* words
use elements
constant run = 4  // beside y's type in kStore: elements lie side by side
*/
#include "grid.glsl"
#include "elements.glsl"

// A shader's first specialization constant is kStore: y's type, and kRun where elements lie side by
// side in the order of the invocations, which write whole words then.
const uint kStored = kStore & 3u;

// The bits of result i, and where in y they belong.
uint element(uint i, out uint y_at);

// The whole of a shader's work.
void store_elements() {
  uint i = grid_index();
  uint at;
  if ((kStore & kRun) == 0u) {
    if (i >= p.count) return;
    uint bits = element(i, at);
    store_element(kStored, at, bits);
    return;
  }
  uint held = per_word(kStored);
  uint lead = p.y_skip % held;  // elements of the first word that lie before y
  uint all = 0u, mask = 0u;
  for (uint k = 0u; k < held; ++k) {
    uint place = i * held + k;
    if (place < lead || place - lead >= p.count) continue;
    all |= element(place - lead, at) << shift_of(kStored, k);
    mask |= mask_of(kStored) << shift_of(kStored, k);
  }
  uint word = p.y_skip / held + i;
  if (mask == 0xffffffffu) {
    y[word] = all;
  } else if (mask != 0u) {
    store_part(word, all, mask);
  }
}
// SPDX-License-Identifier: Apache-2.0
