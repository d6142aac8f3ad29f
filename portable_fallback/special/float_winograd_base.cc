// Convolution of 3 by 3 floats by Winograd's transforms with vectors of four floats, which every
// 64-bit x86 and Arm has.
#include "portable_fallback/fast/float_winograd_base_kernel.h"

#include "portable_fallback/fast/float_products_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_winograd.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
constexpr WinogradKernel kKernel = {float_winograd_inputs_base, float_winograd_weights_base,
                                    float_winograd_sums_base, float_matrices_base,
                                    float_products_base};

Status run_conv(const Step& step, const Platform& platform) {
  return run_float_winograd(step, platform, kKernel);
}
#else
constexpr decltype(Form::run) run_conv = nullptr;
#endif

}  // namespace

constexpr Form kConvForm11 = make_form(Op::kConv, 11, with_run(float_winograd_facts(11), run_conv));
ARENITE_FORM_CODE(Conv, 11)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
