// Convolution in groups and transposed convolution of 16-bit activations and 8-bit weights with
// Arm's MVE: weights lie in rows, one for each column.
#include "portable_fallback/fast/int16_taps_mve_kernel.h"
#include "portable_fallback/shared/integer_taps.h"

namespace arenite {
namespace {

struct Kernel : Int16TapKernel<add_int16_taps_mve> {
  static constexpr Packings kPackings = {layout_bit(Layout::kBlocked), {.n = 1, .k = 1, .bits = 8}};
  static uint32_t at_once(uint32_t left) { return int16_mve_taps_at_once(left); }
  static uint32_t row_words(const TapsSizes& sizes) {
    return int16_mve_taps_words(sizes.places, sizes.runs, sizes.length);
  }
};

using Forms = TapForms<Kernel, true>;

}  // namespace

constexpr Form kQuantizedConvForm39 = Forms::grouped(39);
ARENITE_FORM_CODE(QuantizedConv, 39)
constexpr Form kQuantizedConvTransposeForm31 = Forms::transposed(31);
ARENITE_FORM_CODE(QuantizedConvTranspose, 31)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
