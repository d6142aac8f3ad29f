// Convolution in groups and transposed convolution of 16-bit activations and 8-bit weights with
// Arm's DSP extension: weights lie in blocks of two columns.
#include "portable_fallback/fast/int16_taps_dsp_kernel.h"

#include "portable_fallback/shared/integer_taps.h"

namespace arenite {
namespace {

struct Kernel : Int16TapKernel<add_int16_taps_dsp> {
  static constexpr Packings kPackings = {layout_bit(Layout::kBlocked), {.n = 2, .k = 1, .bits = 8}};
  static uint32_t at_once(uint32_t left) { return int16_dsp_taps_at_once(left); }
  static uint32_t row_words(const TapsSizes& sizes) {
    return int16_dsp_taps_words(sizes.runs, sizes.length);
  }
};

using Forms = TapForms<Kernel, true>;

}  // namespace

constexpr Form kQuantizedConvForm38 = Forms::grouped(38);
ARENITE_FORM_CODE(QuantizedConv, 38)
constexpr Form kQuantizedConvTransposeForm30 = Forms::transposed(30);
ARENITE_FORM_CODE(QuantizedConvTranspose, 30)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
