// Multiplies four columns tap by tap where x and w lie: a word of each becomes two pairs, of
// columns 0 2 and 1 3, whose numbers are multiplied one by one.
#include "portable_fallback/fast/integer_place_dsp_kernel.h"

#include "portable_fallback/fast/integer_finish_dsp.h"
#include "portable_fallback/fast/integer_finish_once_dsp.h"

namespace arenite {
namespace {

constexpr uint32_t kColumns = kPlaceDspColumns;
using Sums = int32_t[kColumns];

inline uint32_t load_columns(Src<std::byte> from) {
  uint32_t word;
  take<std::byte>(static_cast<std::byte*>(static_cast<void*>(&word)), from, sizeof word);
  return word;
}

// Adds the products of a run of taps in four columns.
[[gnu::noinline]] void add_bytes(const TapRun& run, Sums& sums) {
  // One by one, so that they lie in registers.
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  Src<std::byte> x = run.x, w = run.w;
  const size_t x_step = run.x_step, w_step = run.w_step;
  const auto add = [&] {
    const uint32_t word = load_columns(x), weights = load_columns(w);
    x += x_step;
    w += w_step;
    const uint32_t even = dsp::even_bytes(word), odd = dsp::odd_bytes(word);
    const uint32_t w_even = dsp::even_bytes(weights), w_odd = dsp::odd_bytes(weights);
    dsp::add_lower_product(even, w_even, s0);
    dsp::add_lower_product(odd, w_odd, s1);
    dsp::add_upper_product(even, w_even, s2);
    dsp::add_upper_product(odd, w_odd, s3);
  };
  uint32_t left = run.count;
  for (; left >= 4; left -= 4) {
    add();
    add();
    add();
    add();
  }
  for (; left != 0; --left) add();
  sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

// The same of uint8, or where x or w have zero points that biases lack.
[[gnu::noinline]] void add_numbers(const IntegerProducts& p, const TapRun& run, Sums& sums) {
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  Src<std::byte> x = run.x, w = run.w;
  const uint32_t flip = p.flip, added = dsp::pair_of(p.added, p.added);
  const uint32_t less = dsp::pair_of(-p.w_zero_point, -p.w_zero_point);
  for (uint32_t left = run.count; left != 0; --left, x += run.x_step, w += run.w_step) {
    const uint32_t word = load_columns(x) ^ flip, weights = load_columns(w);
    const uint32_t w_even = dsp::add_even_bytes(less, weights);
    const uint32_t even = dsp::add_even_bytes(added, word);
    dsp::add_lower_product(even, w_even, s0);
    dsp::add_upper_product(even, w_even, s2);
    const uint32_t w_odd = dsp::add_odd_bytes(less, weights);
    const uint32_t odd = dsp::add_odd_bytes(added, word);
    dsp::add_lower_product(odd, w_odd, s1);
    dsp::add_upper_product(odd, w_odd, s3);
  }
  sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

// The sum of one.
[[gnu::cold, gnu::noinline]] void add_one(const IntegerProducts& p, const PlaceTaps& taps,
                                          uint32_t column, const std::byte* beside, int32_t& sum) {
  taps.each(column, beside, [&](TapRun run) {
    for (; run.count != 0; --run.count, run.x += run.x_step, run.w += run.w_step) {
      const auto x = static_cast<int8_t>(static_cast<uint32_t>(*run.x) ^ p.flip) + p.added;
      const auto w = static_cast<int8_t>(*run.w) - p.w_zero_point;
      sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(x * w));
    }
  });
}

template <bool kOnce>
inline void compute(const PlaceProducts& d, uint32_t line) {
  const IntegerProducts& p = d.products;
  const IntegerResults& results = p.results;
  const PlaceTaps taps(d, line);
  const std::byte outside = byte_beside(p);
  const std::byte beside[kColumns] = {outside, outside, outside, outside};
  const bool plain = p.flip == 0 && p.added == 0 && p.w_zero_point == 0;
  const int32_t centre = 2 * results.zero_point + 1;
  const int32_t* bias = results.bias;
  Dst<int8_t> y = p.y + line * p.y_h;
  for (uint32_t column = 0; column < p.columns; column += kColumns, y += kColumns) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < kColumns ? left : kColumns;
    Sums sums;
    for (uint32_t j = 0; j < count; ++j, bias += results.bias_step) sums[j] = *bias;
    if (count < kColumns) {
      for (uint32_t j = 0; j < count; ++j) add_one(p, taps, column + j, beside, sums[j]);
    } else {
      taps.each(column, beside, [&](const TapRun& run) {
        plain ? add_bytes(run, sums) : add_numbers(p, run, sums);
      });
    }
    const bool constant = results.has_constant && constant_four(results, column) != 0;
    if (kOnce || count < kColumns || !results.small || constant) {
      finish_results<kOnce>(results, column, count, sums, 1, y, 1, 0);
      continue;
    }
    const int32_t* multiplier = results.multipliers + column * results.factor_step;
    const int8_t* shift = results.shifts + column * results.factor_step;
#pragma GCC unroll 4
    for (uint32_t j = 0; j < kColumns; ++j) {
      y[j] = SmallFactor(*multiplier, *shift, centre).result(dsp::doubled(sums[j]));
      multiplier += results.factor_step;
      shift += results.factor_step;
    }
  }
}

}  // namespace

void add_place_dsp(const PlaceProducts& d, uint32_t line) { compute<false>(d, line); }
void add_place_once_dsp(const PlaceProducts& d, uint32_t line) { compute<true>(d, line); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
