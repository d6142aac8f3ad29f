// Convolution in groups and transposed convolution of 8-bit integers on CPUs that multiply no
// vectors: weights lie as the model has them, a row for each column.
#include "portable_fallback/fast/integer_taps_scalar_kernel.h"
#include "portable_fallback/shared/integer_taps.h"

namespace arenite {
namespace {

struct Kernel {
  // Planners pack weights that fit 4 bits two a byte where a form reads such: these are left to the
  // references, as rows would take twice the flash.
  static constexpr Packings kPackings = {
      static_cast<uint8_t>(layout_bit(Layout::kStrided) | layout_bit(Layout::kPacked4))};
  static constexpr bool kHasSmallResults = true;
  static bool takes_rows(const Tensor& w) {
    return w.layout() == Layout::kStrided && are_tap_rows(w);
  }
  static uint32_t at_once(uint32_t left) { return scalar_taps_at_once(left); }
  static uint32_t row_words(const TapsSizes& sizes) {
    return blocks_over(scalar_taps_at_once(sizes.places) * sizes.products(), 2);
  }
  static bool makes_biases(const Step&, int32_t) { return false; }
  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    for_tap_pieces(
        *static_cast<const TapsWork*>(argument), first, last, thread,
        [](IntegerTaps&, uint32_t*) {}, add_taps_scalar);
  }
};

}  // namespace

constexpr Form kQuantizedConvForm22 = TapForms<Kernel>::grouped(22);
ARENITE_FORM_CODE(QuantizedConv, 22)
constexpr Form kQuantizedConvTransposeForm20 = TapForms<Kernel>::transposed(20);
ARENITE_FORM_CODE(QuantizedConvTranspose, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
