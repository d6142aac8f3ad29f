// Convolution in groups and transposed convolution of 8-bit integers with Arm's MVE: weights lie in
// rows, one for each column.
#include "portable_fallback/fast/integer_taps_mve_kernel.h"
#include "portable_fallback/shared/integer_taps.h"

namespace arenite {
namespace {

struct Kernel {
  static constexpr Packings kPackings = {layout_bit(Layout::kBlocked), {.n = 1, .k = 1, .bits = 8}};
  static constexpr bool kHasSmallResults = false;
  static bool takes_rows(const Tensor&) { return true; }
  static uint32_t at_once(uint32_t left) { return mve_taps_at_once(left); }
  static uint32_t row_words(const TapsSizes& sizes) {
    return mve_taps_words(sizes.places, sizes.products());
  }
  // With what the zero point of x adds, or as one for each output. Where x is uint8, a zero point
  // of 128 alone would need none.
  static bool makes_biases(const Step& step, int32_t zero_point) {
    return step.dtype(0) == DType::kUint8 || zero_point != 0 || !has_bias_of_each_output(step);
  }
  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    const auto& work = *static_cast<const TapsWork*>(argument);
    bool made = work.bias_words == 0;
    for_tap_pieces(
        work, first, last, thread,
        [&](IntegerTaps& p, uint32_t* memory) {
          if (made) return;
          auto* const biases = static_cast<int32_t*>(static_cast<void*>(memory));
          p.results.bias = work.taps.results.bias;
          p.results.bias_step = work.taps.results.bias_step;
          fold_taps_mve(p, biases);
          p.results.bias = biases;
          p.results.bias_step = 1;
          made = !work.is_transposed;  // those of all lines
        },
        add_taps_mve);
  }
};

}  // namespace

constexpr Form kQuantizedConvForm18 = TapForms<Kernel>::grouped(18);
ARENITE_FORM_CODE(QuantizedConv, 18)
constexpr Form kQuantizedConvTransposeForm9 = TapForms<Kernel>::transposed(9);
ARENITE_FORM_CODE(QuantizedConvTranspose, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
