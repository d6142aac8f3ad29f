// Convolution and matrix product with Arm's DSP extension of results that are rounded once, as ONNX
// and models of uint8 have them. Models of TensorFlow Lite's int8 do not link it.
#include "portable_fallback/fast/integer_once_dsp_kernel.h"

#include "portable_fallback/shared/dsp_products.h"

namespace arenite {
namespace {

void once_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_pieces(*static_cast<const ProductWork*>(argument), first, last, thread,
             [](const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
               add_products_once_dsp(p, line, place, end);
             });
}

struct OnceKernel {
  static constexpr bool kRoundsOnce = true;
  static constexpr auto& items = once_items;
};

bool takes_conv(const Step& step) {
  return rounds_once(step.attributes<QuantizedConvAttributes>().output) &&
         takes_conv_products(step, kColumnPairs);
}

bool takes_matmul(const Step& step) {
  return rounds_once(step.attributes<QuantizedMatMulAttributes>().output) &&
         takes_matmul_products(step, kColumnPairs);
}

}  // namespace

constexpr Form kQuantizedConvForm15 =
    DspProducts<OnceKernel>::form(Op::kQuantizedConv, 15, takes_conv);
ARENITE_FORM_CODE(QuantizedConv, 15)
constexpr Form kQuantizedMatMulForm11 =
    DspProducts<OnceKernel>::form(Op::kQuantizedMatMul, 11, takes_matmul);
ARENITE_FORM_CODE(QuantizedMatMul, 11)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
