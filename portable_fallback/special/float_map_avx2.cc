// Functions of single floats, and softmax, with AVX2.
#include "portable_fallback/fast/float_map_avx2_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_map.h"
#include "portable_fallback/shared/float_softmax.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
using Runs = FloatMapRuns<float_map_avx2>;

Status run_softmax(const Step& step, const Platform& platform) {
  return run_float_softmax(step, platform, float_softmax_avx2);
}
#else
using Runs = NoFloatMapRuns;
constexpr decltype(Form::run) run_softmax = nullptr;
#endif

}  // namespace

constexpr Form kSigmoidForm41 =
    make_form(Op::kSigmoid, 41, with_run(float_map_facts(40), Runs::run_sigmoid));
ARENITE_FORM_CODE(Sigmoid, 41)
constexpr Form kHardSigmoidForm41 =
    make_form(Op::kHardSigmoid, 41, with_run(float_map_facts(40), Runs::run_hard_sigmoid));
ARENITE_FORM_CODE(HardSigmoid, 41)
constexpr Form kHardSwishForm41 =
    make_form(Op::kHardSwish, 41, with_run(float_map_facts(40), Runs::run_hard_swish));
ARENITE_FORM_CODE(HardSwish, 41)
constexpr Form kSwishForm41 =
    make_form(Op::kSwish, 41, with_run(float_map_facts(40), Runs::run_swish));
ARENITE_FORM_CODE(Swish, 41)
constexpr Form kLeakyReluForm41 =
    make_form(Op::kLeakyRelu, 41, with_run(float_map_facts(40), Runs::run_leaky_relu));
ARENITE_FORM_CODE(LeakyRelu, 41)
constexpr Form kTanhForm41 =
    make_form(Op::kTanh, 41, with_run(float_map_facts(40), Runs::run_tanh));
ARENITE_FORM_CODE(Tanh, 41)
constexpr Form kErfForm41 = make_form(Op::kErf, 41, with_run(float_map_facts(40), Runs::run_erf));
ARENITE_FORM_CODE(Erf, 41)
constexpr Form kGeluForm41 =
    make_form(Op::kGelu, 41, with_run(float_map_facts(40), Runs::run_gelu));
ARENITE_FORM_CODE(Gelu, 41)
constexpr Form kSoftmaxForm41 =
    make_form(Op::kSoftmax, 41, with_run(float_softmax_facts(40), run_softmax));
ARENITE_FORM_CODE(Softmax, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
