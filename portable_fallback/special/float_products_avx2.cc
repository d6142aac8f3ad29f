// Convolutions, matrix product and attention of floats with AVX2 and FMA.
#include "portable_fallback/fast/float_products_avx2_kernel.h"

#include "portable_fallback/fast/float_products_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_attention.h"
#include "portable_fallback/shared/float_conv.h"
#include "portable_fallback/shared/float_conv_3d.h"
#include "portable_fallback/shared/float_conv_transpose.h"
#include "portable_fallback/shared/float_matmul.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr FloatKernel kKernel = {kTileRowsAvx2,
                                 float_products_avx2,
                                 float_depthwise_avx2,
                                 float_depthwise_base,
                                 8,
                                 float_widen_avx2,
                                 float_groups_avx2,
                                 4};

Status run_conv(const Step& step, const Platform& platform) {
  return run_float_conv(step, platform, kKernel);
}

Status run_conv_3d(const Step& step, const Platform& platform) {
  return run_float_conv_3d(step, platform, kKernel);
}

Status run_conv_transpose(const Step& step, const Platform& platform) {
  return run_float_conv_transpose(step, platform, kKernel);
}

Status run_attention(const Step& step, const Platform& platform) {
  return run_float_attention(step, platform, kKernel, float_shares_avx2);
}

Status run_matmul(const Step& step, const Platform& platform) {
  return run_float_matmul(step, platform, kKernel);
}
#else
constexpr decltype(Form::run) run_conv = nullptr, run_conv_3d = nullptr,
                              run_conv_transpose = nullptr, run_matmul = nullptr,
                              run_attention = nullptr;
#endif

}  // namespace

constexpr Form kConvForm9 = make_form(Op::kConv, 9, with_run(float_conv_facts(8), run_conv));
ARENITE_FORM_CODE(Conv, 9)
constexpr Form kConv3dForm9 =
    make_form(Op::kConv3d, 9, with_run(float_conv_3d_facts(8), run_conv_3d));
ARENITE_FORM_CODE(Conv3d, 9)
constexpr Form kConvTransposeForm9 =
    make_form(Op::kConvTranspose, 9, with_run(float_conv_transpose_facts(8), run_conv_transpose));
ARENITE_FORM_CODE(ConvTranspose, 9)
constexpr Form kMatMulForm9 =
    make_form(Op::kMatMul, 9, with_run(float_matmul_facts(8), run_matmul));
ARENITE_FORM_CODE(MatMul, 9)
constexpr Form kAttentionForm9 =
    make_form(Op::kAttention, 9, with_run(float_attention_facts(8), run_attention));
ARENITE_FORM_CODE(Attention, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
