// Recurrent cells of floats with AVX2 and FMA.
#include "portable_fallback/fast/float_cells_avx2_kernel.h"

#include "portable_fallback/fast/float_products_avx2_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_recurrent.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr FloatCellKernel kKernel = {float_products_avx2, add_cell_state_avx2, step_cell_avx2};

Status run_recurrent(const Step& step, const Platform& platform) {
  return run_float_recurrent(step, platform, kKernel);
}
#else
constexpr decltype(Form::run) run_recurrent = nullptr;
#endif

}  // namespace

constexpr Form kLSTMForm9 =
    make_form(Op::kLSTM, 9, with_run(float_recurrent_facts(8), run_recurrent));
ARENITE_FORM_CODE(LSTM, 9)
constexpr Form kGRUForm9 =
    make_form(Op::kGRU, 9, with_run(float_recurrent_facts(8), run_recurrent));
ARENITE_FORM_CODE(GRU, 9)
constexpr Form kRNNForm9 =
    make_form(Op::kRNN, 9, with_run(float_recurrent_facts(8), run_recurrent));
ARENITE_FORM_CODE(RNN, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
