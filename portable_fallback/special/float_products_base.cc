// Convolutions, matrix product and attention of floats with vectors of four floats, which every
// 64-bit x86 and Arm has.
#include "portable_fallback/fast/float_products_base_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_attention.h"
#include "portable_fallback/shared/float_conv.h"
#include "portable_fallback/shared/float_conv_3d.h"
#include "portable_fallback/shared/float_conv_transpose.h"
#include "portable_fallback/shared/float_matmul.h"

namespace arenite {
namespace {

#if defined(__aarch64__)
constexpr FloatKernel kKernel = {kTileRowsBase,
                                 float_products_base,
                                 float_depthwise_base,
                                 float_depthwise_base,
                                 4,
                                 float_widen_base,
                                 float_groups_base,
                                 4};
#elif defined(__SSE2__)
// No instruction of SSE2 brings lanes to where a vector says.
constexpr FloatKernel kKernel = {
    kTileRowsBase,   float_products_base, float_depthwise_base, float_depthwise_base, 4,
    float_widen_base};
#endif

#if defined(__SSE2__) || defined(__aarch64__)

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
  return run_float_attention(step, platform, kKernel, float_shares_base);
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

constexpr Form kConvForm8 = make_form(Op::kConv, 8, with_run(float_conv_facts(8), run_conv));
ARENITE_FORM_CODE(Conv, 8)
constexpr Form kConv3dForm8 =
    make_form(Op::kConv3d, 8, with_run(float_conv_3d_facts(8), run_conv_3d));
ARENITE_FORM_CODE(Conv3d, 8)
constexpr Form kConvTransposeForm8 =
    make_form(Op::kConvTranspose, 8, with_run(float_conv_transpose_facts(8), run_conv_transpose));
ARENITE_FORM_CODE(ConvTranspose, 8)
constexpr Form kMatMulForm8 =
    make_form(Op::kMatMul, 8, with_run(float_matmul_facts(8), run_matmul));
ARENITE_FORM_CODE(MatMul, 8)
constexpr Form kAttentionForm8 =
    make_form(Op::kAttention, 8, with_run(float_attention_facts(8), run_attention));
ARENITE_FORM_CODE(Attention, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
