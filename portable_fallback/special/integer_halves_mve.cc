// Convolution and matrix product of int8 by weights of 4 bits, two a byte, with Arm's MVE: weights
// lie in rows, one for each column. Results are rounded as TensorFlow Lite rounds those of int8.
#include "portable_fallback/fast/integer_halves_mve_kernel.h"

#include "portable_fallback/shared/mve_products.h"

namespace arenite {
namespace {

// Whether shifts of all outputs lie in [low, high].
bool have_shifts(const IntegerResults& results, uint32_t outputs, int32_t low, int32_t high) {
  if (results.factor_step == 0) outputs = 1;
  for (uint32_t i = 0; i < outputs; ++i) {
    const int32_t shift = results.shifts[i * results.factor_step];
    if (shift < low || shift > high) return false;
  }
  return true;
}

struct HalfBytes {
  static constexpr Blocks kBlocks = {.n = 1, .k = 2, .bits = 4};
  static constexpr auto& row_words = halves_mve_row_words;
  static constexpr auto& fold = fold_halves_mve;
  static bool takes_shifts(const IntegerResults& results, uint32_t outputs) {
    return have_shifts(results, outputs, -31, 31);
  }
};

// Kernels make 16 times a sum of products, which must be below 2^31: of -128 by -8 that is 2^14.
constexpr uint64_t kDepthEnd = uint64_t{1} << 17;

struct HalvesKernel {
  static constexpr bool kRoundsOnce = false;

  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    const auto& work = *static_cast<const MveWork*>(argument);
    const IntegerProducts& all = work.products;
    // Factors of few bits are 16 times those of whole bytes, and some are 1 and more.
    const HalvesWays ways = {work.folds, !have_shifts(all.results, all.columns, -31, 0)};
    for_pieces(work, first, last, thread,
               [&ways](const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
                 add_halves_mve(p, line, place, end, ways);
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
         !rounds_once(attributes.output) && takes_conv_products(step, HalfBytes::kBlocks) &&
         depth_of(step.input(1)) < kDepthEnd;
}

bool takes_matmul(const Step& step) {
  QuantizedMatMulAttributes room;
  const QuantizedMatMulAttributes& attributes = step.attributes(room);
  return step.dtype(0) == DType::kInt8 && attributes.b_zero_point == 0 &&
         !rounds_once(attributes.output) && takes_matmul_products(step, HalfBytes::kBlocks) &&
         step.dims(0)[step.elements(0).rank - 1] < kDepthEnd;
}

}  // namespace

constexpr Form kQuantizedConvForm25 =
    MveProducts<HalvesKernel, HalfBytes>::form(Op::kQuantizedConv, 25, takes_conv);
ARENITE_FORM_CODE(QuantizedConv, 25)
constexpr Form kQuantizedMatMulForm25 =
    MveProducts<HalvesKernel, HalfBytes>::form(Op::kQuantizedMatMul, 25, takes_matmul);
ARENITE_FORM_CODE(QuantizedMatMul, 25)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
