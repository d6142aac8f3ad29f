// Depthwise convolution of int8 with Arm's MVE, for windows of up to 3 by 4. Results are rounded as
// TensorFlow Lite rounds those of int8.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/fast/integer_depthwise_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

void depthwise_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_lines(*static_cast<const DepthwiseWork<MveDepthwise>*>(argument), first, last, thread,
            add_depthwise_mve);
}

uint32_t row_words(const Step& step) {
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  return mve_depthwise_words(step.output(0).dims[3], attributes.stride[1]);
}

bool takes_depthwise(const Step& step) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  return step.dtype(0) == DType::kInt8 && attributes.w_zero_point == 0 &&
         !rounds_once(attributes.output) && takes_depthwise_products(step, kMveLines, kMveTaps);
}

// Whether biases are made: with what the zero point of x adds, or as one for each output.
bool makes_biases(const Step& step) {
  return step.attributes<QuantizedConvAttributes>().x_zero_point != 0 ||
         !has_bias_of_each_output(step);
}

ScratchNeed depthwise_scratch(const Step& step) {
  return rows_scratch(row_words(step), makes_biases(step) ? step.output(0).dims[1] : 0);
}

uint64_t depthwise_distance(const Step& step, uint32_t input) {
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

Status run_depthwise(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const uint32_t taps = w.dims[2] * w.dims[3];
  // Made where it stays: a copy would be a tenth of the stack below run.
  DepthwiseWork<MveDepthwise> work = {{conv_products(step), w.strides[2], w.strides[3]},
                                      x.strides[0],
                                      y.strides[0],
                                      y.dims[2],
                                      row_words(step)};
  IntegerProducts& p = work.depthwise.products;
  p.results = twice_rounded_results(step, attributes.output, taps);
  p.results.rounds_twice = p.results.rounds_twice && only_divides(p.results, p.columns);
  if (makes_biases(step)) {
    auto* biases = static_cast<int32_t*>(static_cast<void*>(p.rows));
    p.rows += p.columns;
    fold_depthwise_mve(work.depthwise, biases);
    p.results.bias = biases;
    p.results.bias_step = 1;
  }
  split(platform, y.dims[0] * y.dims[2], element_count(y) * work_of_result(taps), depthwise_items,
        &work);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedConvForm11 = make_form(Op::kQuantizedConv, 11,
                                                {.parallel = true,
                                                 .scratch = depthwise_scratch,
                                                 .safe_distance = depthwise_distance,
                                                 .accepts = takes_depthwise,
                                                 .run = run_depthwise});
ARENITE_FORM_CODE(QuantizedConv, 11)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
