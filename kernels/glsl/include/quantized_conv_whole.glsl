// Quantized convolution in one dispatch: four output channels of neighboring places of a row. With RESIDUAL a
// tensor is added to what the convolution makes; biases, multipliers and shifts are one uniform buffer
// then, which leaves that tensor the fourth storage buffer.
/* words
use integer_whole
use conv_words
struct ConvWhole
  WholeWords whole
  ConvOwn own
*/
#include "integer_whole.glsl"
#include "channels.glsl"
#ifdef RESIDUAL
#include "residual.glsl"
#endif

// Taps of a row that are loaded at once: waiting for each takes longer.
const uint kTapsAtOnce = 3u;

// Adds a row of taps, one product each, of words of neighboring channels. Where fewer are left than are loaded
// at once, the last one repeats, times zero.
void add_taps(inout ivec4 sums[kPlacesMax], uint x_row, bool row_inside, int left[kPlacesMax], uint w_row,
              Zeros zeros) {
  uint taps = parameter(kKernel + 1u);
  for (uint kw = 0u; kw < taps; kw += kTapsAtOnce) {
    [[unroll]] for (uint i = 0u; i < kTapsAtOnce; ++i) {
      uint tap = min(kw + i, taps - 1u);
      ivec4 factors = numbers_of(kTypeW, w_word(w_row + tap * parameter(kWStrides + 1u)));
      factors = kw + i < taps ? factors - zeros.w : ivec4(0);
      [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
        if (j < kPlaces) {
          uint column = uint(left[j] + int(tap * parameter(kDilation + 1u)));
          bool inside = row_inside && column < parameter(kWidth);
          uint x_at = x_row + (inside ? column * parameter(kXStrides + 1u) : 0u);
          ivec4 numbers = numbers_of(kTypeX, x[x_at >> 2]) - zeros.x;
          sums[j] += (inside ? numbers : ivec4(int(parameter(kAbove)))) * factors;
        }
      }
    }
  }
}

void main() {
  uint rest = sums_index();
  bool idle = rest >= p.count;
  if (idle) {
    if (kSlices == 1u) return;
    rest = p.count - 1u;  // all of a group meet at the barrier
  }
  Channels channels = channels_of(rest);
  uint out_width = parameter(kOutWidth);
  uint strips = (out_width + kPlaces - 1u) / kPlaces;
  uint quotient = rest / strips;
  uint ow = (rest - quotient * strips) * kPlaces;
  uint n = quotient / parameter(kOutHeight);
  uint oh = quotient - n * parameter(kOutHeight);

  uint outputs = parameter(kGroupOutputs) - channels.first;
#ifdef RESIDUAL
  Ends ends = ends_of(channels.o, outputs);
  uint r_at = residual_at(n, channels.o, oh);
  uint r_words[kPlacesMax];
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    r_words[j] = j < kPlaces ? residual_word(r_at, min(ow + j, out_width - 1u)) : 0u;
  }
#else
  Ends ends = ends_of(channels.o, outputs, parameter(kBiasSkip) + channels.o * parameter(kBiasStride),
                      parameter(kBiasStride));
#endif
  uvec4 x_first = channels.x_at + n * parameter(kXImage);
  int top = int(oh * parameter(kStride)) - int(parameter(kPad));
  // The last strip repeats its last place instead of leaving the row.
  int left[kPlacesMax];
  ivec4 sums[kPlacesMax];
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    left[j] = int(min(ow + j, out_width - 1u) * parameter(kStride + 1u)) - int(parameter(kPad + 1u));
    sums[j] = ivec4(0);
  }
  bool above = parameter(kAbove) != 0u;
  for (uint kh = 0u; kh < parameter(kKernel); ++kh) {
    uint h = uint(top + int(kh * parameter(kDilation)));
    bool row_inside = h < parameter(kHeight);  // before the input counts as large
    if (!row_inside && !above) continue;
    if (kWords == kWordsOfSums) {
      add_taps(sums, x_first.x + (row_inside ? h * parameter(kXStrides) : 0u), row_inside, left,
               channels.w_at.x + kh * parameter(kWStrides), channels.zeros);
      continue;
    }
    for (uint kw = 0u; kw < parameter(kKernel + 1u); ++kw) {
      uvec4 w_at = channels.w_at + kh * parameter(kWStrides) + kw * parameter(kWStrides + 1u);
      uint places[kPlacesMax];
      bool inside[kPlacesMax];
      bool some = false;
      [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
        uint column = uint(left[j] + int(kw * parameter(kDilation + 1u)));
        inside[j] = row_inside && column < parameter(kWidth);
        places[j] = inside[j] ? h * parameter(kXStrides) + column * parameter(kXStrides + 1u) : 0u;
        if (j < kPlaces) {
          some = some || inside[j];
          if (above && !inside[j]) add_outside(sums[j], w_at, channels.zeros.w);
        }
      }
      if (some) add_run(sums, x_first, places, inside, w_at, channels.zeros);
    }
  }
  if (!join_slices(sums[0]) || idle) return;
  uint at = parameter(kSumSkip) + n * parameter(kSumImage) + oh * parameter(kSumStrides) +
            channels.o * parameter(kSumOutput);
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    if (j < kPlaces && ow + j < out_width) {
      ivec4 numbers = results_of(sums[j], ends, kRounding, output_limits());
#ifdef RESIDUAL
      numbers = with_residual(numbers, r_words[j], r_at, ow + j, outputs);
#endif
      store_results(numbers, at + (ow + j) * parameter(kSumStrides + 1u), parameter(kSumOutput), outputs);
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
