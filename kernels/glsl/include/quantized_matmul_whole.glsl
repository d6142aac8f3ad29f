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

void main() {
  uint rest = sums_index();
  bool idle = rest >= p.count;
  if (idle) {
    if (kSlices == 1u) return;
    rest = p.count - 1u;  // all of a group meet at the barrier
  }
  MatMulPlace place = matmul_place(rest);
  ivec4 sums[kPlacesMax];
  uint places[kPlacesMax];
  bool inside[kPlacesMax];
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    sums[j] = ivec4(0);
    places[j] = 0u;
    inside[j] = true;
  }
  uint outputs = place.columns - place.first;
  uint bias_stride = parameter(kColumnStrides + 1u), y_stride = parameter(kColumnStrides + 2u);
  Ends ends = ends_of(place.first, outputs, place.at[2] + place.first * bias_stride, bias_stride);
  add_run(sums, uvec4(place.at[0]), places, inside,
          place.at[1] + lanes_of(place) * parameter(kColumnStrides), zeros_at(0u, uvec4(0u)));
  if (!join_slices(sums[0]) || idle) return;
  store_results(results_of(sums[0], ends, kRounding, output_limits()), place.at[3] + place.first * y_stride, y_stride, outputs);
}
// SPDX-License-Identifier: Apache-2.0
