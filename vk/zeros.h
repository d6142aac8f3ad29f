// Fills new buffers with zeros.
#pragma once

#include <span>

#include "vk/device.h"
#include "vk/memory.h"

namespace arenite::vk {

// Fills buffers with zeros, on the device where the CPU can't reach them, and waits. A step that
// reads what no step wrote (a root that was filled in part) then gives the same in every run, and
// nothing of another program's. `pool`: for a command buffer, which goes with it.
Status fill_with_zeros(Device& device, std::span<const Buffer> buffers, VkCommandPool pool,
                       VkFence fence);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
