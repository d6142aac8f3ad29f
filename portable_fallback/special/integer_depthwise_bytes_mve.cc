// Depthwise convolution with Arm's MVE of what integer_depthwise_mve.cc does without: x of uint8,
// weights with a zero point, results that are rounded once. Models of TensorFlow Lite's int8 do not
// link it.
#include "portable_fallback/fast/integer_depthwise_bytes_mve_kernel.h"

#include "portable_fallback/shared/mve_depthwise.h"

namespace arenite {
namespace {

void byte_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_lines(*static_cast<const DepthwiseWork<MveByteDepthwise>*>(argument), first, last, thread,
            add_byte_depthwise_mve);
}

struct ByteKernel {
  using Depthwise = MveByteDepthwise;
  static constexpr bool kBytes = true;
  static constexpr auto& items = byte_items;
  static constexpr auto& fold = fold_byte_depthwise_mve;
};

bool takes_depthwise(const Step& step) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  const bool is_other = step.dtype(0) == DType::kUint8 || attributes.w_zero_point != 0 ||
                        rounds_once(attributes.output);
  // 127 less a zero point of -128 is more than two numbers of int8.
  return is_other && attributes.w_zero_point > -128 &&
         takes_depthwise_products(step, kMveLines, kMveTaps);
}

}  // namespace

constexpr Form kQuantizedConvForm19 = MveDepthwiseForm<ByteKernel>::form(19, takes_depthwise);
ARENITE_FORM_CODE(QuantizedConv, 19)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
