// Makes pools once, and sets from them while commands are recorded.
#include "vk/descriptors.h"

#include "vk/problem.h"

namespace arenite::vk {

Status make_pools(const Device& device, std::span<const uint32_t, kSetLayouts> counts,
                  DescriptorPools& pools) {
  for (uint32_t i = 0; i < kSetLayouts; ++i) {
    if (counts[i] == 0) {
      continue;
    }
    const SetLayout layout = set_layout(i);
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, counts[i] * layout.buffers},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, counts[i] * (1 + layout.uniforms)}};
    VkDescriptorPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    info.maxSets = counts[i];
    info.poolSizeCount = layout.parameters ? 2 : 1;
    info.pPoolSizes = static_cast<const VkDescriptorPoolSize*>(sizes);
    ARENITE_VK_TRY(
        device.fn.create_descriptor_pool(device.handle, &info, nullptr, &pools.by_layout[i]));
  }
  return ok_status();
}

Status reset_pools(const Device& device, const DescriptorPools& pools) {
  for (VkDescriptorPool pool : pools.by_layout) {
    if (pool != VK_NULL_HANDLE) {
      ARENITE_VK_TRY(device.fn.reset_descriptor_pool(device.handle, pool, 0));
    }
  }
  return ok_status();
}

void destroy_pools(const Device& device, DescriptorPools& pools) {
  for (VkDescriptorPool& pool : pools.by_layout) {
    device.fn.destroy_descriptor_pool(device.handle, pool, nullptr);
    pool = VK_NULL_HANDLE;
  }
}

Status make_descriptor_set(const Device& device, const DescriptorPools& pools, uint32_t layout,
                           std::span<const BufferRange> ranges, VkDescriptorSet& set) {
  VkDescriptorSetAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  info.descriptorPool = pools.by_layout[layout];
  info.descriptorSetCount = 1;
  info.pSetLayouts = &device.set_layouts[layout];
  ARENITE_VK_TRY(device.fn.allocate_descriptor_sets(device.handle, &info, &set));
  VkDescriptorBufferInfo buffers[kMaxBindings];
  VkWriteDescriptorSet writes[kMaxBindings];
  for (uint32_t i = 0; i < ranges.size(); ++i) {
    buffers[i] = {ranges[i].buffer, ranges[i].offset, ranges[i].bytes};
    writes[i] = {};
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = set_layout(layout).type(i);
    writes[i].pBufferInfo = &buffers[i];
  }
  device.fn.update_descriptor_sets(device.handle, static_cast<uint32_t>(ranges.size()),
                                   static_cast<const VkWriteDescriptorSet*>(writes), 0, nullptr);
  return ok_status();
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
