// Convolution and matrix product of floats by Arm's MVE for floats.
#include "portable_fallback/fast/float_rows_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_rows.h"

namespace arenite {
namespace {

Status run_conv(const Step& step, const Platform& platform) {
  return run_float_rows_conv(step, platform, float_row_items<add_float_rows_mve>);
}

Status run_matmul(const Step& step, const Platform& platform) {
  return run_float_rows_matmul(step, platform, float_row_items<add_float_rows_mve>);
}

}  // namespace

constexpr Form kConvForm21 = make_form(Op::kConv, 21, float_rows_conv_facts(run_conv));
ARENITE_FORM_CODE(Conv, 21)
constexpr Form kMatMulForm21 = make_form(Op::kMatMul, 21, float_rows_matmul_facts(run_matmul));
ARENITE_FORM_CODE(MatMul, 21)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
