// Recurrent cells of floats with AVX-512.
#include "portable_fallback/fast/float_cells_avx512_kernel.h"

#include "portable_fallback/fast/float_products_avx512_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_recurrent.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr FloatCellKernel kKernel = {float_products_avx512, add_cell_state_avx512,
                                     step_cell_avx512};

Status run_recurrent(const Step& step, const Platform& platform) {
  return run_float_recurrent(step, platform, kKernel);
}
#else
constexpr decltype(Form::run) run_recurrent = nullptr;
#endif

}  // namespace

constexpr Form kLSTMForm10 =
    make_form(Op::kLSTM, 10, with_run(float_recurrent_facts(8), run_recurrent));
ARENITE_FORM_CODE(LSTM, 10)
constexpr Form kGRUForm10 =
    make_form(Op::kGRU, 10, with_run(float_recurrent_facts(8), run_recurrent));
ARENITE_FORM_CODE(GRU, 10)
constexpr Form kRNNForm10 =
    make_form(Op::kRNN, 10, with_run(float_recurrent_facts(8), run_recurrent));
ARENITE_FORM_CODE(RNN, 10)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
