// Multiplies eight columns tap by tap where x and w lie: both are widened to 16 bits as they are
// loaded, and products of 32 bits of even and of odd columns are added to sums in lanes.
#include "portable_fallback/fast/integer_place_mve_kernel.h"

#include "portable_fallback/fast/integer_roundings_mve.h"

namespace arenite {
namespace {

constexpr uint32_t kColumns = kPlaceMveColumns;
constexpr uint32_t kLanes = 8;

// Holds what is added to numbers as they lie in x and in w: nothing to int8 where they are `plain`.
struct Numbers {
  explicit Numbers(const IntegerProducts& p)
      : is_unsigned(p.flip != 0),
        x_added(static_cast<int16_t>(p.added - (is_unsigned ? 128 : 0))),
        w_added(static_cast<int16_t>(-p.w_zero_point)),
        plain(!is_unsigned && x_added == 0 && w_added == 0) {}

  bool is_unsigned;
  int16_t x_added, w_added;
  bool plain;
};

#ifdef __ARM_FEATURE_MVE
template <bool kPlain>
inline void add_run(const Numbers& numbers, const TapRun& run, mve_pred16_t lanes, int32x4_t& even,
                    int32x4_t& odd) {
  const auto* x = static_cast<const int8_t*>(static_cast<const void*>(run.x));
  const auto* w = static_cast<const int8_t*>(static_cast<const void*>(run.w));
  for (uint32_t left = run.count; left != 0; --left, x += run.x_step, w += run.w_step) {
    int16x8_t weights = vldrbq_z_s16(w, lanes);
    int16x8_t values;
    if constexpr (kPlain) {
      values = vldrbq_z_s16(x, lanes);
    } else {
      values = numbers.is_unsigned
                   ? vreinterpretq_s16_u16(vldrbq_z_u16(
                         static_cast<const uint8_t*>(static_cast<const void*>(x)), lanes))
                   : vldrbq_z_s16(x, lanes);
      values = vaddq_n_s16(values, numbers.x_added);
      weights = vaddq_n_s16(weights, numbers.w_added);
    }
    even = vaddq_s32(even, vmullbq_int_s16(values, weights));
    odd = vaddq_s32(odd, vmulltq_int_s16(values, weights));
  }
}

// The sums of up to eight columns.
template <bool kPlain>
[[gnu::noinline]] void add_lanes(const Numbers& numbers, const PlaceTaps& taps, uint32_t column,
                                 uint32_t count, const std::byte* beside, int32_t* sums) {
  int32x4_t even = vdupq_n_s32(0), odd = vdupq_n_s32(0);
  const mve_pred16_t lanes = vctp16q(count);
  taps.each(column, beside,
            [&](const TapRun& run) { add_run<kPlain>(numbers, run, lanes, even, odd); });
  vst2q_s32(sums, (int32x4x2_t{{even, odd}}));
}
#else
template <bool kPlain>
void add_lanes(const Numbers& numbers, const PlaceTaps& taps, uint32_t column, uint32_t count,
               const std::byte* beside, int32_t* sums) {
  for (uint32_t j = 0; j < kLanes; ++j) sums[j] = 0;
  taps.each(column, beside, [&](const TapRun& run) {
    for (uint32_t i = 0; i < run.count; ++i) {
      for (uint32_t j = 0; j < count; ++j) {
        const std::byte x = run.x[i * run.x_step + j];
        const int32_t number =
            numbers.is_unsigned ? std::to_integer<int32_t>(x) : static_cast<int8_t>(x);
        const int32_t weight = static_cast<int8_t>(run.w[i * run.w_step + j]);
        sums[j] = mve::sum(sums[j], (number + numbers.x_added) * (weight + numbers.w_added));
      }
    }
  });
}
#endif

template <bool kOnce>
inline void compute(const PlaceProducts& d, uint32_t line) {
  const IntegerProducts& p = d.products;
  const IntegerResults& results = p.results;
  const PlaceTaps taps(d, line);
  const Numbers numbers(p);
  const std::byte outside = byte_beside(p);
  std::byte beside[kLanes];
  for (std::byte& byte : beside) byte = outside;
  int32_t apart[kColumns];  // biases that do not follow each other
  Dst<int8_t> y = p.y + line * p.y_h;
  for (uint32_t column = 0; column < p.columns; column += kColumns, y += kColumns) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < kColumns ? left : kColumns;
    int32_t sums[kColumns];
    for (uint32_t j = 0; j < count; j += kLanes) {
      const uint32_t lanes = count - j < kLanes ? count - j : kLanes;
      numbers.plain ? add_lanes<true>(numbers, taps, column + j, lanes, beside, sums + j)
                    : add_lanes<false>(numbers, taps, column + j, lanes, beside, sums + j);
    }
    const int32_t* biases = results.bias + column;
    if (results.bias_step != 1) {
      for (uint32_t j = 0; j < count; ++j)
        apart[j] = results.bias[(column + j) * results.bias_step];
      biases = apart;
    }
    if constexpr (kOnce) {
      finish_any<false>(results, column, count, {sums, biases, 1, kColumns}, {y, 1, 0});
    } else {
      finish<false>(results, column, count, {sums, biases, 1, kColumns}, {y, 1, 0});
    }
  }
}

}  // namespace

void add_place_mve(const PlaceProducts& d, uint32_t line) { compute<false>(d, line); }
void add_place_once_mve(const PlaceProducts& d, uint32_t line) { compute<true>(d, line); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
