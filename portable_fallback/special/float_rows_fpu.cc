// Convolution and matrix product of floats by the scalar FPU of microcontrollers.
#include "portable_fallback/fast/float_rows_fpu_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_rows.h"

namespace arenite {
namespace {

Status run_conv(const Step& step, const Platform& platform) {
  return run_float_rows_conv(step, platform, float_row_items<add_float_rows_fpu>);
}

Status run_matmul(const Step& step, const Platform& platform) {
  return run_float_rows_matmul(step, platform, float_row_items<add_float_rows_fpu>);
}

}  // namespace

constexpr Form kConvForm20 = make_form(Op::kConv, 20, float_rows_conv_facts(run_conv));
ARENITE_FORM_CODE(Conv, 20)
constexpr Form kMatMulForm20 = make_form(Op::kMatMul, 20, float_rows_matmul_facts(run_matmul));
ARENITE_FORM_CODE(MatMul, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
