// Serves the forms of softmax of 8-bit integers: which steps they take, their distance, and the
// walk over the rows that a kernel computes.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/integer_softmax.h"

namespace arenite {

bool takes_integer_softmax(const Step& step);
uint64_t integer_softmax_distance(const Step& step, uint32_t input);
Status run_integer_softmax(const Step& step, const Platform& platform,
                           void (*compute)(const IntegerSoftmax& softmax, const SoftmaxRows& rows));

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
