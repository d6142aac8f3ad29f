// Convolution in groups and transposed convolution of 8-bit integers with Arm's DSP extension:
// weights lie in blocks of two columns, so that a word of them is two pairs of numbers.
#include "portable_fallback/fast/integer_taps_dsp_kernel.h"
#include "portable_fallback/shared/integer_taps.h"

namespace arenite {
namespace {

struct Kernel {
  static constexpr Packings kPackings = {layout_bit(Layout::kBlocked), {.n = 2, .k = 1, .bits = 8}};
  static constexpr bool kHasSmallResults = true;
  static bool takes_rows(const Tensor&) { return true; }
  static uint32_t at_once(uint32_t left) { return dsp_taps_at_once(left); }
  static uint32_t row_words(const TapsSizes& sizes) {
    return dsp_taps_words(sizes.places, sizes.runs, sizes.length);
  }
  static bool makes_biases(const Step&, int32_t) { return false; }
  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    for_tap_pieces(
        *static_cast<const TapsWork*>(argument), first, last, thread,
        [](IntegerTaps&, uint32_t*) {}, add_taps_dsp);
  }
};

}  // namespace

constexpr Form kQuantizedConvForm17 = TapForms<Kernel>::grouped(17);
ARENITE_FORM_CODE(QuantizedConv, 17)
constexpr Form kQuantizedConvTransposeForm8 = TapForms<Kernel>::transposed(8);
ARENITE_FORM_CODE(QuantizedConvTranspose, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
