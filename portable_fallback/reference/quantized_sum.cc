// y = sum or mean of elements along axes, in integers.
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/reduce.h"
#include "portable_fallback/shared/requantization.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct QuantizedReduction : Reduction {
  QuantizedReduction(const Step& step, const QuantizedSumAttributes& attributes)
      : Reduction(step, attributes.axes), by(attributes) {}

  QuantizedSumAttributes by;
};

template <typename T>
void sum_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const QuantizedReduction*>(argument);
  reduce_blocks<T, T>(
      task, first, last, [] { return int32_t{0}; },
      [](int32_t sum, T element) { return wrapped_sum(sum, int32_t{element}); },
      [&](int32_t sum, uint32_t count) {
        const auto zeros = wrapped_product(static_cast<int32_t>(count), task.by.x_zero_point);
        return static_cast<T>(finished(wrapped_sum(sum, wrapped_negative(zeros)),
                                       task.by.multiplier, task.by.shift, task.by.output));
      });
}

template <TypeSet kTypes>
Status run_quantized_sum(const Step& step, const Platform& platform) {
  QuantizedReduction task(step, step.attributes<QuantizedSumAttributes>());
  for_type<kTypes>(step.input(0).dtype(),
                   [&]<typename T>() { run_reduction(task, platform, sum_items<T>, &task); });
  return ok_status();
}

uint64_t quantized_sum_distance(const Step& step, uint32_t) {
  return reduction_distance(step, step.attributes<QuantizedSumAttributes>().axes);
}

template <TypeSet kTypes>
constexpr Form quantized_sum_form(uint8_t number) {
  return make_form(Op::kQuantizedSum, number,
                   {.parallel = true,
                    .safe_distance = quantized_sum_distance,
                    .run = run_quantized_sum<kTypes>});
}

}  // namespace

constexpr Form kQuantizedSumForm1 = quantized_sum_form<form_types(Op::kQuantizedSum, 1)>(1);
ARENITE_FORM_CODE(QuantizedSum, 1)
constexpr Form kQuantizedSumForm2 = quantized_sum_form<form_types(Op::kQuantizedSum, 2)>(2);
ARENITE_FORM_CODE(QuantizedSum, 2)

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
