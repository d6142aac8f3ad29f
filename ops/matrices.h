// Checks that the contracts of matrix products share: operands must fit each other.
#pragma once

#include "core/step.h"

namespace arenite {

// a [..., M, K], b [..., K, N] (its batch dims those of y, or in panels 1), y [..., M, N].
Status check_matrices(const Step& step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
