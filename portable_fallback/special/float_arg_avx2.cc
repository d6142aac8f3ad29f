// ArgMax and ArgMin of floats with AVX2.
#include "portable_fallback/fast/float_arg_avx2_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_arg.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
Status run_arg(const Step& step, const Platform& platform) {
  return run_float_arg(step, platform, find_best_floats_avx2);
}
#else
constexpr decltype(Form::run) run_arg = nullptr;
#endif

}  // namespace

constexpr Form kArgMaxForm42 = make_form(Op::kArgMax, 42, with_run(float_arg_facts(41), run_arg));
ARENITE_FORM_CODE(ArgMax, 42)
constexpr Form kArgMinForm42 = make_form(Op::kArgMin, 42, with_run(float_arg_facts(41), run_arg));
ARENITE_FORM_CODE(ArgMin, 42)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
