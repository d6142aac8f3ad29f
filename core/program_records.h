// Checks that no record of a program points outside what it refers to.
#pragma once

#include "core/program.h"

namespace arenite {

// After it every index, count and offset of every variant can be followed blindly, and each check
// that walks them takes time linear in the file. What they mean is checked at load.
Status check_records(const Program& program);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
