// Descriptor pools of exactly the size that a plan needs, one for each descriptor-set layout.
#pragma once

#include <cstdint>
#include <span>

#include "vk/device.h"

namespace arenite::vk {

struct DescriptorPools {
  VkDescriptorPool by_buffers[kMaxBuffers] = {};  // by storage buffers - 1; null where not used
};

// A range of a buffer, as bound to a shader.
struct BufferRange {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t offset = 0, bytes = 0;
};

// Makes pools that hold `counts[i]` sets of i + 1 storage buffers, and not one more.
Status make_pools(const Device& device, std::span<const uint32_t, kMaxBuffers> counts,
                  DescriptorPools& pools);
void destroy_pools(const Device& device, DescriptorPools& pools);

// Takes a set for `ranges` (1 to kMaxBuffers of them) from its pool and fills it.
Status make_descriptor_set(const Device& device, const DescriptorPools& pools,
                           std::span<const BufferRange> ranges, VkDescriptorSet& set);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
