// Convolution and matrix product with Arm's MVE of what integer_products_mve.cc does without: x of
// uint8, weights with a zero point, results that are rounded once. Models of TensorFlow Lite's int8
// do not link it.
#include "portable_fallback/fast/integer_bytes_mve_kernel.h"

#include "portable_fallback/shared/mve_products.h"

namespace arenite {
namespace {

struct ByteKernel {
  static constexpr bool kRoundsOnce = true;

  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    const auto& work = *static_cast<const MveWork*>(argument);
    for_pieces(work, first, last, thread,
               [&work](const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
                 add_byte_products_mve(p, line, place, end, work.folds);
               });
  }

  // As the kernel of int8, whose zero point of 0 is 128 of uint8.
  static bool makes_biases(const Step& step, int32_t zero_point) {
    const int32_t none = step.dtype(0) == DType::kUint8 ? 128 : 0;
    return zero_point != none || !has_bias_of_each_output(step);
  }
};

bool is_other(const Step& step, int32_t w_zero_point, const Requantization& output) {
  return step.dtype(0) == DType::kUint8 || w_zero_point != 0 || rounds_once(output);
}

bool takes_conv(const Step& step) {
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  return is_other(step, attributes.w_zero_point, attributes.output) &&
         takes_conv_products(step, kMveRows);
}

bool takes_matmul(const Step& step) {
  const auto attributes = step.attributes<QuantizedMatMulAttributes>();
  return is_other(step, attributes.b_zero_point, attributes.output) &&
         takes_matmul_products(step, kMveRows);
}

}  // namespace

constexpr Form kQuantizedConvForm14 =
    MveProducts<ByteKernel>::form(Op::kQuantizedConv, 14, takes_conv);
ARENITE_FORM_CODE(QuantizedConv, 14)
constexpr Form kQuantizedMatMulForm10 =
    MveProducts<ByteKernel>::form(Op::kQuantizedMatMul, 10, takes_matmul);
ARENITE_FORM_CODE(QuantizedMatMul, 10)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
