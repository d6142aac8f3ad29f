// Each channel of an image of bytes times a gate, which two products make of the means of all channels. Each group
// finds the whole of the first product, of all channels, then the gates of its own, and multiplies some places. Where
// the first product is large, a pass of its own finds it, into scratch.
/* words
use each_element
use requantize
use integer_products
use integer_results
use image_share
use result_tables
constant kSqueezeRowsMax from ops/attributes.h
constant row_batch = 32  // rows of the first product that a group sums up at once
enum ExcitePass = All, Hidden, Gates
struct ExciteSpec
  uint store           // y's type; with kRun beside it four channels are a word
  uint type_x, type_w  // as integers.glsl has them
  WordUse words        // of the weights: Bytes, WordsOfRuns or VectorsOfRuns
  bool words_x         // four channels of x are a word
  Rounding hidden_rounding, gate_rounding, rounding
  ExcitePass pass
struct ExciteParameters
  ShareWords share
  uint means_skip, w_skip, ends_skip, gate_ends_skip
  uint means_strides[2], w_strides[3]  // n, c; which, row, channel
  uint ends_strides[2], gate_ends_strides[2]
  int means_zero, hidden_zero, w_zeros[2]
  int hidden_output_zero, hidden_low, hidden_high
  int gate_output_zero, gate_low, gate_high
  int zero_points[2], multiplier, shift  // of the product of x and the gates
  OutputWords output
  ResultTables tables
*/
#include "parameters.glsl"
#include "wide.glsl"
#include "requantize.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Means { uint means[]; };  // Gates: the first product's numbers
layout(set = 0, binding = 2) readonly buffer W { uint w[]; };
layout(set = 0, binding = 2) readonly buffer W4 { uvec4 w4[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };  // Hidden: the same numbers

#include "grid.glsl"
#include "elements.glsl"
#include "integers.glsl"
#include "integer_products.glsl"
#include "image_share.glsl"
#include "result_tables.glsl"

const uint kStored = kStore & 3u;
#include "integer_results.glsl"
#include "two_ends.glsl"

const uint kAtOnce = 4u;     // loads of an invocation that wait for none before
const uint kRowLanes = 8u;   // invocations that share a row of the first product
const uint kRowsAtOnce = kRowBatch / kAtOnce;  // rows that lie beside each other
// Channels whose ends fit a uniform buffer, four a word.
const uint kMeansWordsMax = 342u;

shared uint means_words[kMeansWordsMax];
shared int parts[kRowLanes * kRowBatch];  // of the sums of a batch of rows
shared int hidden[kSqueezeRowsMax];       // less their zero point
shared ivec4 sums[64];                    // by lane and four channels

// Four neighboring channels a word, as products() takes them.
void load_means() {
  uint channels = parameter(kChannels), stride = parameter(kMeansStrides + 1u);
  uint first = parameter(kMeansSkip) + n * parameter(kMeansStrides);
  for (uint i = local; 4u * i < channels; i += 64u) {
    uint word = 0u;
    if (stride == 1u && (first & 3u) == 0u) {
      word = means[(first >> 2) + i];
    } else {
      [[unroll]] for (uint k = 0u; k < 4u; ++k) {
        uint at = first + min(4u * i + k, channels - 1u) * stride;
        word |= bits_of(kBool, means[at >> 2], at) << (8u * k);
      }
    }
    means_words[i] = word;
  }
  barrier();
}

uint w_row(uint which, uint row) {
  return parameter(kWSkip) + which * parameter(kWStrides) + row * parameter(kWStrides + 1u);
}

// An invocation's part of the sums of some rows, which begin at row_at.
void add_means(out int row_sums[kAtOnce], uint row_at[kAtOnce]) {
  uint channels = parameter(kChannels);
  bool whole = kWords != kBytes;  // words are multiplied as they are stored
  int x_zero = int(parameter(kMeansZero)) - (whole ? moved_by(kTypeX) : 0);
  int w_zero = int(parameter(kWZeros)) - (whole ? moved_by(kTypeW) : 0);
  uint part = local % kRowLanes;
  int mean_sum = 0, added = 0;
  [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) row_sums[k] = 0;
  if (kWords == kVectorsOfRuns) {
    for (uint from = 16u * part; from < channels; from += 16u * kRowLanes) {
      uvec4 v[kAtOnce];
      [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = w4[(row_at[k] + from) >> 4];
      FOR_WORDS (uint i = 0u; i < 4u; ++i) {
        uint mean = means_words[(from >> 2) + i];
        mean_sum += sum_of_x(mean);
        [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
          row_sums[k] += products(mean, v[k][i]) - x_zero * sum_of_w(v[k][i]);
        }
      }
      added += 16;
    }
  } else if (kWords == kWordsOfRuns) {
    for (uint from = 4u * part; from < channels; from += 4u * kRowLanes) {
      uint v[kAtOnce];
      [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = w[(row_at[k] + from) >> 2];
      uint mean = means_words[from >> 2];
      mean_sum += sum_of_x(mean);
      [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
        row_sums[k] += products(mean, v[k]) - x_zero * sum_of_w(v[k]);
      }
      added += 4;
    }
  } else {
    for (uint from = part; from < channels; from += kRowLanes) {
      int mean = number_of(kTypeX, means_words[from >> 2], from) - x_zero;
      [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
        row_sums[k] += mean * (w_number(row_at[k] + from * parameter(kWStrides + 2u)) - w_zero);
      }
    }
  }
  if (whole) {
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) row_sums[k] -= w_zero * (mean_sum - added * x_zero);
  }
}

// The numbers that the first product makes of the rows from `base` on, four of each of some invocations.
ivec4 numbers_of_rows(uint base) {
  uint rows = parameter(kRows);
  uint beside = local / kRowLanes;
  uint row_at[kAtOnce];
  int row_sums[kAtOnce];
  [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
    row_at[k] = w_row(0u, min(base + k * kRowsAtOnce + beside, rows - 1u));
  }
  add_means(row_sums, row_at);
  [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
    parts[(local % kRowLanes) * kRowBatch + k * kRowsAtOnce + beside] = row_sums[k];
  }
  barrier();
  uint row = base + 4u * local;
  if (local >= kRowBatch / 4u || row >= rows) return ivec4(0);
  ivec4 sum = ivec4(0);
  for (uint part = 0u; part < kRowLanes; ++part) {
    [[unroll]] for (uint i = 0u; i < 4u; ++i) sum[i] += parts[part * kRowBatch + 4u * local + i];
  }
  Limits limits = Limits(int(parameter(kHiddenOutputZero)), int(parameter(kHiddenLow)), int(parameter(kHiddenHigh)));
  Ends ends = ends_of(false, row, rows, parameter(kEndsSkip),
                      uvec2(parameter(kEndsStrides), parameter(kEndsStrides + 1u)));
  return looked_up(0u, results_of(sum, ends, kHiddenRounding, limits)) -
         int(parameter(kHiddenZero));
}

// Whether an invocation has number i of those of a batch of rows.
bool has_row(uint base, uint i) { return local < kRowBatch / 4u && base + 4u * local + i < parameter(kRows); }

void find_hidden() {
  uint rows = parameter(kRows);
  if (kPass == kGates) {
    for (uint row = local; row < rows; row += 64u) hidden[row] = int(means[n * rows + row]);
    barrier();
    return;
  }
  load_means();
  for (uint base = 0u; base < rows; base += kRowBatch) {
    ivec4 numbers = numbers_of_rows(base);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      if (has_row(base, i)) hidden[base + 4u * local + i] = numbers[i];
    }
    barrier();  // the next turn overwrites the parts
  }
}

// The pass that finds a batch of rows of an image.
void store_hidden() {
  uint batches = (parameter(kRows) + kRowBatch - 1u) / kRowBatch;
  local = gl_LocalInvocationID.x;
  n = grid_group() / batches;
  uint base = (grid_group() - n * batches) * kRowBatch;
  load_means();
  ivec4 numbers = numbers_of_rows(base);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    if (has_row(base, i)) y[n * parameter(kRows) + base + 4u * local + i] = uint(numbers[i]);
  }
}

