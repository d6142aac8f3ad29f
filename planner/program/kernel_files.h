// The source files of the runtime that contracts and forms take.
#pragma once

#include <span>
#include <string_view>

#include "core/types.h"

namespace arenite::planner {

// Paths from the runtime's root, in order: what an operator's contract takes, and what the forms in
// a file do (FormNames::file). core/ and schema/ belong to every image and are not among them.
std::span<const char* const> contract_files(Op op);
std::span<const char* const> form_files(std::string_view file);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
