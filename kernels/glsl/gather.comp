// y = data at run-time indices along one axis. Negative indices count from the end; those outside
// the axis are clamped to it, so that no data can make it read elsewhere (index_check.comp reports them).
/* words
use each_element
spec
  uint store  // as each_element.glsl has it
  bool wide  // int64 indices: two words each, low first
  uint type  // of data and y, by its size
push
  uint count, rank, data_skip, indices_skip, y_skip, axis_size, axis_stride
  // The arrays follow y's dims, innermost first; the indices' strides and skip count words.
  uint dims[6], data_strides[6], indices_strides[6], y_strides[6]
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "gather.words.glsl"

layout(set = 0, binding = 0) readonly buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Indices { int indices[]; };
layout(set = 0, binding = 2) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "index.glsl"

uint element(uint i, out uint y_at) {
  uint data_at = p.data_skip, indices_at = p.indices_skip;
  y_at = p.y_skip;
  for (uint d = 0u; d + 1u < p.rank; ++d) {
    uint quotient = i / p.dims[d];
    uint k = i - quotient * p.dims[d];
    data_at += k * p.data_strides[d];
    indices_at += k * p.indices_strides[d];
    y_at += k * p.y_strides[d];
    i = quotient;
  }
  uint last = p.rank - 1u;
  data_at += i * p.data_strides[last];
  indices_at += i * p.indices_strides[last];
  y_at += i * p.y_strides[last];

  int size = int(p.axis_size);
  int index = index_at(indices_at);
  if (index < 0) index += size;
  index = min(max(index, 0), size - 1);
  data_at += uint(index) * p.axis_stride;
  return bits_of(kType, data[word_at(kType, data_at)], data_at);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0
