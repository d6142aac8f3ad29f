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
Status run_softmax_rows(const Step& step, const Platform& platform) {
  return run_float_softmax_rows(step, platform, float_softmax_rows_avx2);
}
#else
using Runs = NoFloatMapRuns;
constexpr decltype(Form::run) run_softmax = nullptr, run_softmax_rows = nullptr;
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
constexpr Form kExpForm41 = make_form(Op::kExp, 41, with_run(float_map_facts(40), Runs::run_exp));
ARENITE_FORM_CODE(Exp, 41)
constexpr Form kLogForm41 = make_form(Op::kLog, 41, with_run(float_map_facts(40), Runs::run_log));
ARENITE_FORM_CODE(Log, 41)
constexpr Form kEluForm41 = make_form(Op::kElu, 41, with_run(float_map_facts(40), Runs::run_elu));
ARENITE_FORM_CODE(Elu, 41)
constexpr Form kSeluForm41 =
    make_form(Op::kSelu, 41, with_run(float_map_facts(40), Runs::run_selu));
ARENITE_FORM_CODE(Selu, 41)
constexpr Form kCeluForm41 =
    make_form(Op::kCelu, 41, with_run(float_map_facts(40), Runs::run_celu));
ARENITE_FORM_CODE(Celu, 41)
constexpr Form kFloorForm41 =
    make_form(Op::kFloor, 41, with_run(float_map_facts(40), Runs::run_floor));
ARENITE_FORM_CODE(Floor, 41)
constexpr Form kCeilForm41 =
    make_form(Op::kCeil, 41, with_run(float_map_facts(40), Runs::run_ceil));
ARENITE_FORM_CODE(Ceil, 41)
constexpr Form kRoundForm41 =
    make_form(Op::kRound, 41, with_run(float_map_facts(40), Runs::run_round));
ARENITE_FORM_CODE(Round, 41)
constexpr Form kSoftplusForm41 =
    make_form(Op::kSoftplus, 41, with_run(float_map_facts(40), Runs::run_softplus));
ARENITE_FORM_CODE(Softplus, 41)
constexpr Form kSinForm41 = make_form(Op::kSin, 41, with_run(float_map_facts(40), Runs::run_sin));
ARENITE_FORM_CODE(Sin, 41)
constexpr Form kCosForm41 = make_form(Op::kCos, 41, with_run(float_map_facts(40), Runs::run_cos));
ARENITE_FORM_CODE(Cos, 41)
constexpr Form kSoftmaxForm41 =
    make_form(Op::kSoftmax, 41, with_run(float_softmax_facts(40), run_softmax));
ARENITE_FORM_CODE(Softmax, 41)
constexpr Form kSoftmaxForm43 =
    make_form(Op::kSoftmax, 43, with_run(float_softmax_rows_facts(42), run_softmax_rows));
ARENITE_FORM_CODE(Softmax, 43)
constexpr Form kLogSoftmaxForm41 =
    make_form(Op::kLogSoftmax, 41, with_run(float_softmax_facts(40), run_softmax));
ARENITE_FORM_CODE(LogSoftmax, 41)
constexpr Form kLogSoftmaxForm43 =
    make_form(Op::kLogSoftmax, 43, with_run(float_softmax_rows_facts(42), run_softmax_rows));
ARENITE_FORM_CODE(LogSoftmax, 43)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
