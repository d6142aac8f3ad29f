// Counts, step by step, what a Vulkan variant's dispatches need.
#pragma once

#include "planner/program/writer.h"

namespace arenite::planner {

// Fills the dispatches of each Vulkan step and the variant's exact counts: dispatches, pipelines,
// descriptor sets (one a dispatch). A step whose form does not take it where its values lie gets
// another that suits the variant's requirements. `variant` indexes tables.variants; it is the last
// one, and all its other records are final.
void count_dispatches(ProgramTables& tables, uint32_t variant);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
