// One exponential after the other, of products of two instructions.
#include "portable_fallback/fast/integer_softmax_dsp_kernel.h"

#include "portable_fallback/fast/integer_softmax_rows.h"

namespace arenite {

[[gnu::cold]] void softmax_rows_dsp(const IntegerSoftmax& softmax, const SoftmaxRows& rows) {
  softmax_rows<ScalarSoftmax>(softmax, rows);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
