// Makes pools once, and sets from them while commands are recorded.
#include "vk/descriptors.h"

#include "vk/problem.h"

namespace arenite::vk {

Status make_pools(const Device& device, std::span<const uint32_t, kMaxBuffers> counts,
                  DescriptorPools& pools) {
  for (uint32_t i = 0; i < kMaxBuffers; ++i) {
    if (counts[i] == 0) {
      continue;
    }
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, counts[i] * (i + 1)};
    VkDescriptorPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    info.maxSets = counts[i];
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    ARENITE_VK_TRY(
        device.fn.create_descriptor_pool(device.handle, &info, nullptr, &pools.by_buffers[i]));
  }
  return ok_status();
}

void destroy_pools(const Device& device, DescriptorPools& pools) {
  for (VkDescriptorPool& pool : pools.by_buffers) {
    device.fn.destroy_descriptor_pool(device.handle, pool, nullptr);
    pool = VK_NULL_HANDLE;
  }
}

Status make_descriptor_set(const Device& device, const DescriptorPools& pools,
                           std::span<const BufferRange> ranges, VkDescriptorSet& set) {
  const size_t layout = ranges.size() - 1;
  VkDescriptorSetAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  info.descriptorPool = pools.by_buffers[layout];
  info.descriptorSetCount = 1;
  info.pSetLayouts = &device.set_layouts[layout];
  ARENITE_VK_TRY(device.fn.allocate_descriptor_sets(device.handle, &info, &set));
  VkDescriptorBufferInfo buffers[kMaxBuffers];
  VkWriteDescriptorSet writes[kMaxBuffers];
  for (uint32_t i = 0; i < ranges.size(); ++i) {
    buffers[i] = {ranges[i].buffer, ranges[i].offset, ranges[i].bytes};
    writes[i] = {};
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[i].pBufferInfo = &buffers[i];
  }
  device.fn.update_descriptor_sets(device.handle, static_cast<uint32_t>(ranges.size()),
                                   static_cast<const VkWriteDescriptorSet*>(writes), 0, nullptr);
  return ok_status();
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
