// Depthwise convolution of 8-bit integers on CPUs that multiply no vectors.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/fast/integer_depthwise_scalar_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

void depthwise_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_lines(*static_cast<const DepthwiseWork<ScalarDepthwise>*>(argument), first, last, thread,
            add_depthwise_scalar);
}

// Larger windows would need more memory than they are worth.
constexpr uint32_t kSideMax = 32;

uint32_t pixels_of_line(const Step& step) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  return scalar_depthwise_pixels(places_of_phase(step), attributes.stride[1],
                                 step.input(1).dims[3]);
}

uint32_t row_words(const Step& step) {
  const Tensor w = step.input(1);
  return scalar_depthwise_words(pixels_of_line(step), w.dims[2], w.dims[3]);
}

bool takes_depthwise(const Step& step) { return takes_depthwise_phases(step, kSideMax, kSideMax); }

ScratchNeed depthwise_scratch(const Step& step) { return rows_scratch(row_words(step)); }

uint64_t channel_distance(const Step& step, uint32_t input) {
  return depthwise_distance(step, input, 1);
}

Status run_depthwise(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const uint32_t taps = w.dims[2] * w.dims[3];
  ScalarDepthwise d = {conv_products(step), w.strides[0], w.strides[2], w.strides[3]};
  const uint32_t products = products_of(taps, attributes.w_zero_point);
  d.products.results = integer_results(step, attributes.output, products);
  find_small_outputs(d.products.results, d.products.columns, products);
  DepthwiseWork<ScalarDepthwise> work = {d,         x.strides[0],    y.strides[0],
                                         y.dims[2], row_words(step), phases_of_line(step)};
  split(platform, y.dims[0] * y.dims[2] * work.phases, element_count(y) * work_of_result(taps),
        depthwise_items, &work);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedConvForm21 = make_form(Op::kQuantizedConv, 21,
                                                {.parallel = true,
                                                 .scratch = depthwise_scratch,
                                                 .safe_distance = channel_distance,
                                                 .accepts = takes_depthwise,
                                                 .run = run_depthwise});
ARENITE_FORM_CODE(QuantizedConv, 21)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
