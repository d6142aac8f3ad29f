// Serves the forms whose kernels compute depthwise windows as integer_depthwise_mve_kernel.h has
// it.
#pragma once

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/fast/integer_depthwise_bytes_mve_kernel.h"
#include "portable_fallback/fast/integer_depthwise_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

// The form of a kernel, which has
//   using Depthwise = MveDepthwise, or what adds to it,
//   static constexpr auto& items: the function of lines of a DepthwiseWork,
//   static constexpr auto& fold: the function of the biases,
//   static constexpr bool kBytes: x may be uint8, w have a zero point, and results need not be
//     rounded as kTfliteDouble.
template <typename Kernel>
struct MveDepthwiseForm {
  static uint32_t row_words(const Step& step) {
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    const uint32_t places = step.output(0).dims[3];
    const uint32_t stride_w = attributes.stride[1];
    return Kernel::kBytes && attributes.w_zero_point != 0
               ? mve_depthwise_split_words(places, stride_w)
               : mve_depthwise_words(places, stride_w);
  }

  // Whether biases are made: with what the zero point of x adds, or as one for each output.
  static bool makes_biases(const Step& step) {
    const int32_t none = Kernel::kBytes && step.dtype(0) == DType::kUint8 ? 128 : 0;
    return step.attributes<QuantizedConvAttributes>().x_zero_point != none ||
           !has_bias_of_each_output(step);
  }

  static ScratchNeed depthwise_scratch(const Step& step) {
    return rows_scratch(row_words(step), makes_biases(step) ? step.output(0).dims[1] : 0);
  }

  static uint64_t depthwise_distance(const Step& step, uint32_t input) {
    if (input != 0) return kNoOverlap;
    const Tensor x = step.input(0);
    const OutTensor y = step.output(0);
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    // Sixteen channels of some places of a line are read, then written.
    DistanceNest nest(1);
    nest.add(DistanceLoop::blocks(y.dims[1], kMveChannels, 1, 1));
    nest.add(DistanceLoop::window_pieces(conv_window(attributes, x, step.input(1), 1), y.dims[3],
                                         y.strides[3], x.strides[3], mve_depthwise_at_once));
    return distance_of_lines(attributes, x, step.input(1), y, nest);
  }

  static Status run_depthwise(const Step& step, const Platform& platform) {
    const OutTensor y = step.output(0);
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    const Tensor x = step.input(0);
    const Tensor w = step.input(1);
    const uint32_t taps = w.dims[2] * w.dims[3];
    // Made where it stays: a copy would be a tenth of the stack below run.
    DepthwiseWork<typename Kernel::Depthwise> work = {
        {conv_products(step), w.strides[2], w.strides[3]},
        x.strides[0],
        y.strides[0],
        y.dims[2],
        row_words(step)};
    IntegerProducts& p = work.depthwise.products;
    if constexpr (Kernel::kBytes) {
      find_split_columns_mve(work.depthwise);
      p.results = integer_results(step, attributes.output, taps);
      find_single_roundings(p.results, p.columns, products_of(taps, p.w_zero_point));
    } else {
      p.results = twice_rounded_results(step, attributes.output, taps);
    }
    p.results.rounds_twice = p.results.rounds_twice && only_divides(p.results, p.columns);
    if (makes_biases(step)) {
      auto* biases = static_cast<int32_t*>(static_cast<void*>(p.rows));
      p.rows += p.columns;
      Kernel::fold(work.depthwise, biases);
      p.results.bias = biases;
      p.results.bias_step = 1;
    }
    split(platform, y.dims[0] * y.dims[2], element_count(y) * work_of_result(taps), Kernel::items,
          &work);
    return ok_status();
  }

  static constexpr Form form(uint8_t number, decltype(Form::accepts) accepts) {
    return make_form(Op::kQuantizedConv, number,
                     {.parallel = true,
                      .scratch = depthwise_scratch,
                      .safe_distance = depthwise_distance,
                      .accepts = accepts,
                      .run = run_depthwise});
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
