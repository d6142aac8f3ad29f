// Depthwise convolution of floats by the scalar FPU of microcontrollers.
#include "portable_fallback/fast/float_windows_fpu_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_rows.h"

namespace arenite {
namespace {

Status run_windows(const Step& step, const Platform& platform) {
  return run_float_windows_conv(step, platform, float_row_items<add_float_windows_fpu>);
}

}  // namespace

constexpr Form kConvForm22 = make_form(Op::kConv, 22, float_windows_conv_facts(run_windows));
ARENITE_FORM_CODE(Conv, 22)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
