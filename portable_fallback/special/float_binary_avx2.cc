// Functions of two floats with AVX2.
#include "portable_fallback/fast/float_binary_avx2_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_binary.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
using Runs = FloatBinaryRuns<float_binary_avx2>;
#else
using Runs = NoFloatBinaryRuns;
#endif

}  // namespace

constexpr Form kAddForm41 =
    make_form(Op::kAdd, 41, with_run(float_binary_facts(40), Runs::run_add));
ARENITE_FORM_CODE(Add, 41)
constexpr Form kSubForm41 =
    make_form(Op::kSub, 41, with_run(float_binary_facts(40), Runs::run_sub));
ARENITE_FORM_CODE(Sub, 41)
constexpr Form kMulForm41 =
    make_form(Op::kMul, 41, with_run(float_binary_facts(40), Runs::run_mul));
ARENITE_FORM_CODE(Mul, 41)
constexpr Form kDivForm41 =
    make_form(Op::kDiv, 41, with_run(float_binary_facts(40), Runs::run_div));
ARENITE_FORM_CODE(Div, 41)
constexpr Form kMaxForm41 =
    make_form(Op::kMax, 41, with_run(float_binary_facts(40), Runs::run_max));
ARENITE_FORM_CODE(Max, 41)
constexpr Form kMinForm41 =
    make_form(Op::kMin, 41, with_run(float_binary_facts(40), Runs::run_min));
ARENITE_FORM_CODE(Min, 41)
constexpr Form kPReluForm41 =
    make_form(Op::kPRelu, 41, with_run(float_binary_facts(40), Runs::run_prelu));
ARENITE_FORM_CODE(PRelu, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
