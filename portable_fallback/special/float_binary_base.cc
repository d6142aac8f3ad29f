// Functions of two floats with vectors of four, which every 64-bit x86 and Arm has.
#include "portable_fallback/fast/float_binary_base_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_binary.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
using Runs = FloatBinaryRuns<float_binary_base>;
#else
using Runs = NoFloatBinaryRuns;
#endif

}  // namespace

constexpr Form kAddForm40 =
    make_form(Op::kAdd, 40, with_run(float_binary_facts(40), Runs::run_add));
ARENITE_FORM_CODE(Add, 40)
constexpr Form kSubForm40 =
    make_form(Op::kSub, 40, with_run(float_binary_facts(40), Runs::run_sub));
ARENITE_FORM_CODE(Sub, 40)
constexpr Form kMulForm40 =
    make_form(Op::kMul, 40, with_run(float_binary_facts(40), Runs::run_mul));
ARENITE_FORM_CODE(Mul, 40)
constexpr Form kDivForm40 =
    make_form(Op::kDiv, 40, with_run(float_binary_facts(40), Runs::run_div));
ARENITE_FORM_CODE(Div, 40)
constexpr Form kMaxForm40 =
    make_form(Op::kMax, 40, with_run(float_binary_facts(40), Runs::run_max));
ARENITE_FORM_CODE(Max, 40)
constexpr Form kMinForm40 =
    make_form(Op::kMin, 40, with_run(float_binary_facts(40), Runs::run_min));
ARENITE_FORM_CODE(Min, 40)
constexpr Form kPReluForm40 =
    make_form(Op::kPRelu, 40, with_run(float_binary_facts(40), Runs::run_prelu));
ARENITE_FORM_CODE(PRelu, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
