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
void depthwise_phases(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_phases(*static_cast<const DepthwiseWork<ScalarDepthwise>*>(argument), first, last, thread,
             add_depthwise_scalar);
}

// Larger windows would need more memory than they are worth.
constexpr uint32_t kSideMax = 32;

// kInPhases: lines have taps apart.
template <bool kInPhases>
struct ScalarForm {
  static uint32_t row_words(const Step& step) {
    QuantizedConvAttributes room;
    const Tensor w = step.input(1);
    const uint32_t places = kInPhases ? places_of_phase(step) : step.output(0).dims[3];
    const uint32_t pixels =
        scalar_depthwise_pixels(places, step.attributes(room).stride[1], w.dims[3]);
    return scalar_depthwise_words(pixels, w.dims[2], w.dims[3]);
  }

  static bool takes_depthwise(const Step& step) {
    return kInPhases ? takes_depthwise_phases(step, kSideMax, kSideMax, ColumnsOfChannel::kAny)
                     : takes_depthwise_products(step, kSideMax, kSideMax, ColumnsOfChannel::kAny);
  }

  static ScratchNeed depthwise_scratch(const Step& step) { return rows_scratch(row_words(step)); }

  static uint64_t distance(const Step& step, uint32_t input) {
    return kInPhases ? depthwise_phases_distance(step, input, 1)
                     : depthwise_distance(step, input, 1);
  }

  static Status run_depthwise(const Step& step, const Platform& platform) {
    const OutTensor y = step.output(0);
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    const Tensor x = step.input(0);
    const Tensor w = step.input(1);
    const uint32_t taps = w.dims[2] * w.dims[3];
    ScalarDepthwise d = {conv_products(step), w.strides[0], w.strides[2], w.strides[3],
                         y.dims[1] / attributes.groups};
    const uint32_t products = products_of(taps, attributes.w_zero_point);
    d.products.results = integer_results(step, attributes.output, products);
    find_small_outputs(d.products.results, d.products.columns, products);
    DepthwiseWork<ScalarDepthwise> work = {
        d,         x.strides[0],    y.strides[0],
        y.dims[2], row_words(step), kInPhases ? phases_of_line(step) : 1};
    split(platform, y.dims[0] * y.dims[2] * work.phases, element_count(y) * work_of_result(taps),
          kInPhases ? depthwise_phases : depthwise_items, &work);
    return ok_status();
  }

  static constexpr Form form(uint8_t number) {
    return make_form(Op::kQuantizedConv, number,
                     {.parallel = true,
                      .scratch = depthwise_scratch,
                      .safe_distance = distance,
                      .accepts = takes_depthwise,
                      .run = run_depthwise});
  }
};

}  // namespace

constexpr Form kQuantizedConvForm21 = ScalarForm<false>::form(21);
ARENITE_FORM_CODE(QuantizedConv, 21)
constexpr Form kQuantizedConvForm29 = ScalarForm<true>::form(29);
ARENITE_FORM_CODE(QuantizedConv, 29)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
