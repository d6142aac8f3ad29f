// Average pool of 8-bit integers with vectors of any kind, which every 64-bit x86 and Arm has.
#include "portable_fallback/fast/integer_pool_base_kernel.h"

#include <bit>

#include "portable_fallback/shared/integer_pool.h"
#include "portable_fallback/shared/pool_taps.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
PoolScale scale_of(const QuantizedPool& pool, uint32_t count) {
  const QuantizedAveragePoolAttributes& by = pool.by;
  PoolScale scale = {};
  scale.is_mean = is_mean(pool);
  scale.count = static_cast<int32_t>(count);
  scale.added = -scale.count * by.x_zero_point;
  const auto power = std::bit_cast<double>(static_cast<uint64_t>(1023 + by.shift - 31) << 52);
  scale.factor = multiplier_of(pool, count) * power;
  scale.zero_point = by.output.zero_point;
  scale.low = by.output.low;
  scale.high = by.output.high;
  return scale;
}

void window_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& pool = *static_cast<const QuantizedPool*>(argument);
  const size_t y_c = pool.y.strides[1];
  PoolScale scale = scale_of(pool, 0);
  for_windows(pool, first, last, [&](const PoolWindow& at) {
    const uint32_t count = tap_count(at);
    if (static_cast<uint32_t>(scale.count) != count) scale = scale_of(pool, count);
    pool_bytes_base(pool_taps(pool, at), scale, at.count, pool.y.write<std::byte>() + at.y, y_c);
  });
}

Status run_pool(const Step& step, const Platform& platform) {
  QuantizedPool pool(step);
  split(platform, pool.items, pool.work, window_items, &pool);
  return ok_status();
}
#else
constexpr decltype(Form::run) run_pool = nullptr;
#endif

bool takes(const Step& step) {
  const auto attributes = step.attributes<QuantizedAveragePoolAttributes>();
  const bool is_mean = attributes.multiplier == 0 && !step.has_input(1);
  return takes_integer_pool(step) && (is_mean || attributes.output.rounding == Rounding::kHalfEven);
}

}  // namespace

constexpr Form kQuantizedAveragePoolForm41 = make_form(Op::kQuantizedAveragePool, 41,
                                                       {.parallel = true,
                                                        .safe_distance = quantized_pool_distance,
                                                        .accepts = takes,
                                                        .run = run_pool});
ARENITE_FORM_CODE(QuantizedAveragePool, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
