// Depthwise convolution of int8 with Arm's MVE, for windows of up to 3 by 4. Results are rounded as
// TensorFlow Lite rounds those of int8.
#include "portable_fallback/shared/mve_depthwise.h"

namespace arenite {
namespace {

void depthwise_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_lines(*static_cast<const DepthwiseWork<MveDepthwise>*>(argument), first, last, thread,
            add_depthwise_mve);
}

struct Kernel {
  using Depthwise = MveDepthwise;
  static constexpr bool kBytes = false;
  static constexpr auto& items = depthwise_items;
  static constexpr auto& fold = fold_depthwise_mve;
};

bool takes_depthwise(const Step& step) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  return step.dtype(0) == DType::kInt8 && attributes.w_zero_point == 0 &&
         !rounds_once(attributes.output) && takes_depthwise_products(step, kMveLines, kMveTaps);
}

}  // namespace

constexpr Form kQuantizedConvForm11 = MveDepthwiseForm<Kernel>::form(11, takes_depthwise);
ARENITE_FORM_CODE(QuantizedConv, 11)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
