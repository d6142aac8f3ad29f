// y = mean of the elements of each window, in integers.
#include <cstddef>

#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/pool.h"
#include "portable_fallback/shared/requantization.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

using Attributes = QuantizedAveragePoolAttributes;
// The walk reads these words as a pool's.
static_assert(offsetof(Attributes, kernel) == offsetof(PoolAttributes, kernel) &&
              offsetof(Attributes, stride) == offsetof(PoolAttributes, stride) &&
              offsetof(Attributes, dilation) == offsetof(PoolAttributes, dilation) &&
              offsetof(Attributes, pad_begin) == offsetof(PoolAttributes, pad_begin));

struct QuantizedPool : Pool {
  explicit QuantizedPool(const Step& step)
      : Pool(step, step.serial()), by(step.attributes<Attributes>()) {
    if (step.has_input(1)) multipliers = step.input(1);
  }

  Attributes by;
  Tensor multipliers;  // without data: none
};

int32_t rounded_mean(int32_t sum, int32_t count) {
  if (count == 0) return 0;
  const int32_t half = count / 2;
  return (sum > 0 ? sum + half : sum - half) / count;
}

int32_t pooled(const QuantizedPool& pool, int32_t sum, uint32_t count) {
  const Requantization& output = pool.by.output;
  int32_t multiplier = pool.by.multiplier;
  if (pool.multipliers.data != nullptr) {
    multiplier = pool.multipliers.read<int32_t>()[size_t{count} * pool.multipliers.strides[0]];
  } else if (multiplier == 0) {
    const int32_t mean = rounded_mean(sum, static_cast<int32_t>(count));
    return mean < output.low ? output.low : mean > output.high ? output.high : mean;
  }
  const auto zeros = wrapped_product(static_cast<int32_t>(count), pool.by.x_zero_point);
  return finished(wrapped_sum(sum, wrapped_negative(zeros)), multiplier, pool.by.shift, output);
}

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

// The multipliers are read to the end.
uint64_t quantized_pool_distance(const Step& step, uint32_t input) {
  return input == 0 ? pool_distance(step, input) : kNoOverlap;
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
constexpr Form kQuantizedAveragePoolForm2 =
    quantized_pool_form<form_types(Op::kQuantizedAveragePool, 2)>(2);

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
