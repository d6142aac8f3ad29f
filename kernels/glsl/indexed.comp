// Family indexed: elements read from places that indices name, or written to them. Negative indices
// count from the end. Those that lie outside are clamped where they read, and an update whose place lies
// outside is left out, so that no data can make it reach elsewhere (index_check.comp reports them).
/* words
use each_element
enum IndexedReduction from ops/attributes.h as Reduce
spec
  uint store  // as each_element.glsl has it
  uint type  // of all but the indices, by its size
  bool wide  // int64 indices: two words each, low first
  bool scatters
  IndexedReduction reduction  // of float32 and int32
push
  uint count, rank, source_skip, indices_skip, y_skip
  uint tuple, index_step  // numbers that are a place, and words from one to the next
parameters
  walk 3  // source, indices, y
  uint sizes[8], strides[8]  // of the dims that a place names: what they stride in the whole
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "indexed.words.glsl"
#include "numbers.glsl"
#include "parameters.glsl"

layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) readonly buffer Indices { int indices[]; };
layout(set = 0, binding = 2) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "index.glsl"
#include "walk.glsl"

// The offset of the place in the whole; outside: false, and the offset of the nearest place.
bool place_at(uint at, out uint offset) {
  offset = 0u;
  bool inside = true;
  for (uint i = 0u; i < p.tuple; ++i) {
    int size = int(parameter(kSizes + i));
    int index = index_at(at + i * p.index_step);
    if (index < 0) index += size;
    inside = inside && index >= 0 && index < size;
    offset += uint(min(max(index, 0), size - 1)) * parameter(kStrides + i);
  }
  return inside;
}

uint element(uint i, out uint y_at) {
  uint at[3] = {p.source_skip, p.indices_skip, p.y_skip};
  walk(i, p.rank, at);
  uint offset;
  place_at(at[1], offset);
  if (!kScatters) at[0] += offset;
  y_at = at[2];
  return bits_of(kType, source[word_at(kType, at[0])], at[0]);
}

uint reduced(uint before, uint update) {
  if (kType == kFloat) {
    float a = uintBitsToFloat(before), b = uintBitsToFloat(update);
    if (kReduction == kReduceAdd) return floatBitsToUint(a + b);
    if (kReduction == kReduceMul) return floatBitsToUint(a * b);
    if (is_nan(a)) return before;
    bool takes = is_nan(b) || (kReduction == kReduceMin ? b < a : b > a);
    return takes ? update : before;
  }
  if (kReduction == kReduceAdd) return before + update;
  if (kReduction == kReduceMul) return before * update;
  return uint(kReduction == kReduceMin ? min(int(before), int(update)) : max(int(before), int(update)));
}

void scatter() {
  uint i = grid_index();
  if (i >= p.count) return;
  uint at[3] = {p.source_skip, p.indices_skip, p.y_skip};
  walk(i, p.rank, at);
  uint offset;
  if (!place_at(at[1], offset)) return;
  uint update = bits_of(kType, source[word_at(kType, at[0])], at[0]);
  if (kReduction == kReduceNone) {
    store_element(kType, at[2] + offset, update);
    return;
  }
  // Others may update the same place: whoever was faster is seen, and added to.
  uint before = y[at[2] + offset];
  for (;;) {
    uint after = reduced(before, update);
    if (after == before) return;
    uint seen = atomicCompSwap(y[at[2] + offset], before, after);
    if (seen == before) return;
    before = seen;
  }
}

void main() {
  if (kScatters) {
    scatter();
  } else {
    store_elements();
  }
}
// SPDX-License-Identifier: Apache-2.0
