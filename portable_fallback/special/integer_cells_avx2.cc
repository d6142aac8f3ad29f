// LSTM and layers of low rank of 8-bit integers with AVX2.
#include "portable_fallback/fast/integer_cells_avx2_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_lstm.h"
#include "portable_fallback/shared/integer_svdf.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
Status run_lstm(const Step& step, const Platform& platform) {
  return run_integer_lstm(step, platform, step_lstm_avx2);
}
Status run_svdf(const Step& step, const Platform& platform) {
  return run_integer_svdf(step, platform, compute_svdf_avx2);
}
#else
constexpr decltype(Form::run) run_lstm = nullptr;
constexpr decltype(Form::run) run_svdf = nullptr;
#endif

}  // namespace

constexpr Form kQuantizedLstmForm41 =
    make_form(Op::kQuantizedLstm, 41, with_run(integer_lstm_facts(40), run_lstm));
ARENITE_FORM_CODE(QuantizedLstm, 41)
constexpr Form kSvdfForm41 = make_form(Op::kSvdf, 41, with_run(integer_svdf_facts(40), run_svdf));
ARENITE_FORM_CODE(Svdf, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
