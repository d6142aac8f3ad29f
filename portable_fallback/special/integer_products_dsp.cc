// Convolution and matrix product of 8-bit integers with Arm's DSP extension, which Cortex-M4 has:
// weights lie in blocks of two columns, so that a word of them is two pairs of numbers. Results
// are rounded as TensorFlow Lite rounds those of int8.
#include "portable_fallback/shared/dsp_products.h"

namespace arenite {
namespace {

void product_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_pieces(*static_cast<const ProductWork*>(argument), first, last, thread,
             [](const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
               add_products_dsp(p, line, place, end);
             });
}

struct Kernel {
  static constexpr bool kRoundsOnce = false;
  static constexpr auto& items = product_items;
};

bool takes_conv(const Step& step) {
  return !rounds_once<QuantizedConvAttributes>(step) && takes_conv_products(step, kColumnPairs);
}
bool takes_matmul(const Step& step) {
  return !rounds_once<QuantizedMatMulAttributes>(step) && takes_matmul_products(step, kColumnPairs);
}

}  // namespace

constexpr Form kQuantizedConvForm8 = DspProducts<Kernel>::form(Op::kQuantizedConv, 8, takes_conv);
ARENITE_FORM_CODE(QuantizedConv, 8)
constexpr Form kQuantizedMatMulForm8 =
    DspProducts<Kernel>::form(Op::kQuantizedMatMul, 8, takes_matmul);
ARENITE_FORM_CODE(QuantizedMatMul, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
