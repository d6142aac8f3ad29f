// Brings constants to the device, each content once for all that use it there.
#pragma once

#include <span>

#include "vk/device.h"
#include "vk/state.h"
#include "vk/task.h"

namespace arenite::vk {

// Gives every constant that is `wanted` a place on the device: where another backend of the device
// has the same bytes there, that place; else bytes of its own, filled in place on unified memory or
// through staging commands, which are gone afterwards. Large constants have buffers of their own,
// small ones of a task share one. kNotLoaded (value = the constant) where the CPU can't reach the
// bytes. After an error none of them is held.
Status acquire_constants(Device& device, const Task& task, VkFence fence,
                         std::span<ConstantUse> uses);

// Gives the places back; buffers that nobody else uses are freed.
void release_constants(Device& device, std::span<ConstantUse> uses);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
