// Average pool of 8-bit integers with Arm's MVE.
#include "portable_fallback/fast/integer_pool_mve_kernel.h"
#include "portable_fallback/shared/integer_pool.h"
#include "portable_fallback/shared/pool_taps.h"

namespace arenite {
namespace {

// In vectors where results are means, or halves go to even.
void put_pooled_mve(const QuantizedPool& pool, const PoolWindow& at, const int32_t* sums) {
  const Requantization& output = pool.by.output;
  const uint32_t count = tap_count(at);
  Dst<std::byte> y = pool.y.write<std::byte>() + at.y;
  const size_t y_c = pool.y.strides[1];
  if (count == 0) return put_pooled(pool, at, sums);
  if (is_mean(pool)) {
    const uint32_t reciprocal = ((uint32_t{1} << 31) + count - 1) / count;
    return finish_means_mve({reciprocal, static_cast<int32_t>(count / 2), output.low, output.high},
                            sums, at.count, y, y_c);
  }
  const EvenScale scale = even_scale(pool.by, multiplier_of(pool, count), count);
  if (scale.right == 0) return put_pooled(pool, at, sums);
  finish_products_mve(
      {scale.added, scale.factor, scale.right, output.zero_point, output.low, output.high}, sums,
      at.count, y, y_c);
}

}  // namespace

constexpr Form kQuantizedAveragePoolForm9 = integer_pool_form<sum_taps_mve, put_pooled_mve>(9);
ARENITE_FORM_CODE(QuantizedAveragePool, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