// Four of the second weights' channels.
ivec4 weights_of(uint row) {
  uint at = w_row(1u, row), from = min(c, last_quad());
  if (kWords != kBytes) return numbers_of(kTypeW, w[(at + from) >> 2]);
  ivec4 numbers;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    numbers[i] = w_number(at + min(from + i, parameter(kChannels) - 1u) * parameter(kWStrides + 2u));
  }
  return numbers;
}

// The gates of the invocation's channels, less their zero point.
ivec4 find_gates() {
  uint rows = parameter(kRows);
  int w_zero = int(parameter(kWZeros + 1u));
  ivec4 gate = ivec4(0);
  for (uint first = lane; first < rows; first += kAtOnce * lanes) {
    ivec4 v[kAtOnce];
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = weights_of(min(first + k * lanes, rows - 1u));
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
      if (first + k * lanes < rows) gate += hidden[first + k * lanes] * (v[k] - w_zero);
    }
  }
  sums[local] = gate;
  for (uint others = 32u; others >= quads; others /= 2u) {
    barrier();
    if (local < others) sums[local] += sums[local + others];
  }
  barrier();
  if (local < quads) {
    Limits limits = Limits(int(parameter(kGateOutputZero)), int(parameter(kGateLow)), int(parameter(kGateHigh)));
    Ends ends = ends_of(true, c, parameter(kChannels), parameter(kGateEndsSkip),
                        uvec2(parameter(kGateEndsStrides), parameter(kGateEndsStrides + 1u)));
    sums[local] = looked_up(1u, results_of(sums[local], ends, kGateRounding, limits));
  }
  barrier();
  return sums[local & (quads - 1u)] - int(parameter(kZeroPoints + 1u));
}

ivec4 x_at(uint place) {
  uint at = x_place(place), from = min(c, last_quad());
  if (kWordsX) return numbers_of(kTypeX, x[(at + from) >> 2]);
  ivec4 numbers;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    numbers[i] = x_number(at + min(from + i, parameter(kChannels) - 1u) * parameter(kXStrides + 1u));
  }
  return numbers;
}

void main() {
  if (grid_group() >= parameter(kGroups)) return;  // a whole group returns, or nobody waits at a barrier
  if (kPass == kHidden) {
    store_hidden();
    return;
  }
  find_work();
  // The first places are read before the gates are known, which hides how long it takes. Those
  // that are not there read the last one.
  uint place = first_place + lane;
  ivec4 v[kAtOnce];
  [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = x_at(min(place + k * lanes, last_place - 1u));
  find_hidden();
  ivec4 gate = find_gates();
  if (c >= parameter(kChannels)) return;
  Ends ends = Ends(ivec4(0), ivec4(int(parameter(kMultiplier))), ivec4(int(parameter(kShift))));
  Limits limits = output_limits();
  int zero = int(parameter(kZeroPoints));
  for (;;) {
    [[dont_unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
      if (place + k * lanes < last_place) {
        store_results(results_of((v[k] - zero) * gate, ends, kRounding, limits), y_place(place + k * lanes),
                      parameter(kYStrides + 1u), parameter(kChannels) - c);
      }
    }
    place += kAtOnce * lanes;
    if (place >= last_place) return;
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = x_at(min(place + k * lanes, last_place - 1u));
  }
}
// SPDX-License-Identifier: Apache-2.0
