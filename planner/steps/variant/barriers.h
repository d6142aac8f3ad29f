// Marks the device steps that must wait for the device steps before them.
#pragma once

#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// A step waits exactly when bytes it reads or writes were written, or bytes it writes were read, by
// a device step since the last one that waited. Nothing is left to wait for behind a CPU step,
// which starts when all device work is done, nor for the first step of a stretch. Storages have
// been placed: bytes that lifetimes share count. With `any_size` a step reads and writes all of the
// storages that its operands lie in: at other sizes their parts are elsewhere.
void set_barriers(Schedule& plan, bool any_size);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
