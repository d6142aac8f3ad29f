// Convolution and matrix product of 8-bit integers by weights of 4 bits, two a byte, with Arm's DSP
// extension. Weights lie in blocks of two columns by two, so that a word of them is four pairs of
// numbers. Results are rounded as TensorFlow Lite rounds those of int8.
#include "portable_fallback/fast/integer_halves_dsp_kernel.h"

#include "portable_fallback/shared/dsp_products.h"

namespace arenite {
namespace {

constexpr Blocks kColumnHalves = {.n = 2, .k = 2, .bits = 4};

// Kernels make 16 times a sum, which must be below 2^31.
constexpr uint64_t kSumEnd = uint64_t{1} << 27;

// What products of so many weights may be in magnitude.
uint64_t reach_of(uint32_t depth, int32_t w_zero_point) {
  constexpr uint32_t kNumber = 255, kWeight = 8;
  const int64_t zero_point = w_zero_point;
  return uint64_t{depth} * kNumber *
         (kWeight + static_cast<uint64_t>(zero_point < 0 ? -zero_point : zero_point));
}

struct HalfBytes {
  static constexpr Blocks kBlocks = kColumnHalves;
  static uint32_t row_words(uint32_t depth) { return 2 * words_of_halves(depth); }
  static void limit_biases(IntegerResults& results, uint32_t depth, int32_t w_zero_point) {
    const auto end = static_cast<uint32_t>(kSumEnd - reach_of(depth, w_zero_point));
    if (results.small_bias_end > end) results.small_bias_end = end;
  }
};

void halves_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_pieces(*static_cast<const ProductWork*>(argument), first, last, thread,
             [](const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
               add_halves_dsp(p, line, place, end);
             });
}

struct HalvesKernel {
  static constexpr bool kRoundsOnce = false;
  static constexpr auto& items = halves_items;
};

bool takes_conv(const Step& step) {
  QuantizedConvAttributes room;
  return !rounds_once<QuantizedConvAttributes>(step) && takes_conv_products(step, kColumnHalves) &&
         reach_of(static_cast<uint32_t>(depth_of(step.input(1))),
                  step.attributes(room).w_zero_point) < kSumEnd;
}

bool takes_matmul(const Step& step) {
  QuantizedMatMulAttributes room;
  if (rounds_once<QuantizedMatMulAttributes>(step) || !takes_matmul_products(step, kColumnHalves)) {
    return false;
  }
  const uint32_t depth = step.dims(0)[step.elements(0).rank - 1];
  return reach_of(depth, step.attributes(room).b_zero_point) < kSumEnd;
}

}  // namespace

constexpr Form kQuantizedConvForm24 =
    DspProducts<HalvesKernel, HalfBytes>::form(Op::kQuantizedConv, 24, takes_conv);
ARENITE_FORM_CODE(QuantizedConv, 24)
constexpr Form kQuantizedMatMulForm24 =
    DspProducts<HalvesKernel, HalfBytes>::form(Op::kQuantizedMatMul, 24, takes_matmul);
ARENITE_FORM_CODE(QuantizedMatMul, 24)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
