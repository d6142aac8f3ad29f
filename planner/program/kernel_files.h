// The source files of the runtime that an operator takes.
#pragma once

#include <span>

#include "core/types.h"

namespace arenite::planner {

// Paths from the runtime's root, in order: its contract, its forms, and what these call. core/ and
// schema/ belong to every image and are not among them. None for views, which have no forms.
std::span<const char* const> kernel_files(Op op);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
