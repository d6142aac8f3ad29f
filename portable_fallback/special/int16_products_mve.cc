// Convolution and matrix product of 16-bit activations and 8-bit weights with Arm's MVE, which
// Cortex-M55 has: weights lie in rows, one for each column.
#include "portable_fallback/fast/int16_products_mve_kernel.h"

#include "portable_fallback/shared/int16_products.h"

namespace arenite {
namespace {

struct Kernel {
  static constexpr Blocks kBlocks = {.n = 1, .k = 1, .bits = 8};
  static constexpr uint32_t kColumns = kInt16MveColumns;
  static constexpr auto& at_once = int16_mve_places_at_once;
  static constexpr auto& row_words = int16_mve_row_words;
  static constexpr auto& compute = add_int16_products_mve;
};

using Forms = Int16ProductForms<Kernel>;

}  // namespace

constexpr Form kQuantizedConvForm30 = Forms::form(Op::kQuantizedConv, 30);
ARENITE_FORM_CODE(QuantizedConv, 30)
constexpr Form kQuantizedMatMulForm30 = Forms::form(Op::kQuantizedMatMul, 30);
ARENITE_FORM_CODE(QuantizedMatMul, 30)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
