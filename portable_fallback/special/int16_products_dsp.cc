// Convolution and matrix product of 16-bit activations and 8-bit weights with Arm's DSP extension,
// which Cortex-M4 has: weights lie in blocks of two columns, so that a word of them is two pairs of
// numbers.
#include "portable_fallback/fast/int16_products_dsp_kernel.h"

#include "portable_fallback/shared/int16_products.h"

namespace arenite {
namespace {

struct Kernel {
  static constexpr Blocks kBlocks = {.n = 2, .k = 1, .bits = 8};
  static constexpr uint32_t kColumns = kInt16DspColumns;
  static constexpr auto& at_once = int16_dsp_places_at_once;
  static constexpr auto& row_words = int16_dsp_row_words;
  static constexpr auto& compute = add_int16_products_dsp;
};

using Forms = Int16ProductForms<Kernel>;

}  // namespace

constexpr Form kQuantizedConvForm31 = Forms::form(Op::kQuantizedConv, 31);
ARENITE_FORM_CODE(QuantizedConv, 31)
constexpr Form kQuantizedMatMulForm31 = Forms::form(Op::kQuantizedMatMul, 31);
ARENITE_FORM_CODE(QuantizedMatMul, 31)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
