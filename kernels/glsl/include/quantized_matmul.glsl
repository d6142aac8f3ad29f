// Quantized matrix product: four columns of a row are added up at once.
/* words
use integer_sums
use matmul_places
struct MatMulSums
  SumWords sums
  MatMulOwn own
*/
#include "integer_sums.glsl"
#include "matmul_places.glsl"

void add_sums() {
  uint rest = sums_index();
  bool idle = rest >= p.count;
  if (idle) {
    if (kSlices == 1u) return;
    rest = p.count - 1u;  // all of a group meet at the barrier
  }
  MatMulPlace place = matmul_place(rest);
  uvec4 lanes = lanes_of(place);
  ivec4 sums = ivec4(0);
  add_run(sums, uvec4(place.at[0]), place.at[1] + lanes * parameter(kColumnStrides),
          zeros_at(place.at[4], place.at[5] + lanes * parameter(kColumnStrides + 3u)));
  if (!join_slices(sums) || idle) return;
  for (uint j = 0u; j < 4u && place.first + j < place.columns; ++j) {
    store_sum(sums, j, place.at[3] + (place.first + j) * parameter(kColumnStrides + 2u),
              place.at[2] + (place.first + j) * parameter(kColumnStrides + 1u));
  }
}
// SPDX-License-Identifier: Apache-2.0
