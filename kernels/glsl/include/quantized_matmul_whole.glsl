// Quantized matrix product in one dispatch: four columns of a row.
/* words
use integer_whole
use matmul_places
struct MatMulWhole
  WholeWords whole
  MatMulOwn own
*/
#include "integer_whole.glsl"
#include "matmul_places.glsl"

// An invocation's slice of four sums.
ivec4 products_of_run(uint x_at, uvec4 w_at) {
  Zeros zeros = zeros_at(0u, uvec4(0u));
  uint at[kPlacesMax] = uint[](x_at, x_at, x_at, x_at);
  bool inside[kPlacesMax] = bool[](true, true, true, true);
  if (kOfWords) {
    StoredSums stored = no_sums();
    zeros = stored_zeros(zeros);
    for (uint k = kStep * slice(); k < parameter(kDepth); k += kStep * kSlices) {
      at[0] = x_at + k;
      add_step(stored, at, inside, w_at + k, zeros);
    }
    return sums_of(stored, 0u, zeros);
  }
  ivec4 sums[kPlacesMax] = ivec4[](ivec4(0), ivec4(0), ivec4(0), ivec4(0));
  add_run(sums, uvec4(0u), at, inside, w_at, zeros);
  return sums[0];
}

void main() {
  uint rest = sums_index();
  bool idle = rest >= p.count;
  if (idle) {
    if (kSlices == 1u) return;
    rest = p.count - 1u;  // all of a group meet at the barrier
  }
  MatMulPlace place = matmul_place(rest);
  uint outputs = place.columns - place.first;
  uint bias_stride = parameter(kColumnStrides + 1u), y_stride = parameter(kColumnStrides + 2u);
  Ends ends = ends_of(place.first, outputs, place.at[2] + place.first * bias_stride, bias_stride);
  ivec4 sums = products_of_run(place.at[0], place.at[1] + lanes_of(place) * parameter(kColumnStrides));
  if (!join_slices(sums) || idle) return;
  store_results(results_of(sums, ends, kRounding, output_limits()), place.at[3] + place.first * y_stride, y_stride, outputs);
}
// SPDX-License-Identifier: Apache-2.0
