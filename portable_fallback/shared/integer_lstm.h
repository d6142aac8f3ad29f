// Serves the forms of quantized LSTMs: which steps they take, their memory, and the walk over the
// sequences whose time steps a kernel computes.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/integer_lstm.h"

namespace arenite {

bool takes_integer_lstm(const Step& step);
ScratchNeed integer_lstm_scratch(const Step& step);
Status run_integer_lstm(const Step& step, const Platform& platform, LstmStep* compute);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
