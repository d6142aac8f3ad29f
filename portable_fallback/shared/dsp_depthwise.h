// Serves the forms whose kernels compute depthwise windows as integer_depthwise_dsp_kernel.h has
// it.
#pragma once

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/fast/integer_depthwise_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

// Larger windows would need more memory than they are worth.
inline constexpr uint32_t kDspSideMax = 32;

// The form of a kernel, which has
//   static constexpr bool kInPhases: lines have taps apart,
//   static constexpr auto& items: the function of lines of a DepthwiseWork, or of their phases,
//   static constexpr bool kRoundsOnce: results need not be rounded as kTfliteDouble,
//   static constexpr auto& find_outputs: of find_small_outputs() and the like, which it asks.
template <typename Kernel>
struct DspDepthwiseForm {
  static uint32_t pixels_of_line(const Step& step) {
    QuantizedConvAttributes room;
    const QuantizedConvAttributes& attributes = step.attributes(room);
    return dsp_depthwise_pixels(places_of_phase(step), attributes.stride[1], step.input(1).dims[3]);
  }

  static uint32_t row_words(const Step& step) {
    const Tensor w = step.input(1);
    return dsp_depthwise_words(pixels_of_line(step), w.dims[2], w.dims[3]);
  }

  static ScratchNeed depthwise_scratch(const Step& step) { return rows_scratch(row_words(step)); }

  static uint64_t distance(const Step& step, uint32_t input) {
    constexpr uint32_t kWord = 4;  // channels at once
    return Kernel::kInPhases ? depthwise_phases_distance(step, input, kWord)
                             : depthwise_distance(step, input, kWord);
  }

  static Status run_depthwise(const Step& step, const Platform& platform) {
    const OutTensor y = step.output(0);
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    const Tensor x = step.input(0);
    const Tensor w = step.input(1);
    const uint32_t taps = w.dims[2] * w.dims[3];
    // Made where it stays: a copy would be a tenth of the stack below run.
    DepthwiseWork<DspDepthwise> work = {
        {conv_products(step), w.strides[2], w.strides[3], y.dims[1] / attributes.groups},
        x.strides[0],
        y.strides[0],
        y.dims[2],
        row_words(step),
        Kernel::kInPhases ? phases_of_line(step) : 1};
    IntegerProducts& p = work.depthwise.products;
    const uint32_t products = products_of(taps, attributes.w_zero_point);
    if constexpr (Kernel::kRoundsOnce) {
      p.results = integer_results(step, attributes.output, products);
      find_single_roundings(p.results, p.columns, products);
    } else {
      p.results = twice_rounded_results(step, attributes.output, products);
    }
    Kernel::find_outputs(p.results, p.columns, products);
    split(platform, y.dims[0] * y.dims[2] * work.phases, element_count(y) * work_of_result(taps),
          Kernel::items, &work);
    return ok_status();
  }

  static constexpr Form form(uint8_t number, decltype(Form::accepts) accepts) {
    return make_form(Op::kQuantizedConv, number,
                     {.parallel = true,
                      .scratch = depthwise_scratch,
                      .safe_distance = distance,
                      .accepts = accepts,
                      .run = run_depthwise});
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
