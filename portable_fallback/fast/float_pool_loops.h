// Adds up or compares the taps of pools of floats, neighboring channels in a vector; compiled for
// each instruction set like float_tiles.h. Channels that fill no vector are taken one by one.
#pragma once

#include "portable_fallback/fast/float_pool.h"
#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

// NaN is greater than any number, and stays: it is remembered apart, so that the next tap waits for
// one instruction alone.
struct Greatest {
  static constexpr float kStart = -__builtin_inff();
  struct Vectors {
    Vector best = Vector{} + kStart;
    Words nan = {};
    void add(Vector tap) {
      best = greater_of(tap, best);  // of zeros of both signs the first, as of one channel
      nan |= __builtin_bit_cast(Words, tap != tap);  // NOLINT(misc-redundant-expression)
    }
    Vector finish(float) const {
      return __builtin_bit_cast(Vector, __builtin_bit_cast(Words, best) | nan);
    }
  };
  static void add(float& best, float tap) { best = tap > best || tap != tap ? tap : best; }
  static float finish(float best, float) { return best; }
};

struct Mean {
  static constexpr float kStart = 0;
  struct Vectors {
    Vector sum = {};
    void add(Vector tap) { sum += tap; }
    Vector finish(float divisor) const { return sum / divisor; }
  };
  static void add(float& sum, float tap) { sum += tap; }
  static float finish(float sum, float divisor) { return sum / divisor; }
};

// Channels of some vectors.
template <typename Member, uint32_t kVectors>
[[gnu::always_inline]] inline void pool_vectors(const FloatPoolRun& run, Src<float> x, float* to) {
  typename Member::Vectors results[kVectors];
  const size_t step = run.steps[2];
  for (uint32_t d = run.counts[0]; d != 0; --d, x += run.steps[0]) {
    Src<float> line = x;
    for (uint32_t h = run.counts[1]; h != 0; --h, line += run.steps[1]) {
      Src<float> at = line;
      for (uint32_t w = run.counts[2]; w != 0; --w, at += step) {
        const float* taps = at;
#pragma GCC unroll 16
        for (uint32_t v = 0; v < kVectors; ++v) results[v].add(load(taps + v * kLanes));
      }
    }
  }
#pragma GCC unroll 16
  for (uint32_t v = 0; v < kVectors; ++v) {
    store(to + v * kLanes, results[v].finish(run.divisor));
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

// Channels of `vectors` vectors, at most kVectors.
template <typename Member, uint32_t kVectors>
[[gnu::always_inline]] inline void pool_rest(const FloatPoolRun& run, Src<float> x,
                                             uint32_t vectors, float* to) {
  if constexpr (kVectors != 0) {
    if (vectors == kVectors) return pool_vectors<Member, kVectors>(run, x, to);
    pool_rest<Member, kVectors - 1>(run, x, vectors, to);
  }
}

// One channel whose innermost taps are neighbors, in no order of theirs: each of 32 partial results
// takes every 32nd, then the halves of these results are joined until one is left. No width of
// vectors changes a bit.
template <typename Member>
[[gnu::always_inline]] inline float pool_neighbors(const FloatPoolRun& run, Src<float> x) {
  constexpr uint32_t kPartial = 32, kFew = 8;
  constexpr uint32_t kVectors = kPartial / kLanes;
  typename Member::Vectors results[kVectors];
  float result = Member::kStart;
  for (uint32_t d = run.counts[0]; d != 0; --d, x += run.steps[0]) {
    Src<float> line = x;
    for (uint32_t h = run.counts[1]; h != 0; --h, line += run.steps[1]) {
      const float* taps = line;
      uint32_t left = run.counts[2];
      for (; left >= kPartial; left -= kPartial, taps += kPartial) {
#pragma GCC unroll 16
        for (uint32_t v = 0; v < kVectors; ++v) results[v].add(load(taps + v * kLanes));
      }
      for (; left >= kFew; left -= kFew, taps += kFew) {
        for (uint32_t v = 0; v < kFew / kLanes; ++v) results[v].add(load(taps + v * kLanes));
      }
      for (; left != 0; --left, taps += 1) Member::add(result, *taps);
    }
  }
  for (uint32_t half = kVectors / 2; half != 0; half /= 2) {
    for (uint32_t v = 0; v < half; ++v) results[v].add(results[v + half].finish(1.0f));
  }
  float lanes[kLanes];
  store(lanes, results[0].finish(1.0f));
  for (uint32_t half = kLanes / 2; half != 0; half /= 2) {
    for (uint32_t i = 0; i < half; ++i) Member::add(lanes[i], lanes[i + half]);
  }
  Member::add(result, lanes[0]);
  return Member::finish(result, run.divisor);
}

template <typename Member>
void pool_rows(const FloatPoolRun& run) {
  Src<float> x = run.x;
  Dst<float> y = run.y;
  for (uint32_t left = run.outputs; left != 0; --left, x += run.x_step, y += run.y_step) {
    *y = pool_neighbors<Member>(run, x);
  }
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
    const uint32_t vectors = count / kLanes;
    pool_rest<Member, kAll / kLanes - 1>(run, x + channel, vectors, results);
    uint32_t done = vectors * kLanes;
    for (; done < count; ++done) {
      results[done] = pool_one<Member>(run, x + (channel + done));
    }
    // By vectors: GCC copies a number of floats that it does not know by one slow instruction.
    for (uint32_t i = 0; i < vectors * kLanes; i += kLanes) {
      put(y + (channel + i), results + i, kLanes);
    }
    for (uint32_t i = vectors * kLanes; i < count; ++i) *(y + (channel + i)) = results[i];
    x += run.x_step;
    y += run.y_step;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
