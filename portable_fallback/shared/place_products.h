// Serves the forms whose kernels compute depthwise windows of lines of one place where x and w lie,
// as integer_place.h has it.
#pragma once

#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/fast/integer_place.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

// The form of a kernel, which has
//   static constexpr bool kRoundsOnce: of results that are not rounded as kTfliteDouble,
//   static constexpr uint32_t kColumns: that are computed at once,
//   static void compute(products, line),
//   static void find_outputs(results, columns, products): what it asks about results.
template <typename Kernel>
struct PlaceForm {
  static bool takes(const Step& step) {
    return rounds_once<QuantizedConvAttributes>(step) == Kernel::kRoundsOnce &&
           takes_depthwise_place(step);
  }

  static uint64_t distance(const Step& step, uint32_t input) {
    return depthwise_place_distance(step, input, Kernel::kColumns);
  }

  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    for_lines(*static_cast<const DepthwiseWork<PlaceProducts>*>(argument), first, last, thread,
              Kernel::compute);
  }

  static Status run(const Step& step, const Platform& platform) {
    const OutTensor y = step.output(0);
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    const Tensor w = step.input(1);
    const uint32_t taps = w.dims[2] * w.dims[3];
    DepthwiseWork<PlaceProducts> work = {{conv_products_in_place(step), w.strides[2], w.strides[3]},
                                         step.input(0).strides[0],
                                         y.strides[0],
                                         y.dims[2],
                                         0};
    IntegerProducts& p = work.depthwise.products;
    const uint32_t products = products_of(taps, attributes.w_zero_point);
    if constexpr (Kernel::kRoundsOnce) {
      p.results = integer_results(step, attributes.output, products);
      find_single_roundings(p.results, p.columns, products);
    } else {
      p.results = twice_rounded_results(step, attributes.output, products);
    }
    Kernel::find_outputs(p.results, p.columns, products);
    split(platform, y.dims[0] * y.dims[2], element_count(y) * work_of_result(taps), items, &work);
    return ok_status();
  }

  static constexpr Form form(uint8_t number) {
    return make_form(Op::kQuantizedConv, number,
                     {.parallel = true, .safe_distance = distance, .accepts = takes, .run = run});
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
