// Convolutions and matrix products of 8-bit integers with vectors of any kind, which every 64-bit
// x86 and Arm has.
#include "portable_fallback/fast/integer_dots_base_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_dot_matrices.h"
#include "portable_fallback/shared/integer_dots.h"
#include "portable_fallback/shared/integer_dots_transposed.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
constexpr IntegerDots kKernel = {integer_dots_base, nullptr, nullptr, nullptr};
using Runs = DotRuns<kKernel>;
using TransposedRuns = TransposedDotRuns<kKernel>;
constexpr auto run_matrices = run_dot_matrices_by<kKernel>;
constexpr DepthwiseDots kDepthwise = {integer_depthwise_base, nullptr};
using DepthwiseRuns = DepthwiseDotRuns<kDepthwise>;
#else
using Runs = NoDotRuns;
using TransposedRuns = NoTransposedDotRuns;
constexpr decltype(Form::run) run_matrices = nullptr;
using DepthwiseRuns = NoDepthwiseDotRuns;
#endif

}  // namespace

constexpr Form kQuantizedConvForm40 =
    make_form(Op::kQuantizedConv, 40, with_run(dot_conv_facts(40), Runs::run_conv));
ARENITE_FORM_CODE(QuantizedConv, 40)
constexpr Form kQuantizedMatMulForm40 =
    make_form(Op::kQuantizedMatMul, 40, with_run(dot_matmul_facts(40), Runs::run_matmul));
ARENITE_FORM_CODE(QuantizedMatMul, 40)
constexpr Form kQuantizedMatMulForm43 =
    make_form(Op::kQuantizedMatMul, 43, with_run(dot_matrices_facts(43), run_matrices));
ARENITE_FORM_CODE(QuantizedMatMul, 43)
constexpr Form kQuantizedConvTransposeForm40 =
    make_form(Op::kQuantizedConvTranspose, 40,
              with_run(dot_conv_transpose_facts(40), TransposedRuns::run_conv_transpose));
ARENITE_FORM_CODE(QuantizedConvTranspose, 40)
constexpr Form kQuantizedConvForm43 = make_form(
    Op::kQuantizedConv, 43, with_run(dot_depthwise_facts(43), DepthwiseRuns::run_depthwise));
ARENITE_FORM_CODE(QuantizedConv, 43)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
