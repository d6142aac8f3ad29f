// Declares the rows that each file of an operator of its own, or of a family, defines:
// std::span<const DispatchRow> <name>_rows(Op op), of its operator or of a member. Which files
// these are kernels/CMakeLists.txt finds by their names.
#pragma once

#include "kernels/dispatch/rules.h"

namespace arenite {

#define ARENITE_DISPATCH_FILE(name) std::span<const DispatchRow> name##_rows(Op op);
#include "kernels/dispatch/files.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
