// Convolution of 3 by 3 floats by Winograd's transforms with AVX2.
#include "portable_fallback/fast/float_winograd_avx2_kernel.h"

#include "portable_fallback/fast/float_products_avx2_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_winograd.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr WinogradKernel kKernel = {float_winograd_inputs_avx2, float_winograd_weights_avx2,
                                    float_winograd_sums_avx2, float_matrices_avx2,
                                    float_products_avx2};

Status run_conv(const Step& step, const Platform& platform) {
  return run_float_winograd(step, platform, kKernel);
}
#else
constexpr decltype(Form::run) run_conv = nullptr;
#endif

}  // namespace

constexpr Form kConvForm12 = make_form(Op::kConv, 12, with_run(float_winograd_facts(11), run_conv));
ARENITE_FORM_CODE(Conv, 12)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
