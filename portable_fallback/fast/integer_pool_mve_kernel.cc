// Adds eight channels, widened to 16 bits, to a vector of sums; makes results of four sums at once.
#include "portable_fallback/fast/integer_pool_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
namespace {

// Stores eight neighboring sums, of which it is given the even and the odd ones.
inline void put_sums(int32x4_t even, int32x4_t odd, int32_t* sums) {
  vst2q_s32(sums, (int32x4x2_t{{even, odd}}));
}

}  // namespace

void sum_taps_mve(const PoolTaps& taps, uint32_t channels, int32_t* sums) {
  const mve_pred16_t first = vctp16q(channels);
  const mve_pred16_t second = vctp16q(channels > 8 ? channels - 8 : 0);
  // Sums are 16 bits of either type.
  uint16x8_t low = vdupq_n_u16(0), high = vdupq_n_u16(0);
  const auto bytes = [](Src<std::byte> x) {
    return static_cast<const uint8_t*>(static_cast<const void*>(x));
  };
  if (taps.is_unsigned) {
    for_each_tap(taps, taps.x, [&](Src<std::byte> x) {
      low = vaddq_u16(low, vldrbq_z_u16(bytes(x), first));
      high = vaddq_u16(high, vldrbq_z_u16(bytes(x) + 8, second));
    });
  } else {
    for_each_tap(taps, taps.x, [&](Src<std::byte> x) {
      const auto* at = static_cast<const int8_t*>(static_cast<const void*>(x));
      low = vaddq_u16(low, vreinterpretq_u16_s16(vldrbq_z_s16(at, first)));
      high = vaddq_u16(high, vreinterpretq_u16_s16(vldrbq_z_s16(at + 8, second)));
    });
  }
  if (taps.is_unsigned) {
    put_sums(vreinterpretq_s32_u32(vmovlbq_u16(low)), vreinterpretq_s32_u32(vmovltq_u16(low)),
             sums);
    put_sums(vreinterpretq_s32_u32(vmovlbq_u16(high)), vreinterpretq_s32_u32(vmovltq_u16(high)),
             sums + 8);
    return;
  }
  const int16x8_t signed_low = vreinterpretq_s16_u16(low);
  const int16x8_t signed_high = vreinterpretq_s16_u16(high);
  put_sums(vmovlbq_s16(signed_low), vmovltq_s16(signed_low), sums);
  put_sums(vmovlbq_s16(signed_high), vmovltq_s16(signed_high), sums + 8);
}

