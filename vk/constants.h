// Brings the sections with constants to the device, once, when a variant is attached.
#pragma once

#include "vk/device.h"
#include "vk/state.h"
#include "vk/task.h"

namespace arenite::vk {

// Makes a buffer for each section whose bit is set and fills it: in place on unified memory, else
// through a staging buffer and commands of its own, which are gone afterwards. kNotLoaded
// (value = the section) for a section whose bytes the CPU can't reach.
Status upload_constants(Device& device, const Task& task, uint32_t sections, VkFence fence,
                        State& state);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
