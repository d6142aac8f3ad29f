// y = mean of the elements of each window, in integers.
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/quantized_pool.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

template <typename T>
void pool_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& pool = *static_cast<const QuantizedPool*>(argument);
  Src<T> x = pool.x.read<T>();
  Dst<T> y = pool.y.write<T>();
  const size_t x_c = pool.x.strides[1];
  const size_t y_c = pool.y.strides[1];
  for_windows(pool, first, last, [&](const PoolWindow& at) {
    int32_t sums[kBlock] = {};
    uint32_t count = 0;
    for_taps(pool, at, [&](size_t offset, uint32_t, uint32_t, uint32_t) {
      ++count;
      for (uint32_t j = 0; j < at.count; ++j) {
        const T tap = x[offset + j * x_c];
        sums[j] = wrapped_sum(sums[j], int32_t{tap});
      }
    });
    for (uint32_t j = 0; j < at.count; ++j) {
      y[at.y + j * y_c] = static_cast<T>(pooled(pool, sums[j], count));
    }
  });
}

template <TypeSet kTypes>
Status run_quantized_average_pool(const Step& step, const Platform& platform) {
  QuantizedPool pool(step);
  for_type<kTypes>(pool.x.dtype(), [&]<typename T>() {
    split(platform, pool.items, pool.work, pool_items<T>, &pool);
  });
  return ok_status();
}

template <TypeSet kTypes>
constexpr Form quantized_pool_form(uint8_t number) {
  return make_form(Op::kQuantizedAveragePool, number,
                   {.parallel = true,
                    .safe_distance = quantized_pool_distance,
                    .run = run_quantized_average_pool<kTypes>});
}

}  // namespace

constexpr Form kQuantizedAveragePoolForm1 =
    quantized_pool_form<form_types(Op::kQuantizedAveragePool, 1)>(1);
ARENITE_FORM_CODE(QuantizedAveragePool, 1)
constexpr Form kQuantizedAveragePoolForm2 =
    quantized_pool_form<form_types(Op::kQuantizedAveragePool, 2)>(2);
ARENITE_FORM_CODE(QuantizedAveragePool, 2)

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
