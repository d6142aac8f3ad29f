// Family recurrent: a cell stepped through time, in passes. What steps need is copied side by side into
// the scratch; the products of all inputs are made at once; then each time step is a dispatch over all
// hidden units, or one group steps a sequence to its end; at last the states are copied to where they
// belong.
//
// The scratch holds words: lengths [B], bias [D, 2, GH], peepholes [D, 3, H], initial h and the cells c
// [D, B, H], what gru resets [D, B, H], and gates [T, D, B, GH], of which the first H of each are h as
// soon as its step is done.
/* words
use activation
enum Pass = Fill, CopyIn, Project, Reset, Update, CopyOut
enum CellFunctionKind from ops/attributes.h as Function
constant shared_hidden = 1024  // units that a group has room for
constant rows_each = 4  // that an invocation projects
struct Tensor
  uint skip, strides[3]
struct Function
  CellFunctionKind kind
  float a, b
spec
  Op op = LSTM
  Pass pass
  bool group  // kUpdate: one group steps one sequence to its end
  uint variant
  bool clips
push
  uint count
  uint number  // kReset, kUpdate: of the step; kCopyOut: of the output
  uint to, skip  // copies: the first word of the scratch, and of the tensor
  uint dims[4], strides[4]  // of the tensor that is copied, outermost first
parameters
  uint steps, batch, inputs, hidden, directions, direction
  float clip
  uint lengths, bias, peepholes, initial, cells, resets, gates  // places in the scratch
  Tensor tensors[3]  // x, w, r
  Function functions[6]  // three a direction
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "recurrent.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "functions.glsl"
#include "parameters.glsl"

// kCopyIn: a tensor; kProject: x, w; steps: r; kCopyOut: the scratch.
layout(set = 0, binding = 0) readonly buffer Left { uint left[]; };
layout(set = 0, binding = 1) readonly buffer Right { uint right[]; };
// The scratch, or of kCopyOut an output.
layout(set = 0, binding = 2) buffer Out { uint result[]; };

const uint kX = kTensors, kW = kX + kTensorWords, kR = kW + kTensorWords;

const uint kGateCount = kOp == kOpLSTM ? 4u : kOp == kOpGRU ? 3u : 1u;

// One group's h, and the part of it that gru resets.
shared float shared_h[kSharedHidden];
shared float shared_reset[kSharedHidden];

float left_at(uint i) { return uintBitsToFloat(left[i]); }
float right_at(uint i) { return uintBitsToFloat(right[i]); }
float scratch_at(uint i) { return uintBitsToFloat(result[i]); }
void store(uint i, float v) { result[i] = floatBitsToUint(v); }

uint gate_width() { return kGateCount * parameter(kHidden); }
bool reversed(uint d) { return parameter(kDirection) == 1u || d == 1u; }

// The offsets of a sequence's gates at a time, and of its state.
uint gates_at(uint time, uint d, uint b) {
  uint sequence = (time * parameter(kDirections) + d) * parameter(kBatch) + b;
  return parameter(kGates) + sequence * gate_width();
}
uint state_at(uint first, uint d, uint b) {
  return first + (d * parameter(kBatch) + b) * parameter(kHidden);
}

// Sequences that the CPU would refuse end with the last step, or at once.
uint clamped_length(uint words) { return uint(clamp(int(words), 0, int(parameter(kSteps)))); }

void copy_in() {
  uint i = grid_index();
  if (i >= p.count) return;
  if (kPass == kFill) {
    result[p.to + i] = p.skip;
    return;
  }
  uint at = p.skip, rest = i;
  for (uint d = 4u; d-- > 0u;) {
    uint quotient = rest / p.dims[d];
    at += (rest - quotient * p.dims[d]) * p.strides[d];
    rest = quotient;
  }
  result[p.to + i] = left[at];
}

// The inputs' share of the gates of one unit, at up to four times of all sequences.
void project() {
  uint i = grid_index();
  if (i >= p.count) return;
  uint width = gate_width(), batch = parameter(kBatch), rows = parameter(kSteps) * batch;
  uint quotient = i / width;
  uint n = i - quotient * width;
  uint strips = (rows + kRowsEach - 1u) / kRowsEach;
  uint d = quotient / strips;
  uint first = (quotient - d * strips) * kRowsEach;

  uint x_at[4];
  for (uint r = 0u; r < kRowsEach; ++r) {
    uint row = min(first + r, rows - 1u);
    uint time = row / batch;
    x_at[r] = parameter(kX) + time * parameter(kX + 1u) + (row - time * batch) * parameter(kX + 2u);
  }
  uint w_at = parameter(kW) + d * parameter(kW + 1u) + n * parameter(kW + 3u);
  vec4 sums = vec4(0.0);
  for (uint k = 0u; k < parameter(kInputs); ++k) {
    uint at = k * parameter(kX + 3u);
    vec4 x = vec4(left_at(x_at[0] + at), left_at(x_at[1] + at), left_at(x_at[2] + at), left_at(x_at[3] + at));
    sums += x * right_at(w_at + k * parameter(kW + 2u));
  }
  uint bias_at = parameter(kBias) + d * 2u * width + n;
  float bias = scratch_at(bias_at);
  // The reset part takes the bias of r with it.
  bool apart = kOp == kOpGRU && kVariant == 1u && n >= 2u * parameter(kHidden);
  if (!apart) bias += scratch_at(bias_at + width);
  for (uint r = 0u; r < kRowsEach; ++r) {
    uint row = first + r;
    if (row >= rows) break;
    uint time = row / batch;
    store(gates_at(time, d, row - time * batch) + n, sums[r] + bias);
  }
}

float function_of(uint i, uint d, float v) {
  if (kClips) v = clip(v, -float_parameter(kClip), float_parameter(kClip));
  uint at = kFunctions + (d * 3u + i) * kFunctionWords;
  float a = float_parameter(at + kFunctionA), b = float_parameter(at + kFunctionB);
  switch (parameter(at + kFunctionKind)) {
    case kFunctionSigmoid:
      return sigmoid(v);
    case kFunctionTanh:
      return tanh_full(v);
    case kFunctionRelu:
      return v < 0.0 ? 0.0 : v;
    case kFunctionAffine:
      return a * v + b;
    case kFunctionLeakyRelu:
      return v < 0.0 ? a * v : v;
    case kFunctionThresholdedRelu:
      return v <= a ? 0.0 : v;
    case kFunctionScaledTanh:
      return a * tanh_full(b * v);
    case kFunctionHardSigmoid:
      return hard_sigmoid(v, a, b);
    case kFunctionElu:
      return v < 0.0 ? a * expm1_full(v) : v;
    case kFunctionSoftsign:
      return is_infinite(v) ? not_a_number() : v / (1.0 + abs(v));
    default:
      return softplus(v);
  }
}

// A sequence at a step: where its gates are, and its state before.
struct At {
  uint d, gates, before;
};

float state(At at, uint k) { return kGroup ? shared_h[k] : scratch_at(at.before + k); }

// The state's share of gate `gate` of unit `n`.
float from_state(At at, uint gate, uint n) {
  uint r_at = parameter(kR) + at.d * parameter(kR + 1u) + (gate * parameter(kHidden) + n) * parameter(kR + 3u);
  float sum = 0.0;
  for (uint k = 0u; k < parameter(kHidden); ++k) {
    sum += state(at, k) * right_at(r_at + k * parameter(kR + 2u));
  }
  return sum;
}

float gate_of(At at, uint gate, uint n) {
  return scratch_at(at.gates + gate * parameter(kHidden) + n) + from_state(at, gate, n);
}

float peephole(At at, uint gate, uint n, float cell) {
  return scratch_at(parameter(kPeepholes) + (at.d * 3u + gate) * parameter(kHidden) + n) * cell;
}

// gru multiplies this with the state before the third gate's product.
float reset_of(At at, uint n) { return function_of(0u, at.d, gate_of(at, 1u, n)) * state(at, n); }

// The next state of unit `n`; `state_word`, of lstm: where its cell is; of gru: where what is reset is.
float next_state(At at, uint n, uint state_word) {
  uint hidden = parameter(kHidden);
  if (kOp == kOpLSTM) {
    float cell = scratch_at(state_word + n);
    float i = function_of(0u, at.d, gate_of(at, 0u, n) + peephole(at, 0u, n, cell));
    float f = kVariant == 1u ? 1.0 - i
                             : function_of(0u, at.d, gate_of(at, 2u, n) + peephole(at, 2u, n, cell));
    cell = f * cell + i * function_of(1u, at.d, gate_of(at, 3u, n));
    store(state_word + n, cell);
    float o = function_of(0u, at.d, gate_of(at, 1u, n) + peephole(at, 1u, n, cell));
    return o * function_of(2u, at.d, cell);
  }
  if (kOp == kOpGRU) {
    float z = function_of(0u, at.d, gate_of(at, 0u, n));
    float sum = scratch_at(at.gates + 2u * hidden + n);
    if (kVariant == 1u) {
      float r = function_of(0u, at.d, gate_of(at, 1u, n));
      uint bias_at = parameter(kBias) + at.d * 6u * hidden + 5u * hidden + n;
      sum += r * (from_state(at, 2u, n) + scratch_at(bias_at));
    } else {
      uint r_at = parameter(kR) + at.d * parameter(kR + 1u) + (2u * hidden + n) * parameter(kR + 3u);
      float product = 0.0;
      for (uint k = 0u; k < hidden; ++k) {
        float v = kGroup ? shared_reset[k] : scratch_at(state_word + k);
        product += v * right_at(r_at + k * parameter(kR + 2u));
      }
      sum += product;
    }
    return (1.0 - z) * function_of(1u, at.d, sum) + z * state(at, n);
  }
  return function_of(0u, at.d, gate_of(at, 0u, n));
}

uint length_of(uint b) { return clamped_length(result[parameter(kLengths) + b]); }

// The time of step `number` of a sequence; false behind its end.
bool find_step(uint number, uint d, uint b, out At at) {
  uint end = length_of(b);
  at = At(d, 0u, 0u);
  if (number >= end) return false;
  uint time = reversed(d) ? end - 1u - number : number;
  uint before = reversed(d) ? time + 1u : time - 1u;
  at.gates = gates_at(time, d, b);
  at.before = number == 0u ? state_at(parameter(kInitial), d, b) : gates_at(before, d, b);
  return true;
}

uint state_word_of(uint d, uint b) { return state_at(parameter(kOp == kOpLSTM ? kCells : kResets), d, b); }

void step_one() {
  uint i = grid_index();
  if (i >= p.count) return;
  uint hidden = parameter(kHidden);
  uint sequence = i / hidden;
  uint n = i - sequence * hidden;
  uint d = sequence / parameter(kBatch);
  uint b = sequence - d * parameter(kBatch);
  At at;
  if (!find_step(p.number, d, b, at)) return;
  uint state_word = state_word_of(d, b);
  if (kPass == kReset) {
    store(state_word + n, reset_of(at, n));
  } else {
    store(at.gates + n, next_state(at, n, state_word));
  }
}

void step_all() {
  uint sequence = grid_group();
  if (sequence >= p.count) return;
  uint hidden = parameter(kHidden), lane = gl_LocalInvocationID.x;
  uint d = sequence / parameter(kBatch);
  uint b = sequence - d * parameter(kBatch);
  uint state_word = state_word_of(d, b);
  uint initial = state_at(parameter(kInitial), d, b);
  for (uint n = lane; n < hidden; n += 64u) shared_h[n] = scratch_at(initial + n);
  barrier();
  uint end = length_of(b);
  for (uint number = 0u; number < end; ++number) {
    At at;
    find_step(number, d, b, at);
    if (kOp == kOpGRU && kVariant == 0u) {
      for (uint n = lane; n < hidden; n += 64u) shared_reset[n] = reset_of(at, n);
      barrier();
    }
    for (uint n = lane; n < hidden; n += 64u) {
      store(at.gates + n, next_state(at, n, state_word));
    }
    barrier();
    for (uint n = lane; n < hidden; n += 64u) shared_h[n] = scratch_at(at.gates + n);
    barrier();
  }
}

void copy_out() {
  uint i = grid_index();
  if (i >= p.count) return;
  uint at = p.skip, rest = i;
  uint index[4];  // time (of y), direction, sequence, unit
  for (uint k = 4u; k-- > 0u;) {
    uint quotient = rest / p.dims[k];
    index[k] = rest - quotient * p.dims[k];
    at += index[k] * p.strides[k];
    rest = quotient;
  }
  uint time = index[0], d = index[1], b = index[2], n = index[3];
  uint end = clamped_length(left[parameter(kLengths) + b]);
  uint from;
  if (p.number == 2u) {
    from = state_at(parameter(kCells), d, b);
  } else if (p.number == 1u) {
    from = end == 0u ? state_at(parameter(kInitial), d, b) : gates_at(reversed(d) ? 0u : end - 1u, d, b);
  } else {
    if (time >= end) {
      result[at] = 0u;
      return;
    }
    from = gates_at(time, d, b);
  }
  result[at] = left[from + n];
}

void main() {
  if (kPass == kFill || kPass == kCopyIn) {
    copy_in();
  } else if (kPass == kProject) {
    project();
  } else if (kPass == kCopyOut) {
    copy_out();
  } else if (kGroup) {
    step_all();
  } else {
    step_one();
  }
}
// SPDX-License-Identifier: Apache-2.0
