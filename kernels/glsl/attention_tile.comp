// y = softmax(scale * q * k^T) * v, a group for 32 queries, which takes 64 keys at a time. Rows of q and k,
// 16 columns of each in turn, and then of v, 16 in turn, come into shared memory, where each number is
// read by eight invocations. An invocation has every eighth query: of these the scores of every eighth
// key, and eight columns of y.
/* words
use attention
parameters AttentionParameters
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "attention_tile.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"
#include "parameters.glsl"
#include "attention.glsl"

layout(set = 0, binding = 0) readonly buffer Q4 { stored4 q4[]; };
layout(set = 0, binding = 1) readonly buffer K4 { stored4 k4[]; };
layout(set = 0, binding = 2) readonly buffer V4 { stored4 v4[]; };
layout(set = 0, binding = 3) writeonly buffer Y4 { stored4 y4[]; };

const uint kTileQueries = 32u, kTileKeys = 64u;
const uint kQueriesEach = 4u, kKeysEach = 8u;  // of an invocation
const uint kAtOnce = 16u;                      // columns of q and k, or rows of v
const uint kQuads = 16u;                       // of columns of v
const uint kRowVectors = kAtOnce / 4u + 1u;    // one is spare: neighboring rows lie in other banks
const uint kWeightVectors = kTileKeys / 4u + 1u;

// Rows of q and behind them of k, or rows of v, or what eight invocations found of each query.
shared vec4 tile[(kTileQueries + kTileKeys) * kRowVectors];
shared vec4 weights[kTileQueries * kWeightVectors];  // of four keys

// Brings columns of queries and keys from `column` on; zeros beyond the last column.
void bring_columns(uvec4 at, uint first_query, uint first_key, uint column) {
  uint local = gl_LocalInvocationID.x;
  column += 4u * (local % 4u);
  bool inside = column < parameter(kDepth);
  [[unroll]] for (uint j = 0u; j < (kTileQueries + kTileKeys) / 16u; ++j) {
    uint row = local / 4u + 16u * j;
    vec4 v = vec4(0.0);
    // The last row again where there are fewer.
    if (inside && row < kTileQueries) {
      uint query = min(first_query + row, parameter(kRows) - 1u);
      v = vec4(q4[(at.x + query * row_stride(0u) + column) >> 2]);
    } else if (inside) {
      uint key = min(first_key + row - kTileQueries, parameter(kKeys) - 1u);
      v = vec4(k4[(at.y + key * row_stride(1u) + column) >> 2]);
    }
    tile[row * kRowVectors + local % 4u] = v;
  }
}

// Brings rows of v; zeros beyond the last row and column.
void bring_values(uvec4 at, uint first_key) {
  uint local = gl_LocalInvocationID.x;
  uint column = 4u * (local % kQuads);
  [[unroll]] for (uint j = 0u; j < kAtOnce / 4u; ++j) {
    uint key = local / kQuads + 4u * j;
    bool inside = first_key + key < parameter(kKeys) && column < parameter(kWidth);
    tile[key * kQuads + local % kQuads] =
        inside ? vec4(v4[(at.z + (first_key + key) * row_stride(2u) + column) >> 2]) : vec4(0.0);
  }
}

// Shares numbers of a query with the invocations that have it too.
void share(uint query, float number) {
  uint lane = gl_LocalInvocationID.x % 8u;
  tile[2u * query + lane / 4u][lane % 4u] = number;
}
float shared_by(uint query, uint lane) { return tile[2u * query + lane / 4u][lane % 4u]; }

void add_scores(inout float scores[kQueriesEach][kKeysEach], uint first_row, uint lane) {
  [[unroll]] for (uint i = 0u; i < kAtOnce / 4u; ++i) {
    vec4 a[kQueriesEach];
    [[unroll]] for (uint r = 0u; r < kQueriesEach; ++r) a[r] = tile[(first_row + 8u * r) * kRowVectors + i];
    [[unroll]] for (uint c = 0u; c < kKeysEach; ++c) {
      vec4 b = tile[(kTileQueries + lane + 8u * c) * kRowVectors + i];
      [[unroll]] for (uint r = 0u; r < kQueriesEach; ++r) {
        scores[r][c] += a[r].x * b.x;
        scores[r][c] += a[r].y * b.y;
        scores[r][c] += a[r].z * b.z;
        scores[r][c] += a[r].w * b.w;
      }
    }
  }
}

void main() {
  uint group = grid_group();
  if (group >= parameter(kGroups)) return;  // a whole group returns, or nobody waits at a barrier
  uint strips = (parameter(kRows) + kTileQueries - 1u) / kTileQueries;
  uint batch = group / strips;
  uint first_query = (group - batch * strips) * kTileQueries;
  uvec4 at = starts_of(batch);
  uint lane = gl_LocalInvocationID.x % 8u, first_row = gl_LocalInvocationID.x / 8u;
  uint keys = parameter(kKeys), width = parameter(kWidth);

  float most[kQueriesEach], sums[kQueriesEach];
  vec4 found[kQueriesEach][2];
  [[unroll]] for (uint r = 0u; r < kQueriesEach; ++r) {
    most[r] = -infinity();
    sums[r] = 0.0;
    found[r] = vec4[2](vec4(0.0), vec4(0.0));
  }
  for (uint first_key = 0u; first_key < keys; first_key += kTileKeys) {
    uint count = min(keys - first_key, kTileKeys);
    float scores[kQueriesEach][kKeysEach];
    [[unroll]] for (uint r = 0u; r < kQueriesEach; ++r) {
      [[unroll]] for (uint c = 0u; c < kKeysEach; ++c) scores[r][c] = 0.0;
    }
    for (uint column = 0u; column < parameter(kDepth); column += kAtOnce) {
      barrier();  // what was brought before is read
      bring_columns(at, first_query, first_key, column);
      barrier();
      add_scores(scores, first_row, lane);
    }

    barrier();
    [[unroll]] for (uint r = 0u; r < kQueriesEach; ++r) {
      float now = -infinity();
      bool any_nan = false;
      [[unroll]] for (uint c = 0u; c < kKeysEach; ++c) {
        scores[r][c] *= float_parameter(kScale);
        if (lane + 8u * c < count) {
          now = scores[r][c] > now ? scores[r][c] : now;
          any_nan = any_nan || is_nan(scores[r][c]);
        }
      }
      share(first_row + 8u * r, any_nan && now == -infinity() ? not_a_number() : now);
    }
    barrier();
    bool any[kQueriesEach];  // false where all scores are -inf, which weigh nothing
    [[unroll]] for (uint r = 0u; r < kQueriesEach; ++r) {
      uint row = first_row + 8u * r;
      float now = most[r];
      any[r] = false;
      [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        float s = shared_by(row, i);
        now = s > now ? s : now;
        any[r] = any[r] || is_nan(s) || s != -infinity();
      }
      float factor = !any[r] || now == most[r] ? 1.0 : exp_or_nan(most[r] - now);
      most[r] = any[r] ? now : most[r];
      sums[r] *= factor;
      found[r][0] *= factor;
      found[r][1] *= factor;
      [[unroll]] for (uint c = 0u; c < kKeysEach; ++c) {
        bool seen = any[r] && lane + 8u * c < count;
        float weight = seen ? exp_or_nan(scores[r][c] - now) : 0.0;
        sums[r] += weight;
        weights[row * kWeightVectors + 2u * c + lane / 4u][lane % 4u] = weight;
      }
    }

    for (uint key = 0u; key < count; key += kAtOnce) {
      barrier();  // what was brought or shared before is read
      bring_values(at, first_key + key);
      barrier();
      [[unroll]] for (uint i = 0u; i < kAtOnce / 4u; ++i) {
        vec4 w[kQueriesEach];
        [[unroll]] for (uint r = 0u; r < kQueriesEach; ++r) {
          w[r] = weights[(first_row + 8u * r) * kWeightVectors + key / 4u + i];
        }
        [[unroll]] for (uint j = 0u; j < 4u; ++j) {
          vec4 left = tile[(4u * i + j) * kQuads + lane];
          vec4 right = tile[(4u * i + j) * kQuads + 8u + lane];
          [[unroll]] for (uint r = 0u; r < kQueriesEach; ++r) {
            if (any[r]) {
              found[r][0] += w[r][j] * left;
              found[r][1] += w[r][j] * right;
            }
          }
        }
      }
    }
  }

  barrier();
  [[unroll]] for (uint r = 0u; r < kQueriesEach; ++r) share(first_row + 8u * r, sums[r]);
  barrier();
  [[unroll]] for (uint r = 0u; r < kQueriesEach; ++r) {
    uint query = first_query + first_row + 8u * r;
    float total = 0.0;
    [[unroll]] for (uint i = 0u; i < 8u; ++i) total += shared_by(first_row + 8u * r, i);
    [[unroll]] for (uint h = 0u; h < 2u; ++h) {
      uint column = 4u * (lane + 8u * h);
      if (query < parameter(kRows) && column < width) {
        vec4 v = total == 0.0 ? vec4(not_a_number()) : found[r][h] / total;
        y4[(at.w + query * row_stride(3u) + column) >> 2] = store4(keys == 0u ? vec4(0.0) : v);
      }
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
