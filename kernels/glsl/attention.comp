// y = softmax(scale * q * k^T) * v, a group for each query, which takes 64 keys at a time: each
// invocation finds the score and the weight of one, then adds up some elements of y (portable_fallback/reference/attention.cc
// has the method). No matrix of scores is stored.
/* words
constant kAttentionWidthMax from ops/attributes.h
struct Matrix
  uint skip, row_stride, column_stride
struct Batch
  uint dim, strides[4]  // of q, k, v, y
spec
  uint causal
  bool vectors  // four columns of q and of k are an aligned vec4
parameters
  uint queries, rows, keys, depth, width, batch_rank
  float scale
  int offset
  Matrix matrices[4]  // q, k, v, y
  Batch batch[6]      // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "attention.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"
#include "parameters.glsl"

layout(set = 0, binding = 0) readonly buffer Q { stored q[]; };
layout(set = 0, binding = 0) readonly buffer Q4 { stored4 q4[]; };
layout(set = 0, binding = 1) readonly buffer K { stored k[]; };
layout(set = 0, binding = 1) readonly buffer K4 { stored4 k4[]; };
layout(set = 0, binding = 2) readonly buffer V { stored v[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };

const uint kEach = kAttentionWidthMax / 64u;  // elements of y an invocation has at most

const uint kAtOnce = 8u;  // elements that an invocation loads at once: each takes as long as many products

shared float scores[64];
shared float weights[64];

uint skip_of(uint matrix) { return parameter(kMatrices + kMatrixWords * matrix + kMatrixSkip); }
uint row_stride(uint matrix) { return parameter(kMatrices + kMatrixWords * matrix + kMatrixRowStride); }
uint column_stride(uint matrix) { return parameter(kMatrices + kMatrixWords * matrix + kMatrixColumnStride); }

// The product of a row of q and one of k, from these elements on.
float product_of(uint q_at, uint k_at) {
  uint depth = parameter(kDepth);
  float product = 0.0;
  if (kVectors) {
    [[dont_unroll]] for (uint first = 0u; first < depth; first += 4u * kAtOnce) {
      vec4 a[kAtOnce], b[kAtOnce];
      [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
        uint d = min(first + 4u * j, depth - 4u);
        a[j] = vec4(q4[(q_at + d) >> 2]);
        b[j] = vec4(k4[(k_at + d) >> 2]);
      }
      [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
        if (first + 4u * j >= depth) break;
        product += a[j].x * b[j].x;
        product += a[j].y * b[j].y;
        product += a[j].z * b[j].z;
        product += a[j].w * b[j].w;
      }
    }
    return product;
  }
  uint q_next = column_stride(0u), k_next = column_stride(1u);
  for (uint first = 0u; first < depth; first += kAtOnce) {
    float a[kAtOnce], b[kAtOnce];
    [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
      uint d = min(first + j, depth - 1u);
      a[j] = float(q[q_at + d * q_next]);
      b[j] = float(k[k_at + d * k_next]);
    }
    [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
      if (first + j < depth) product += a[j] * b[j];
    }
  }
  return product;
}

void main() {
  uint query = grid_group();
  if (query >= parameter(kQueries)) return;  // a whole group returns, or nobody waits at a barrier
  uint lane = gl_LocalInvocationID.x;
  uint row = query % parameter(kRows);
  uint batch = query / parameter(kRows);
  uvec4 at = uvec4(skip_of(0u), skip_of(1u), skip_of(2u), skip_of(3u));
  for (uint d = 0u; d < parameter(kBatchRank); ++d) {
    uint word = kBatch + kBatchWords * d;
    uint quotient = batch / parameter(word);
    uint i = batch - quotient * parameter(word);
    at += i * uvec4(parameter(word + kBatchStrides), parameter(word + kBatchStrides + 1u),
                    parameter(word + kBatchStrides + 2u), parameter(word + kBatchStrides + 3u));
    batch = quotient;
  }
  at.x += row * row_stride(0u);
  at.w += row * row_stride(3u);

  uint keys = parameter(kKeys), width = parameter(kWidth), value_next = row_stride(2u);
  bool any_keys = keys != 0u;
  if (kCausal != 0u) {
    int seen = int(row) + int(parameter(kOffset));
    keys = seen < 0 ? 0u : min(keys, uint(seen) + 1u);
  }
  float most = -infinity(), sum = 0.0;
  float found[kEach];
  for (uint e = 0u; e < kEach; ++e) found[e] = 0.0;
  for (uint first = 0u; first < keys; first += 64u) {
    uint count = min(keys - first, 64u);
    if (lane < count) {
      uint key = at.y + (first + lane) * row_stride(1u);
      scores[lane] = float_parameter(kScale) * product_of(at.x, key);
    }
    barrier();
    float now = most;
    bool any = false;
    for (uint i = 0u; i < count; ++i) {
      float s = scores[i];
      now = s > now ? s : now;
      any = any || is_nan(s) || s != -infinity();
    }
    if (lane < count) weights[lane] = exp_or_nan(scores[lane] - now);
    barrier();
    if (any) {
      float factor = now == most ? 1.0 : exp_or_nan(most - now);
      most = now;
      sum *= factor;
      for (uint i = 0u; i < count; ++i) sum += weights[i];
      for (uint e = 0u; e < kEach; ++e) {
        uint column = lane + 64u * e;
        if (column >= width) break;
        found[e] *= factor;
        uint value = at.z + first * value_next + column * column_stride(2u);
        for (uint first_i = 0u; first_i < count; first_i += kAtOnce) {
          float values[kAtOnce];
          [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
            values[j] = float(v[value + min(first_i + j, count - 1u) * value_next]);
          }
          [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
            if (first_i + j < count) found[e] += weights[first_i + j] * values[j];
          }
        }
      }
    }
    barrier();  // weights are about to be written again
  }
  for (uint e = 0u; e < kEach; ++e) {
    uint column = lane + 64u * e;
    if (column < width) {
      y[at.w + column * column_stride(3u)] =
          store(!any_keys ? 0.0 : sum == 0.0 ? not_a_number() : found[e] / sum);
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
