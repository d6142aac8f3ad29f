// Quantized convolution in one dispatch: four output channels of neighboring places of a row. With RESIDUAL a
// tensor is added to what the convolution makes, with TABLE a table has what its results become.
/* words
use integer_whole
use conv_words
struct ConvWhole
  WholeWords whole
  ConvOwn own
*/
#if defined(RESIDUAL) || defined(TABLE)
#define JOINED
#endif
#include "integer_whole.glsl"
#include "channels.glsl"
#ifdef RESIDUAL
#include "residual.glsl"
#endif
#ifdef TABLE
#include "conv_table.glsl"
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

// A word of four elements from element `at` on, read between the words that hold elements first and last.
#define WORD_FROM(buffer, at, first, last)                                      \
  word_between(buffer[uint(clamp((at), int(first), int(last))) >> 2],           \
               buffer[uint(clamp((at) + 3, int(first), int(last))) >> 2], uint(at))
uint word_between(uint low, uint high, uint at) {
  uint shift = 8u * (at & 3u);
  return shift == 0u ? low : low >> shift | high << (32u - shift);
}

// The first bytes of a word, as many as there are of four at most.
uint first_bytes(int count) { return count >= 4 ? 0xffffffffu : (1u << (8u * uint(max(count, 0)))) - 1u; }

// These bytes count as zero where words are multiplied as they are stored.
uint nothing(uint type) { return uint(moved_by(type)) * 0x01010101u; }

uint w_word_from(uint row, uint at, uint last) { return WORD_FROM(w, int(row + at), row, row + last); }

// Adds four products of a row of a window, in which elements of neighboring columns lie side by side.
void add_word_of_row(inout StoredSums sums, uint x_row, bool row_inside, int left[kPlacesMax], uvec4 w_row, uint at,
                     Zeros zeros) {
  uint taps = parameter(kKernel + 1u), width = parameter(kWidth);
  uint count = min(4u, taps - at);
  uint ours = first_bytes(int(count));
  uvec4 words;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    words[i] = (w_word_from(w_row[i], at, taps - 1u) & ours) | (nothing(kTypeW) & ~ours);
  }
  uint v[kPlacesMax];
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    if (j < kPlaces) {
      int column = left[j] + int(at);
      uint word = WORD_FROM(x, int(x_row) + column, x_row, x_row + width - 1u);
      uint inside = row_inside ? first_bytes(int(width) - column) & ~first_bytes(-column) : 0u;
      word = (word & inside) | (outside_word() & ~inside);
      v[j] = (word & ours) | (nothing(kTypeX) & ~ours);
    }
  }
  add_words(sums, v, words, count, zeros);
}

// The part of a window that an invocation adds up: so many words of a run, columns and rows are skipped with each.
struct Part {
  uint word, column, row;
};

Part part_of(uint i, uint words, uint columns) {
  uint tap = i / words;
  uint row = tap / columns;
  return Part(i - tap * words, tap - row * columns, row);
}

// Adds an invocation's slice of all words of a window: of each run some, or the runs of some taps.
void add_window(inout ivec4 sums[kPlacesMax], uint x_first, int top, int left[kPlacesMax], uvec4 w_at, Zeros zeros) {
  bool of_rows = kWords == kWordsOfRows;
  uint words = of_rows ? (parameter(kKernel + 1u) + 3u) / 4u : parameter(kDepth) / kStep;
  uint columns = of_rows ? 1u : parameter(kKernel + 1u);
  Part part = part_of(slice(), words, columns);
  Part skipped = part_of(kSlices, words, columns);
  StoredSums stored = no_sums();
  zeros = stored_zeros(zeros);
  while (part.row < parameter(kKernel)) {
    uint h = uint(top + int(part.row * parameter(kDilation)));
    bool row_inside = h < parameter(kHeight);  // before the input counts as large
    uint x_row = x_first + (row_inside ? h * parameter(kXStrides) : 0u);
    uvec4 w_row = w_at + part.row * parameter(kWStrides);
    if (of_rows) {
      add_word_of_row(stored, x_row, row_inside, left, w_row, 4u * part.word, zeros);
    } else {
      uint places[kPlacesMax];
      bool inside[kPlacesMax];
      [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
        uint column = uint(left[j] + int(part.column * parameter(kDilation + 1u)));
        inside[j] = row_inside && column < parameter(kWidth);
        places[j] = x_row + kStep * part.word + (inside[j] ? column * parameter(kXStrides + 1u) : 0u);
      }
      add_step(stored, places, inside, w_row + part.column * parameter(kWStrides + 1u) + kStep * part.word, zeros);
    }
    part = Part(part.word + skipped.word, part.column + skipped.column, part.row + skipped.row);
    if (part.word >= words) {
      part.word -= words;
      ++part.column;
    }
    if (part.column >= columns) {
      part.column -= columns;
      ++part.row;
    }
  }
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) sums[j] = sums_of(stored, j, zeros);
}

// Adds an invocation's slice of a window's rows, one product at a time or words of neighboring channels.
void add_taps_of_window(inout ivec4 sums[kPlacesMax], uvec4 x_first, int top, int left[kPlacesMax], Channels channels) {
  bool above = parameter(kAbove) != 0u;
  for (uint kh = slice(); kh < parameter(kKernel); kh += kSlices) {
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
#ifdef JOINED
  Ends ends = ends_of(channels.o, outputs);
#else
  Ends ends = ends_of(channels.o, outputs, parameter(kBiasSkip) + channels.o * parameter(kBiasStride),
                      parameter(kBiasStride));
#endif
#ifdef RESIDUAL
  uint r_at = residual_at(n, channels.o, oh);
  uint r_words[kPlacesMax];
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    r_words[j] = j < kPlaces ? residual_word(r_at, min(ow + j, out_width - 1u)) : 0u;
  }
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
  if (kOfWords) {
    add_window(sums, x_first.x, top, left, channels.w_at, channels.zeros);
  } else {
    add_taps_of_window(sums, x_first, top, left, channels);
  }
  if (!join_slices(sums) || idle) return;
  uint at = parameter(kSumSkip) + n * parameter(kSumImage) + oh * parameter(kSumStrides) +
            channels.o * parameter(kSumOutput);
  [[unroll]] for (uint j = 0u; j < kPlacesMax; ++j) {
    if (j < kPlaces && ow + j < out_width) {
      ivec4 numbers = results_of(sums[j], ends, kRounding, output_limits());
#ifdef RESIDUAL
      numbers = with_residual(numbers, r_words[j], r_at, ow + j, outputs);
#endif
#ifdef TABLE
      numbers = looked_up(numbers);
#endif
      store_results(numbers, at + (ow + j) * parameter(kSumStrides + 1u), parameter(kSumOutput), outputs);
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
