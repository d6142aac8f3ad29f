// ArgMax and ArgMin of floats with vectors of four, which every 64-bit x86 and Arm has.
#include "portable_fallback/fast/float_arg_base_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_arg.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
Status run_arg(const Step& step, const Platform& platform) {
  return run_float_arg(step, platform, find_best_floats_base);
}
#else
constexpr decltype(Form::run) run_arg = nullptr;
#endif

}  // namespace

constexpr Form kArgMaxForm41 = make_form(Op::kArgMax, 41, with_run(float_arg_facts(41), run_arg));
ARENITE_FORM_CODE(ArgMax, 41)
constexpr Form kArgMinForm41 = make_form(Op::kArgMin, 41, with_run(float_arg_facts(41), run_arg));
ARENITE_FORM_CODE(ArgMin, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
