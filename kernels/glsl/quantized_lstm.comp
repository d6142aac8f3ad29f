// quantized_lstm, to the bit as the CPU does it: what x gives to all gates at all times in one pass,
// then a group steps each sequence to its end. The scratch holds int32: of x [T, B, 4, H], then h and
// the cells [B, H], which passes of their own copy from and to their tensors.
/* words
use requantize
use elements
use integers
enum Pass = CopyIn, Project, Steps, CopyOut
constant hidden_max = 1024  // units whose states a group shares
struct Tensor
  uint skip, strides[3]
spec
  Pass pass
  uint type  // of what is copied, as integers.glsl has it
  Rounding rounding
push
  uint count
parameters
  uint times, batch, hidden, inputs
  uint copied, h, cells  // where in the scratch copies begin, and h and the cells
  pad 1
  Tensor tensors[4]      // in the buffers
  int x_zero_point
  int w_multipliers[4], w_shifts[4], r_multipliers[4], r_shifts[4], cell_multipliers[2], cell_shifts[2]
  int h_multiplier, h_shift, tanh_multiplier, tanh_shift, cell_clip
  OutputWords output
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "quantized_lstm.words.glsl"
#include "grid.glsl"
#include "parameters.glsl"
#include "wide.glsl"
#include "requantize.glsl"

// Copy in: tensor, -, -, scratch. Project: x, w, bias, scratch. Steps: r, scratch, table, y. Copy out:
// scratch, -, -, tensor.
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) readonly buffer C { uint c[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };

#include "elements.glsl"
#include "integers.glsl"

const uint kA = kTensors, kB = kA + kTensorWords, kC = kB + kTensorWords, kY = kC + kTensorWords;

const uint kByte = kBool | kSigned;
const uint kLastPlace = 255u;   // of the table

shared int states[2u * kHiddenMax];  // h before and after a step
shared int cells[kHiddenMax];

int word(uint i) { return int(parameter(i)); }

uint place_of(uint tensor, uint i, uint j, uint k) {
  return parameter(tensor) + i * parameter(tensor + 1u) + j * parameter(tensor + 2u) +
         k * parameter(tensor + 3u);
}

int saturated_16(int value) { return clamp(value, -32768, 32767); }
int wrapped_16(int value) { return (value << 16) >> 16; }

int requantized_16(int sum, uint multiplier, uint shift) {
  return saturated_16(requantized(sum, word(multiplier), word(shift), kRounding));
}

uint entry(uint i) {
  uint at = place_of(kC, i, 0u, 0u);
  return bits_of(kHalf, c[word_at(kHalf, at)], at);
}

uint interpolated(uint place, uint bits) {
  uint low = entry(place >> bits), high = entry((place >> bits) + 1u);
  return (low << bits) + (place & ((1u << bits) - 1u)) * (high - low);
}

int logistic(int x) {
  int scaled = x * 3;
  uint place = uint(abs(scaled));
  uint result = (place >> 9) >= kLastPlace ? 0x7fffu << 10 : interpolated(place, 9u);
  const uint kOneHalf = 1u << 9;
  uint moved = scaled >= 0 ? result + kOneHalf : (1u << 25) - result + kOneHalf - 1u;
  return wrapped_16(int(moved >> 10));
}

int bent(int x, int multiplier, int shift) {
  uint one_half = shift > 0 ? 1u << (shift - 1) : 0u;
  Wide product = sum_of(product_of(x, multiplier), Wide(0, one_half));
  int scaled = int(shifted_right(product, uint(shift)).low);
  uint magnitude = scaled < 0 ? 0u - uint(scaled) : uint(scaled);
  uint result = (magnitude >> 8) >= kLastPlace ? 0xffffu << 8 : interpolated(magnitude, 8u);
  int from_half = int(result) - (1 << 23);
  return wrapped_16((scaled >= 0 ? from_half + (1 << 7) : (1 << 7) - 1 - from_half) >> 8);
}

void copy_in() {
  uint i = grid_index();
  if (i >= p.count) return;
  uint row = i / parameter(kHidden);
  uint at = place_of(kA, row, i - row * parameter(kHidden), 0u);
  y[parameter(kCopied) + i] = uint(number_of(kType, a[word_at(kType & 3u, at)], at));
}

void copy_out() {
  uint i = grid_index();
  if (i >= p.count) return;
  uint row = i / parameter(kHidden);
  store_element(kType & 3u, place_of(kY, row, i - row * parameter(kHidden), 0u),
                a[parameter(kCopied) + i]);
}

void project() {
  uint i = grid_index();
  if (i >= p.count) return;
  uint quotient = i / parameter(kHidden);
  uint unit = i - quotient * parameter(kHidden);
  uint gate = quotient & 3u, row = quotient >> 2;
  uint time = row / parameter(kBatch);
  uint x_at = place_of(kA, time, row - time * parameter(kBatch), 0u);
  uint w_at = place_of(kB, gate, unit, 0u);
  int sum = int(c[place_of(kC, gate, unit, 0u)]);
  for (uint k = 0u; k < parameter(kInputs); ++k) {
    sum += number_of(kByte, b[w_at >> 2], w_at) *
           (number_of(kByte, a[x_at >> 2], x_at) - word(kXZeroPoint));
    x_at += parameter(kA + kTensorStrides + 2u);
    w_at += parameter(kB + kTensorStrides + 2u);
  }
  y[i] = uint(requantized_16(sum, kWMultipliers + gate, kWShifts + gate));
}

// The sum of a gate before its function; `of_x` is x's part of the first gate.
int gate_sum(uint of_x, uint gate, uint unit, uint before) {
  uint hidden = parameter(kHidden);
  uint r_at = place_of(kA, gate, unit, 0u);
  int sum = 0;
  for (uint k = 0u; k < hidden; ++k) {
    sum += number_of(kByte, a[r_at >> 2], r_at) * (states[before + k] - word(kOutputZeroPoint));
    r_at += parameter(kA + kTensorStrides + 2u);
  }
  return saturated_16(int(b[of_x + gate * hidden]) + requantized_16(sum, kRMultipliers + gate, kRShifts + gate));
}

void step_unit(uint sequence, uint time, uint unit, uint before, uint after) {
  uint of_x = (time * parameter(kBatch) + sequence) * 4u * parameter(kHidden) + unit;
  int i = logistic(gate_sum(of_x, 0u, unit, before));
  int f = logistic(gate_sum(of_x, 1u, unit, before));
  int g = bent(gate_sum(of_x, 2u, unit, before), 3, 0);
  int o = logistic(gate_sum(of_x, 3u, unit, before));
  int kept = requantized_16(f * cells[unit], kCellMultipliers, kCellShifts);
  int added = requantized_16(i * g, kCellMultipliers + 1u, kCellShifts + 1u);
  int cell = saturated_16(kept + added);
  int limit = word(kCellClip);
  if (limit != 0) cell = clamp(cell, -limit, limit);
  cells[unit] = cell;
  Limits limits = output_limits();
  int h = finished(bent(cell, word(kTanhMultiplier), word(kTanhShift)) * o, word(kHMultiplier), word(kHShift),
                   kRounding, limits);
  states[after + unit] = h;
  store_element(kBool, place_of(kY, time, sequence, unit), uint(h));
}

void run_sequence() {
  uint sequence = grid_group();
  if (sequence >= p.count) return;  // a whole group returns
  uint hidden = parameter(kHidden), lane = gl_LocalInvocationID.x;
  uint first = sequence * hidden;
  for (uint unit = lane; unit < hidden; unit += 64u) {
    states[unit] = int(b[parameter(kH) + first + unit]);
    cells[unit] = int(b[parameter(kCells) + first + unit]);
  }
  barrier();
  uint before = 0u;
  for (uint time = 0u; time < parameter(kTimes); ++time) {
    uint after = kHiddenMax - before;
    for (uint unit = lane; unit < hidden; unit += 64u) {
      step_unit(sequence, time, unit, before, after);
    }
    barrier();
    before = after;
  }
  for (uint unit = lane; unit < hidden; unit += 64u) {
    b[parameter(kH) + first + unit] = uint(states[before + unit]);
    b[parameter(kCells) + first + unit] = uint(cells[unit]);
  }
}

void main() {
  if (kPass == kCopyIn) {
    copy_in();
  } else if (kPass == kProject) {
    project();
  } else if (kPass == kSteps) {
    run_sequence();
  } else {
    copy_out();
  }
}
// SPDX-License-Identifier: Apache-2.0
