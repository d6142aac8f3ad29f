// Convolutions and matrix products of 8-bit integers with AVX-512 and its VNNI.
#include "portable_fallback/fast/integer_dots_avx512vnni_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_dot_matrices.h"
#include "portable_fallback/shared/integer_dots.h"
#include "portable_fallback/shared/integer_dots_transposed.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr IntegerDots kKernel = {integer_dots_avx512vnni, fold_dots_avx512vnni,
                                 integer_panels_avx512vnni, pack_panels_avx512vnni};
using Runs = DotRuns<kKernel>;
using TransposedRuns = TransposedDotRuns<kKernel>;
constexpr auto run_matrices = run_dot_matrices_by<kKernel>;
#else
using Runs = NoDotRuns;
using TransposedRuns = NoTransposedDotRuns;
constexpr decltype(Form::run) run_matrices = nullptr;
#endif

}  // namespace

constexpr Form kQuantizedConvForm42 =
    make_form(Op::kQuantizedConv, 42, with_run(dot_conv_facts(40), Runs::run_conv));
ARENITE_FORM_CODE(QuantizedConv, 42)
constexpr Form kQuantizedMatMulForm42 =
    make_form(Op::kQuantizedMatMul, 42, with_run(dot_matmul_facts(40), Runs::run_matmul));
ARENITE_FORM_CODE(QuantizedMatMul, 42)
constexpr Form kQuantizedMatMulForm45 =
    make_form(Op::kQuantizedMatMul, 45, with_run(dot_matrices_facts(43), run_matrices));
ARENITE_FORM_CODE(QuantizedMatMul, 45)
constexpr Form kQuantizedConvTransposeForm42 =
    make_form(Op::kQuantizedConvTranspose, 42,
              with_run(dot_conv_transpose_facts(40), TransposedRuns::run_conv_transpose));
ARENITE_FORM_CODE(QuantizedConvTranspose, 42)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
