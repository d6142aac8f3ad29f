// Depthwise convolution of floats by Arm's MVE for floats.
#include "portable_fallback/fast/float_windows_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_rows.h"

namespace arenite {
namespace {

Status run_windows(const Step& step, const Platform& platform) {
  return run_float_windows_conv(step, platform, float_row_items<add_float_windows_mve>);
}

}  // namespace

constexpr Form kConvForm23 = make_form(Op::kConv, 23, float_windows_conv_facts(run_windows));
ARENITE_FORM_CODE(Conv, 23)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
