// An evaluation for people.
#pragma once

#include <cstdint>

#include "tools/evaluate/evaluation.h"

namespace arenite::tools {

void print_evaluation(const Evaluation& evaluation, uint64_t top);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
