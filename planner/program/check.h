// Puts every variant of a program through the loader's proof, before the program is handed out.
#pragma once

#include "core/program.h"
#include "planner/graph/target_forms.h"

namespace arenite::planner {

// Checks the constants' checksums and verifies each variant as Instance::load does on a machine
// with these forms; needs no memory for arenas and no device. Throws std::logic_error where a
// device would refuse: for a program that was just planned, the planner is wrong. Gives whether
// each CPU step got the form it was planned for.
bool check_program(const Program& program, const TargetForms& forms);

// The status that Instance::load would give for one variant, counted within its method, with all
// forms of the source tree.
Status proof_of(const Program& program, uint32_t method, uint32_t variant);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
