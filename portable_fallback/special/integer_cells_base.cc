// LSTM and layers of low rank of 8-bit integers with the vectors that every 64-bit x86 and Arm has.
#include "portable_fallback/fast/integer_cells_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_lstm.h"
#include "portable_fallback/shared/integer_svdf.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
Status run_lstm(const Step& step, const Platform& platform) {
  return run_integer_lstm(step, platform, step_lstm_base);
}
Status run_svdf(const Step& step, const Platform& platform) {
  return run_integer_svdf(step, platform, compute_svdf_base);
}
#else
constexpr decltype(Form::run) run_lstm = nullptr;
constexpr decltype(Form::run) run_svdf = nullptr;
#endif

}  // namespace

constexpr Form kQuantizedLstmForm40 =
    make_form(Op::kQuantizedLstm, 40, with_run(integer_lstm_facts(40), run_lstm));
ARENITE_FORM_CODE(QuantizedLstm, 40)
constexpr Form kSvdfForm40 = make_form(Op::kSvdf, 40, with_run(integer_svdf_facts(40), run_svdf));
ARENITE_FORM_CODE(Svdf, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