namespace {

// Sums and half of the elements are below 2^16: the quotient of numbers below by a divisor of 8
// bits is what the upper half of the product with the divisor's reciprocal has.
void put_means(const PoolMeans& means, const int32_t* sums, uint32_t channels, std::byte* y) {
  asm volatile(
      "wlstp.32 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vldrw.s32 q0, [%[sums]], #16\n\t"
      "vabs.s32 q1, q0\n\t"
      "vadd.i32 q1, q1, %[half]\n\t"
      "vshl.i32 q1, q1, #1\n\t"
      "vmulh.u32 q1, q1, %q[reciprocal]\n\t"
      "vpt.s32 lt, q0, zr\n\t"
      "vnegt.s32 q1, q1\n\t"
      "vmax.s32 q1, q1, %q[low]\n\t"
      "vmin.s32 q1, q1, %q[high]\n\t"
      "vstrb.32 q1, [%[y]], #4\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [sums] "+l"(sums), [y] "+l"(y)
      : [count] "r"(channels), [half] "r"(means.half),
        [reciprocal] "w"(vdupq_n_u32(means.reciprocal)), [low] "w"(vdupq_n_s32(means.low)),
        [high] "w"(vdupq_n_s32(means.high))
      : "lr", "q0", "q1", "p0", "memory");
}

// Half of a unit is added; a product without a rest was a half, and loses its last bit.
void put_products(const PoolProducts& products, const int32_t* sums, uint32_t channels,
                  std::byte* y) {
  const auto right = static_cast<int32_t>(products.right) - 32;  // of the upper half
  asm volatile(
      "wlstp.32 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vldrw.s32 q0, [%[sums]], #16\n\t"
      "vadd.i32 q0, q0, %[added]\n\t"
      "vmul.i32 q1, q0, %[factor]\n\t"
      "vmulh.s32 q0, q0, %q[factors]\n\t"
      "vadd.i32 q0, q0, %[half]\n\t"
      "vshl.s32 q2, q0, %q[left]\n\t"
      "vorr q1, q1, q2\n\t"
      "vshl.s32 q0, %[shift]\n\t"
      "vpt.i32 eq, q1, zr\n\t"
      "vandt q0, q0, %q[even]\n\t"
      "vadd.i32 q0, q0, %[zero_point]\n\t"
      "vmax.s32 q0, q0, %q[low]\n\t"
      "vmin.s32 q0, q0, %q[high]\n\t"
      "vstrb.32 q0, [%[y]], #4\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [sums] "+l"(sums), [y] "+l"(y)
      : [count] "r"(channels), [added] "r"(products.added), [factor] "r"(products.factor),
        [half] "r"(1 << (right - 1)), [shift] "r"(-right), [zero_point] "r"(products.zero_point),
        [factors] "w"(vdupq_n_s32(products.factor)), [left] "w"(vdupq_n_s32(32 - right)),
        [even] "w"(vdupq_n_s32(~1)), [low] "w"(vdupq_n_s32(products.low)),
        [high] "w"(vdupq_n_s32(products.high))
      : "lr", "q0", "q1", "q2", "p0", "memory");
}

#else

void sum_taps_mve(const PoolTaps& taps, uint32_t channels, int32_t* sums) {
  for (uint32_t c = 0; c < channels; ++c) sums[c] = 0;
  for_each_tap(taps, taps.x, [&](Src<std::byte> x) {
    for (uint32_t c = 0; c < channels; ++c) {
      const std::byte element = x[c];
      sums[c] += taps.is_unsigned ? int32_t{static_cast<uint8_t>(element)}
                                  : int32_t{static_cast<int8_t>(element)};
    }
  });
}

namespace {

std::byte limited(int64_t number, int32_t low, int32_t high) {
  const int64_t raised = number < low ? low : number;
  return static_cast<std::byte>(raised > high ? high : raised);
}

template <typename To>
void put_means(const PoolMeans& means, const int32_t* sums, uint32_t channels, To y) {
  for (uint32_t c = 0; c < channels; ++c) {
    const int64_t moved = (sums[c] < 0 ? -int64_t{sums[c]} : sums[c]) + int64_t{means.half};
    const int64_t quotient = moved * 2 * int64_t{means.reciprocal} >> 32;
    y[c] = limited(sums[c] < 0 ? -quotient : quotient, means.low, means.high);
  }
}

template <typename To>
void put_products(const PoolProducts& products, const int32_t* sums, uint32_t channels, To y) {
  const int64_t half = int64_t{1} << (products.right - 1);
  for (uint32_t c = 0; c < channels; ++c) {
    const int64_t product =
        int64_t{mve::sum(sums[c], products.added)} * int64_t{products.factor} + half;
    const int64_t rounded = product >> products.right;
    const bool was_half = product == rounded * 2 * half;
    const int64_t number = was_half ? rounded & ~int64_t{1} : rounded;
    y[c] = limited(number + products.zero_point, products.low, products.high);
  }
}

#endif

// Calls put(results) with where the results of all channels lie side by side.
template <typename Put>
void put_apart(uint32_t channels, Dst<std::byte> y, size_t y_c, const Put& put) {
  if (y_c == 1) return put(y);
  std::byte results[kPoolChannels];
  put(results);
  for (uint32_t c = 0; c < channels; ++c) y[c * y_c] = results[c];
}

}  // namespace
void finish_means_mve(const PoolMeans& means, const int32_t* sums, uint32_t channels,
                      Dst<std::byte> y, size_t y_c) {
  put_apart(channels, y, y_c, [&](auto to) { put_means(means, sums, channels, to); });
}

void finish_products_mve(const PoolProducts& products, const int32_t* sums, uint32_t channels,
                         Dst<std::byte> y, size_t y_c) {
  put_apart(channels, y, y_c, [&](auto to) { put_products(products, sums, channels, to); });
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
