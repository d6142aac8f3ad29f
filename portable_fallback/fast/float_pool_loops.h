// Adds up or compares the taps of pools of floats, neighboring channels in a vector; compiled for
// each instruction set like float_tiles.h. Channels that fill no vector are taken one by one.
#pragma once

#include "portable_fallback/fast/float_pool.h"
#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

// NaN is greater than any number, and stays.
struct Greatest {
  static constexpr float kStart = -__builtin_inff();
  static void add(Vector& best, Vector tap) {
    best = ((tap > best) | (tap != tap)) ? tap : best;  // NOLINT(misc-redundant-expression)
  }
  static void add(float& best, float tap) { best = tap > best || tap != tap ? tap : best; }
  template <typename V>
  static V finish(V best, float) {
    return best;
  }
};

struct Mean {
  static constexpr float kStart = 0;
  template <typename V>
  static void add(V& sum, V tap) {
    sum += tap;
  }
  template <typename V>
  static V finish(V sum, float divisor) {
    return sum / divisor;
  }
};

// Channels of some vectors.
template <typename Member, uint32_t kVectors>
[[gnu::always_inline]] inline void pool_vectors(const FloatPoolRun& run, Src<float> x, float* to) {
  Vector results[kVectors];
#pragma GCC unroll 16
  for (uint32_t v = 0; v < kVectors; ++v) results[v] = Vector{} + Member::kStart;
  const size_t step = run.steps[2];
  for (uint32_t d = run.counts[0]; d != 0; --d, x += run.steps[0]) {
    Src<float> line = x;
    for (uint32_t h = run.counts[1]; h != 0; --h, line += run.steps[1]) {
      Src<float> at = line;
      for (uint32_t w = run.counts[2]; w != 0; --w, at += step) {
        const float* taps = at;
#pragma GCC unroll 16
        for (uint32_t v = 0; v < kVectors; ++v) Member::add(results[v], load(taps + v * kLanes));
      }
    }
  }
#pragma GCC unroll 16
  for (uint32_t v = 0; v < kVectors; ++v) {
    store(to + v * kLanes, Member::finish(results[v], run.divisor));
  }
}

template <typename Member>
[[gnu::always_inline]] inline float pool_one(const FloatPoolRun& run, Src<float> x) {
  float result = Member::kStart;
  for (uint32_t d = run.counts[0]; d != 0; --d, x += run.steps[0]) {
    Src<float> line = x;
    for (uint32_t h = run.counts[1]; h != 0; --h, line += run.steps[1]) {
      Src<float> at = line;
      for (uint32_t w = run.counts[2]; w != 0; --w, at += run.steps[2]) {
        Member::add(result, static_cast<float>(*at));
      }
    }
  }
  return Member::finish(result, run.divisor);
}

template <typename Member>
void pool_outputs(const FloatPoolRun& run) {
  constexpr uint32_t kAll = kFloatPoolChannels;
  Src<float> x = run.x;
  Dst<float> y = run.y;
  for (uint32_t left = run.outputs; left != 0; --left) {
    uint32_t channel = 0;
    float results[kAll];
    for (; run.channels - channel >= kAll; channel += kAll) {
      pool_vectors<Member, kAll / kLanes>(run, x + channel, results);
      put(y + channel, results, kAll);
    }
    const uint32_t count = run.channels - channel;
    uint32_t done = 0;
    if (count >= kAll / 2) {
      pool_vectors<Member, kAll / 2 / kLanes>(run, x + channel, results);
      done = kAll / 2;
    }
    for (; count - done >= kLanes; done += kLanes) {
      pool_vectors<Member, 1>(run, x + (channel + done), results + done);
    }
    for (; done < count; ++done) {
      results[done] = pool_one<Member>(run, x + (channel + done));
    }
    put(y + channel, results, count);
    x += run.x_step;
    y += run.y_step;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
