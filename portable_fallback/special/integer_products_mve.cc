// Convolution and matrix product of int8 with Arm's MVE, which Cortex-M55 has: weights lie in rows,
// one for each column. Results are rounded as TensorFlow Lite rounds those of int8.
#include "portable_fallback/shared/mve_products.h"

namespace arenite {
namespace {

struct Kernel {
  static constexpr bool kRoundsOnce = false;

  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    const auto& work = *static_cast<const MveWork*>(argument);
    for_pieces(work, first, last, thread,
               [&work](const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
                 add_products_mve(p, line, place, end, work.folds);
               });
  }

  // With what the zero point of x adds, or as one for each output.
  static bool makes_biases(const Step& step, int32_t zero_point) {
    return zero_point != 0 || !has_bias_of_each_output(step);
  }
};

bool takes_conv(const Step& step) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  return step.dtype(0) == DType::kInt8 && attributes.w_zero_point == 0 &&
         !rounds_once(attributes.output) && takes_conv_products(step, kMveRows);
}

bool takes_matmul(const Step& step) {
  QuantizedMatMulAttributes room;
  const QuantizedMatMulAttributes& attributes = step.attributes(room);
  return step.dtype(0) == DType::kInt8 && attributes.b_zero_point == 0 &&
         !rounds_once(attributes.output) && takes_matmul_products(step, kMveRows);
}

}  // namespace

constexpr Form kQuantizedConvForm10 = MveProducts<Kernel>::form(Op::kQuantizedConv, 10, takes_conv);
ARENITE_FORM_CODE(QuantizedConv, 10)
constexpr Form kQuantizedMatMulForm9 =
    MveProducts<Kernel>::form(Op::kQuantizedMatMul, 9, takes_matmul);
ARENITE_FORM_CODE(QuantizedMatMul, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
