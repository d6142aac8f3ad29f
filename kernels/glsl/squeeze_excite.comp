// Each channel of x times a gate, which two products make of the means of all channels. In the first
// pass a group adds up some channels of some places, and multiplies these sums by its part of the
// first weights. In the second pass a group adds up the products of all groups, makes the gates of
// some channels, and multiplies some places by them.
/* words
use activation
use weights
use image_share
constant kSqueezeRowsMax from ops/attributes.h
spec
  bool excite  // the second pass
  ActivationKind inner_activation
  ActivationKind activation
  bool vectors_x  // four channels of x are an aligned vec4
  bool vectors_y  // and of y
  bool vectors_w  // and of the weights
  WeightsType weights  // their type
parameters
  ShareWords share
  uint parts              // of an image's first product
  uint row_lanes_log      // invocations beside each other that add up the parts of rows
  uint w_skip, bias_skip, gate_bias_skip
  uint w_strides[3]                // which, row, channel
  uint bias_stride, gate_bias_stride
  float inner_a, inner_b, a, b  // of the activations
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "squeeze_excite.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "parameters.glsl"
#include "image_share.glsl"
#include "uniform_numbers.glsl"
#include "weights.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 0) readonly buffer X4 { stored4 x4[]; };
layout(set = 0, binding = 2) readonly buffer PartsIn { float parts_in[]; };
layout(set = 0, binding = 3) writeonly buffer PartsOut { float parts_out[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };
layout(set = 0, binding = 3) writeonly buffer Y4 { stored4 y4[]; };
layout(std140, set = 0, binding = PARAMETER_BINDING + 1) uniform Bias { uvec4 bias[1024]; };
layout(std140, set = 0, binding = PARAMETER_BINDING + 2) uniform GateBias { uvec4 gate_bias[1024]; };

const uint kAtOnce = 4u;  // vectors that an invocation loads at once
const uint kPartsAtOnce = 8u;

shared vec4 sums[64];     // by lane and four channels
shared float totals[64];  // by slice of the parts and row
shared float hidden[kSqueezeRowsMax];

vec4 x_at(uint place) {
  uint at = x_place(place);
  uint from = min(c, last_quad());
  if (kVectorsX) return vec4(x4[(at + from) >> 2]);
  vec4 v;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    v[i] = float(x[at + min(from + i, parameter(kChannels) - 1u) * parameter(kXStrides + 1u)]);
  }
  return v;
}

vec4 weights_of(uint which, uint row, uint channel) {
  uint at = parameter(kWSkip) + which * parameter(kWStrides) + row * parameter(kWStrides + 1u);
  uint from = min(channel, last_quad());
  if (kVectorsW) return weights_of_quad((at + from) >> 2);
  return weights_at(at + min(from + uvec4(0u, 1u, 2u, 3u), uvec4(parameter(kChannels) - 1u)) * parameter(kWStrides + 2u));
}

// Adds up sums of all lanes: those of the first one hold the results.
void join_lanes() {
  for (uint others = 32u; others >= quads; others /= 2u) {
    barrier();
    if (local < others) sums[local] += sums[local + others];
  }
  barrier();
}

void squeeze() {
  vec4 sum = vec4(0.0);
  uint place = first_place + lane;
  for (; place + (kAtOnce - 1u) * lanes < last_place; place += kAtOnce * lanes) {
    vec4 v[kAtOnce];
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = x_at(place + k * lanes);
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) sum += v[k];
  }
  for (; place < last_place; place += lanes) sum += x_at(place);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    if (c + i >= parameter(kChannels)) sum[i] = 0.0;
  }
  sums[local] = sum / float(parameter(kPlaces));
  join_lanes();
  uint part = n * parameter(kParts) + first_place / parameter(kChunk) * parameter(kBlocks) + block;
  for (uint row = local; row < parameter(kRows); row += 64u) {
    float product = 0.0;
    for (uint quad = 0u; quad < quads; quad += kAtOnce) {
      vec4 w[kAtOnce];
      [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
        w[k] = weights_of(0u, row, 4u * ((block << parameter(kQuadsLog)) + quad + k));
      }
      [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) product += dot(sums[quad + k], w[k]);
    }
    parts_out[part * parameter(kRows) + row] = product;
  }
}

float sum_of_parts(uint row, uint slice, uint slices) {
  uint parts = parameter(kParts), rows = parameter(kRows);
  uint at = n * parts * rows + row;
  float sum = 0.0;
  uint part = slice;
  for (; part + (kPartsAtOnce - 1u) * slices < parts; part += kPartsAtOnce * slices) {
    float v[kPartsAtOnce];
    [[unroll]] for (uint k = 0u; k < kPartsAtOnce; ++k) v[k] = parts_in[at + (part + k * slices) * rows];
    [[unroll]] for (uint k = 0u; k < kPartsAtOnce; ++k) sum += v[k];
  }
  for (; part < parts; part += slices) sum += parts_in[at + part * rows];
  return sum;
}

void find_hidden() {
  uint row_lanes = 1u << parameter(kRowLanesLog);
  uint slice = local >> parameter(kRowLanesLog);
  uint slices = 64u >> parameter(kRowLanesLog);
  for (uint base = 0u; base < parameter(kRows); base += row_lanes) {
    uint row = base + (local & (row_lanes - 1u));
    totals[local] = sum_of_parts(min(row, parameter(kRows) - 1u), slice, slices);
    for (uint others = 32u; others >= row_lanes; others /= 2u) {
      barrier();
      if (local < others) totals[local] += totals[local + others];
    }
    if (local < row_lanes && row < parameter(kRows)) {
      uint at = parameter(kBiasSkip) + row * parameter(kBiasStride);
      hidden[row] = activate(kInnerActivation, totals[local] + number_in(bias[at >> kVectorLog], at),
                             float_parameter(kInnerA), float_parameter(kInnerB));
    }
    barrier();  // the next turn overwrites the totals
  }
}

vec4 offset_of_gates() {
  uint at = parameter(kGateBiasSkip) + c;
  if (parameter(kGateBiasStride) == 1u && (at & 3u) == 0u && c + 4u <= parameter(kChannels)) {
    return four_in(gate_bias[at >> kVectorLog], at);
  }
  vec4 offset;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    at = parameter(kGateBiasSkip) + min(c + i, parameter(kChannels) - 1u) * parameter(kGateBiasStride);
    offset[i] = number_in(gate_bias[at >> kVectorLog], at);
  }
  return offset;
}

void find_gates(vec4 offset) {
  vec4 gate = vec4(0.0);
  for (uint first = lane; first < parameter(kRows); first += kAtOnce * lanes) {
    vec4 w[kAtOnce];
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
      w[k] = weights_of(1u, min(first + k * lanes, parameter(kRows) - 1u), c);
    }
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
      if (first + k * lanes < parameter(kRows)) gate += hidden[first + k * lanes] * w[k];
    }
  }
  sums[local] = gate;
  join_lanes();
  if (local < quads) {
    vec4 v = sums[local] + offset;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      v[i] = activate(kActivation, v[i], float_parameter(kA), float_parameter(kB));
    }
    sums[local] = v;
  }
  barrier();
}

void store_at(uint place, vec4 v) {
  uint at = y_place(place);
  if (kVectorsY) {
    y4[at >> 2] = store4(v);
  } else {
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      if (c + i < parameter(kChannels)) y[at + i * parameter(kYStrides + 1u)] = store(v[i]);
    }
  }
}

void main() {
  if (grid_group() >= parameter(kGroups)) return;  // a whole group returns, or nobody waits at a barrier
  find_work();
  if (!kExcite) {
    squeeze();
    return;
  }
  // The first places are read before the gates are known, which hides how long it takes. Those
  // that are not there read the last one.
  uint place = first_place + lane;
  vec4 v[kAtOnce];
  [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = x_at(min(place + k * lanes, last_place - 1u));
  vec4 offset = offset_of_gates();
  find_hidden();
  find_gates(offset);
  if (c >= parameter(kChannels)) return;
  vec4 gate = sums[local & (quads - 1u)];
  for (;;) {
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
      if (place + k * lanes < last_place) store_at(place + k * lanes, v[k] * gate);
    }
    place += kAtOnce * lanes;
    if (place >= last_place) return;
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = x_at(min(place + k * lanes, last_place - 1u));
  }
}
// SPDX-License-Identifier: Apache-2.0
