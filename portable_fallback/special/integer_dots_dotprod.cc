// Convolutions and matrix products of 8-bit integers with NEON's dot products.
#include "portable_fallback/fast/integer_dots_dotprod_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_dot_matrices.h"
#include "portable_fallback/shared/integer_dots.h"
#include "portable_fallback/shared/integer_dots_transposed.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_DOTPROD) || (defined(__aarch64__) && defined(__linux__))
constexpr IntegerDots kKernel = {integer_dots_dotprod, fold_dots_dotprod, integer_panels_dotprod,
                                 pack_panels_dotprod};
using Runs = DotRuns<kKernel>;
using TransposedRuns = TransposedDotRuns<kKernel>;
constexpr auto run_matrices = run_dot_matrices_by<kKernel>;
constexpr DepthwiseDots kDepthwise = {integer_depthwise_dotprod, pack_depthwise_dotprod};
using DepthwiseRuns = DepthwiseDotRuns<kDepthwise>;
#else
using Runs = NoDotRuns;
using TransposedRuns = NoTransposedDotRuns;
constexpr decltype(Form::run) run_matrices = nullptr;
using DepthwiseRuns = NoDepthwiseDotRuns;
#endif

}  // namespace

constexpr Form kQuantizedConvForm46 =
    make_form(Op::kQuantizedConv, 46, with_run(dot_conv_facts(40), Runs::run_conv));
ARENITE_FORM_CODE(QuantizedConv, 46)
constexpr Form kQuantizedMatMulForm46 =
    make_form(Op::kQuantizedMatMul, 46, with_run(dot_matmul_facts(40), Runs::run_matmul));
ARENITE_FORM_CODE(QuantizedMatMul, 46)
constexpr Form kQuantizedMatMulForm47 =
    make_form(Op::kQuantizedMatMul, 47, with_run(dot_matrices_facts(43), run_matrices));
ARENITE_FORM_CODE(QuantizedMatMul, 47)
constexpr Form kQuantizedConvTransposeForm46 =
    make_form(Op::kQuantizedConvTranspose, 46,
              with_run(dot_conv_transpose_facts(40), TransposedRuns::run_conv_transpose));
ARENITE_FORM_CODE(QuantizedConvTranspose, 46)
constexpr Form kQuantizedConvForm47 = make_form(
    Op::kQuantizedConv, 47, with_run(dot_depthwise_facts(43), DepthwiseRuns::run_depthwise));
ARENITE_FORM_CODE(QuantizedConv, 47)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
