// Sums of blocks of four output channels, for convolutions whose results another pass makes.
/* words
use integer_sums
use channels
*/
#include "channels.glsl"

// Stores the sums of a place whose first channel lies at `at`.
void store_sums(Channels channels, uint at, ivec4 sums) {
  uint outputs = parameter(kGroupOutputs);
  for (uint j = 0u; j < 4u && channels.first + j < outputs; ++j) {
    uint o = channels.o + j;
    store_sum(sums, j, at + o * parameter(kSumOutput), parameter(kBiasSkip) + o * parameter(kBiasStride));
  }
}
// SPDX-License-Identifier: Apache-2.0
