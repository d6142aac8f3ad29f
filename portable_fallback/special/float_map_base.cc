// Functions of single floats, and softmax, with vectors of four, which every 64-bit x86 and Arm
// has.
#include "portable_fallback/fast/float_map_base_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_map.h"
#include "portable_fallback/shared/float_softmax.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
using Runs = FloatMapRuns<float_map_base>;

Status run_softmax(const Step& step, const Platform& platform) {
  return run_float_softmax(step, platform, float_softmax_base);
}
Status run_softmax_rows(const Step& step, const Platform& platform) {
  return run_float_softmax_rows(step, platform, float_softmax_rows_base);
}
#else
using Runs = NoFloatMapRuns;
constexpr decltype(Form::run) run_softmax = nullptr, run_softmax_rows = nullptr;
#endif

}  // namespace

constexpr Form kSigmoidForm40 =
    make_form(Op::kSigmoid, 40, with_run(float_map_facts(40), Runs::run_sigmoid));
ARENITE_FORM_CODE(Sigmoid, 40)
constexpr Form kHardSigmoidForm40 =
    make_form(Op::kHardSigmoid, 40, with_run(float_map_facts(40), Runs::run_hard_sigmoid));
ARENITE_FORM_CODE(HardSigmoid, 40)
constexpr Form kHardSwishForm40 =
    make_form(Op::kHardSwish, 40, with_run(float_map_facts(40), Runs::run_hard_swish));
ARENITE_FORM_CODE(HardSwish, 40)
constexpr Form kSwishForm40 =
    make_form(Op::kSwish, 40, with_run(float_map_facts(40), Runs::run_swish));
ARENITE_FORM_CODE(Swish, 40)
constexpr Form kLeakyReluForm40 =
    make_form(Op::kLeakyRelu, 40, with_run(float_map_facts(40), Runs::run_leaky_relu));
ARENITE_FORM_CODE(LeakyRelu, 40)
constexpr Form kTanhForm40 =
    make_form(Op::kTanh, 40, with_run(float_map_facts(40), Runs::run_tanh));
ARENITE_FORM_CODE(Tanh, 40)
constexpr Form kErfForm40 = make_form(Op::kErf, 40, with_run(float_map_facts(40), Runs::run_erf));
ARENITE_FORM_CODE(Erf, 40)
constexpr Form kGeluForm40 =
    make_form(Op::kGelu, 40, with_run(float_map_facts(40), Runs::run_gelu));
ARENITE_FORM_CODE(Gelu, 40)
constexpr Form kExpForm40 = make_form(Op::kExp, 40, with_run(float_map_facts(40), Runs::run_exp));
ARENITE_FORM_CODE(Exp, 40)
constexpr Form kLogForm40 = make_form(Op::kLog, 40, with_run(float_map_facts(40), Runs::run_log));
ARENITE_FORM_CODE(Log, 40)
constexpr Form kEluForm40 = make_form(Op::kElu, 40, with_run(float_map_facts(40), Runs::run_elu));
ARENITE_FORM_CODE(Elu, 40)
constexpr Form kSeluForm40 =
    make_form(Op::kSelu, 40, with_run(float_map_facts(40), Runs::run_selu));
ARENITE_FORM_CODE(Selu, 40)
constexpr Form kCeluForm40 =
    make_form(Op::kCelu, 40, with_run(float_map_facts(40), Runs::run_celu));
ARENITE_FORM_CODE(Celu, 40)
constexpr Form kFloorForm40 =
    make_form(Op::kFloor, 40, with_run(float_map_facts(40), Runs::run_floor));
ARENITE_FORM_CODE(Floor, 40)
constexpr Form kCeilForm40 =
    make_form(Op::kCeil, 40, with_run(float_map_facts(40), Runs::run_ceil));
ARENITE_FORM_CODE(Ceil, 40)
constexpr Form kRoundForm40 =
    make_form(Op::kRound, 40, with_run(float_map_facts(40), Runs::run_round));
ARENITE_FORM_CODE(Round, 40)
constexpr Form kSoftplusForm40 =
    make_form(Op::kSoftplus, 40, with_run(float_map_facts(40), Runs::run_softplus));
ARENITE_FORM_CODE(Softplus, 40)
constexpr Form kSinForm40 = make_form(Op::kSin, 40, with_run(float_map_facts(40), Runs::run_sin));
ARENITE_FORM_CODE(Sin, 40)
constexpr Form kCosForm40 = make_form(Op::kCos, 40, with_run(float_map_facts(40), Runs::run_cos));
ARENITE_FORM_CODE(Cos, 40)
constexpr Form kSoftmaxForm40 =
    make_form(Op::kSoftmax, 40, with_run(float_softmax_facts(40), run_softmax));
ARENITE_FORM_CODE(Softmax, 40)
constexpr Form kSoftmaxForm42 =
    make_form(Op::kSoftmax, 42, with_run(float_softmax_rows_facts(42), run_softmax_rows));
ARENITE_FORM_CODE(Softmax, 42)
constexpr Form kLogSoftmaxForm40 =
    make_form(Op::kLogSoftmax, 40, with_run(float_softmax_facts(40), run_softmax));
ARENITE_FORM_CODE(LogSoftmax, 40)
constexpr Form kLogSoftmaxForm42 =
    make_form(Op::kLogSoftmax, 42, with_run(float_softmax_rows_facts(42), run_softmax_rows));
ARENITE_FORM_CODE(LogSoftmax, 42)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
