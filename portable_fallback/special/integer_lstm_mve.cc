// LSTM of 8-bit activations and a 16-bit cell with Arm's MVE.
#include "portable_fallback/fast/integer_lstm_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_lstm.h"

namespace arenite {
namespace {

Status run(const Step& step, const Platform& platform) {
  return run_integer_lstm(step, platform, step_lstm_mve);
}

}  // namespace

constexpr Form kQuantizedLstmForm9 =
    make_form(Op::kQuantizedLstm, 9,
              {.parallel = true,
               .scratch = integer_lstm_scratch,
               .safe_distance = [](const Step&, uint32_t) -> uint64_t { return kNoOverlap; },
               .accepts = takes_integer_lstm,
               .run = run});
ARENITE_FORM_CODE(QuantizedLstm, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
