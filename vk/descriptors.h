// Descriptor pools of exactly the size that a plan announces, one for each descriptor-set layout.
#pragma once

#include <cstdint>
#include <span>

#include "vk/device.h"

namespace arenite::vk {

struct DescriptorPools {
  VkDescriptorPool by_layout[kSetLayouts] = {};  // null where not used
};

// A range of a buffer, as bound to a shader.
struct BufferRange {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t offset = 0, bytes = 0;
};

// Makes pools that hold `counts[i]` sets of layout i, and not one more.
Status make_pools(const Device& device, std::span<const uint32_t, kSetLayouts> counts,
                  DescriptorPools& pools);
// Takes all sets back. No work that uses one is under way.
Status reset_pools(const Device& device, const DescriptorPools& pools);
void destroy_pools(const Device& device, DescriptorPools& pools);

// Takes a set of layout `layout` from its pool and fills it: `ranges` by binding.
Status make_descriptor_set(const Device& device, const DescriptorPools& pools, uint32_t layout,
                           std::span<const BufferRange> ranges, VkDescriptorSet& set);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
