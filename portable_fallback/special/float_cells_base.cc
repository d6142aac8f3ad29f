// Recurrent cells of floats with vectors of four, which every 64-bit x86 and Arm has.
#include "portable_fallback/fast/float_cells_base_kernel.h"

#include "portable_fallback/fast/float_products_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_recurrent.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
constexpr FloatCellKernel kKernel = {float_products_base, add_cell_state_base, step_cell_base};

Status run_recurrent(const Step& step, const Platform& platform) {
  return run_float_recurrent(step, platform, kKernel);
}
#else
constexpr decltype(Form::run) run_recurrent = nullptr;
#endif

}  // namespace

constexpr Form kLSTMForm8 =
    make_form(Op::kLSTM, 8, with_run(float_recurrent_facts(8), run_recurrent));
ARENITE_FORM_CODE(LSTM, 8)
constexpr Form kGRUForm8 =
    make_form(Op::kGRU, 8, with_run(float_recurrent_facts(8), run_recurrent));
ARENITE_FORM_CODE(GRU, 8)
constexpr Form kRNNForm8 =
    make_form(Op::kRNN, 8, with_run(float_recurrent_facts(8), run_recurrent));
ARENITE_FORM_CODE(RNN, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
