// Convolutions, matrix product and attention of floats with AVX-512.
#include "portable_fallback/fast/float_products_avx512_kernel.h"

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
constexpr FloatKernel kKernel = {kTileRowsAvx512,
                                 float_products_avx512,
                                 float_depthwise_avx512,
                                 float_depthwise_base,
                                 16,
                                 float_widen_avx512,
                                 float_groups_avx512,
                                 8};

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
  return run_float_attention(step, platform, kKernel, float_shares_avx512);
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

constexpr Form kConvForm10 = make_form(Op::kConv, 10, with_run(float_conv_facts(8), run_conv));
ARENITE_FORM_CODE(Conv, 10)
constexpr Form kConv3dForm10 =
    make_form(Op::kConv3d, 10, with_run(float_conv_3d_facts(8), run_conv_3d));
ARENITE_FORM_CODE(Conv3d, 10)
constexpr Form kConvTransposeForm10 =
    make_form(Op::kConvTranspose, 10, with_run(float_conv_transpose_facts(8), run_conv_transpose));
ARENITE_FORM_CODE(ConvTranspose, 10)
constexpr Form kMatMulForm10 =
    make_form(Op::kMatMul, 10, with_run(float_matmul_facts(8), run_matmul));
ARENITE_FORM_CODE(MatMul, 10)
constexpr Form kAttentionForm10 =
    make_form(Op::kAttention, 10, with_run(float_attention_facts(8), run_attention));
ARENITE_FORM_CODE(Attention, 10)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
