// y = softmax(scale * q * k^T) * v, a group for each query or few neighboring ones, which takes 64 keys
// at a time: each invocation finds the scores and the weights of one, then adds up some elements of y (portable_fallback/reference/attention.cc
// has the method). No matrix of scores is stored.
/* words
use attention
spec
  uint causal
  bool vectors  // four columns of q and of k are an aligned vec4
  uint rows_each = 1  // queries of a group: 1 or 4
parameters AttentionParameters
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "attention.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"
#include "parameters.glsl"
#include "attention.glsl"

layout(set = 0, binding = 0) readonly buffer Q { stored q[]; };
layout(set = 0, binding = 0) readonly buffer Q4 { stored4 q4[]; };
layout(set = 0, binding = 1) readonly buffer K { stored k[]; };
layout(set = 0, binding = 1) readonly buffer K4 { stored4 k4[]; };
layout(set = 0, binding = 2) readonly buffer V { stored v[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };

const uint kEach = kAttentionWidthMax / 64u;  // elements of y an invocation has at most

const uint kAtOnce = 8u;  // elements that an invocation loads at once: each takes as long as many products

shared float scores[64u * kRowsEach];  // by query and key
shared float weights[64u * kRowsEach];
// A quarter of a group's invocations share a query's scores, four each, or all of four queries'.
const uint kParts = 16u;
shared float parts[kParts * kRowsEach];  // their greatest scores, and sums of weights at the end
shared uint anys[kParts * kRowsEach];    // whether one of them is not -inf

// The products of rows of q and one of k, from these elements on.
void find_products(uint q_at[kRowsEach], uint k_at, out float products[kRowsEach]) {
  uint depth = parameter(kDepth);
  [[unroll]] for (uint r = 0u; r < kRowsEach; ++r) products[r] = 0.0;
  if (kVectors) {
    for (uint first = 0u; first < depth; first += 4u * kAtOnce) {
      vec4 b[kAtOnce];
      [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
        b[j] = vec4(k4[(k_at + min(first + 4u * j, depth - 4u)) >> 2]);
      }
      [[unroll]] for (uint r = 0u; r < kRowsEach; ++r) {
        [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
          vec4 a = vec4(q4[(q_at[r] + min(first + 4u * j, depth - 4u)) >> 2]);
          if (first + 4u * j < depth) {
            products[r] += a.x * b[j].x;
            products[r] += a.y * b[j].y;
            products[r] += a.z * b[j].z;
            products[r] += a.w * b[j].w;
          }
        }
      }
    }
    return;
  }
  uint q_next = column_stride(0u), k_next = column_stride(1u);
  for (uint first = 0u; first < depth; first += kAtOnce) {
    float b[kAtOnce];
    [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
      b[j] = float(k[k_at + min(first + j, depth - 1u) * k_next]);
    }
    [[unroll]] for (uint r = 0u; r < kRowsEach; ++r) {
      [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
        float a = float(q[q_at[r] + min(first + j, depth - 1u) * q_next]);
        if (first + j < depth) products[r] += a * b[j];
      }
    }
  }
}

// Counts the keys from `first` on that a query sees, 64 at most.
uint count_seen(uint row, uint keys, uint first) {
  if (kCausal != 0u) {
    int seen = int(row) + int(parameter(kOffset));
    keys = seen < 0 ? 0u : min(keys, uint(seen) + 1u);
  }
  return keys > first ? min(keys - first, 64u) : 0u;
}

// Row r of a strip.
uint row_of(uint first, uint r) { return min(first + r, parameter(kRows) - 1u); }

void main() {
  uint group = grid_group();
  if (group >= parameter(kGroups)) return;  // a whole group returns, or nobody waits at a barrier
  uint lane = gl_LocalInvocationID.x;
  uint strips = (parameter(kRows) + kRowsEach - 1u) / kRowsEach;
  uint batch = group / strips;
  uint row = (group - batch * strips) * kRowsEach;
  uvec4 at = starts_of(batch);
  // The last strip repeats its last row, and does not store it again.
  uint rows[kRowsEach], q_at[kRowsEach];
  [[unroll]] for (uint r = 0u; r < kRowsEach; ++r) {
    rows[r] = row_of(row, r);
    q_at[r] = at.x + rows[r] * row_stride(0u);
  }

  uint part_row = min(lane / kParts, kRowsEach - 1u);  // of the scores that are its part
  uint part_first = lane % kParts * 4u;
  bool has_part = lane < kParts * kRowsEach;
  uint keys = parameter(kKeys), width = parameter(kWidth), value_next = row_stride(2u);
  float most[kRowsEach], found[kEach * kRowsEach];
  float sum = 0.0;  // of the weights that are its part
  [[unroll]] for (uint r = 0u; r < kRowsEach; ++r) {
    most[r] = -infinity();
    [[unroll]] for (uint e = 0u; e < kEach; ++e) found[r * kEach + e] = 0.0;
  }
  // A later query sees as many keys as an earlier one, and more.
  for (uint first = 0u; count_seen(rows[kRowsEach - 1u], keys, first) != 0u; first += 64u) {
    uint count = count_seen(rows[kRowsEach - 1u], keys, first);
    if (lane < count) {
      float products[kRowsEach];
      find_products(q_at, at.y + (first + lane) * row_stride(1u), products);
      [[unroll]] for (uint r = 0u; r < kRowsEach; ++r) {
        scores[64u * r + lane] = float_parameter(kScale) * products[r];
      }
    }
    barrier();
    if (has_part) {
      uint seen = count_seen(row_of(row, part_row), keys, first);
      float now = -infinity();
      bool any = false;
      [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        if (part_first + i < seen) {
          float s = scores[64u * part_row + part_first + i];
          now = s > now ? s : now;
          any = any || is_nan(s) || s != -infinity();
        }
      }
      parts[lane] = now;
      anys[lane] = any ? 1u : 0u;
    }
    barrier();
    uint counts[kRowsEach];  // 0 where all scores are -inf, which weigh nothing
    [[unroll]] for (uint r = 0u; r < kRowsEach; ++r) {
      float now = most[r];
      uint any = 0u;
      [[unroll]] for (uint i = 0u; i < kParts; ++i) {
        float s = parts[kParts * r + i];
        now = s > now ? s : now;
        any |= anys[kParts * r + i];
      }
      counts[r] = any != 0u ? count_seen(rows[r], keys, first) : 0u;
      weights[64u * r + lane] = lane < counts[r] ? exp_or_nan(scores[64u * r + lane] - now) : 0.0;
      float factor = any == 0u || now == most[r] ? 1.0 : exp_or_nan(most[r] - now);
      most[r] = any != 0u ? now : most[r];
      if (part_row == r) sum *= factor;
      [[unroll]] for (uint e = 0u; e < kEach; ++e) found[r * kEach + e] *= factor;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < 4u; ++i) sum += weights[64u * part_row + part_first + i];
    [[unroll]] for (uint e = 0u; e < kEach; ++e) {
      uint column = lane + 64u * e;
      if (column < width) {
        uint value = at.z + first * value_next + column * column_stride(2u);
        for (uint first_i = 0u; first_i < count; first_i += kAtOnce) {
          float values[kAtOnce];
          [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
            values[j] = float(v[value + min(first_i + j, count - 1u) * value_next]);
          }
          [[unroll]] for (uint r = 0u; r < kRowsEach; ++r) {
            [[unroll]] for (uint j = 0u; j < kAtOnce; ++j) {
              if (first_i + j < counts[r]) {
                found[r * kEach + e] += weights[64u * r + first_i + j] * values[j];
              }
            }
          }
        }
      }
    }
    barrier();  // weights are about to be written again
  }
  if (has_part) parts[lane] = sum;
  barrier();
  [[unroll]] for (uint r = 0u; r < kRowsEach; ++r) {
    if (row + r >= parameter(kRows)) break;
    float total = 0.0;
    [[unroll]] for (uint i = 0u; i < kParts; ++i) total += parts[kParts * r + i];
    uint y_at = at.w + rows[r] * row_stride(3u);
    [[unroll]] for (uint e = 0u; e < kEach; ++e) {
      uint column = lane + 64u * e;
      if (column < width) {
        y[y_at + column * column_stride(3u)] =
            store(keys == 0u ? 0.0 : total == 0.0 ? not_a_number() : found[r * kEach + e] / total);
      }
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
