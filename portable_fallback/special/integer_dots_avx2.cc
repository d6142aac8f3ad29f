// Convolutions and matrix products of 8-bit integers with AVX2.
#include "portable_fallback/fast/integer_dots_avx2_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_dot_matrices.h"
#include "portable_fallback/shared/integer_dots.h"
#include "portable_fallback/shared/integer_dots_transposed.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr IntegerDots kKernel = {integer_dots_avx2, nullptr, integer_panels_avx2, pack_panels_avx2};
using Runs = DotRuns<kKernel>;
using TransposedRuns = TransposedDotRuns<kKernel>;
constexpr auto run_matrices = run_dot_matrices_by<kKernel>;
constexpr DepthwiseDots kDepthwise = {integer_depthwise_avx2, pack_depthwise_avx2};
using DepthwiseRuns = DepthwiseDotRuns<kDepthwise>;
#else
using Runs = NoDotRuns;
using TransposedRuns = NoTransposedDotRuns;
constexpr decltype(Form::run) run_matrices = nullptr;
using DepthwiseRuns = NoDepthwiseDotRuns;
#endif

}  // namespace

constexpr Form kQuantizedConvForm41 =
    make_form(Op::kQuantizedConv, 41, with_run(dot_conv_facts(40), Runs::run_conv));
ARENITE_FORM_CODE(QuantizedConv, 41)
constexpr Form kQuantizedMatMulForm41 =
    make_form(Op::kQuantizedMatMul, 41, with_run(dot_matmul_facts(40), Runs::run_matmul));
ARENITE_FORM_CODE(QuantizedMatMul, 41)
constexpr Form kQuantizedMatMulForm44 =
    make_form(Op::kQuantizedMatMul, 44, with_run(dot_matrices_facts(43), run_matrices));
ARENITE_FORM_CODE(QuantizedMatMul, 44)
constexpr Form kQuantizedConvTransposeForm41 =
    make_form(Op::kQuantizedConvTranspose, 41,
              with_run(dot_conv_transpose_facts(40), TransposedRuns::run_conv_transpose));
ARENITE_FORM_CODE(QuantizedConvTranspose, 41)
constexpr Form kQuantizedConvForm44 = make_form(
    Op::kQuantizedConv, 44, with_run(dot_depthwise_facts(43), DepthwiseRuns::run_depthwise));
ARENITE_FORM_CODE(QuantizedConv, 44)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
