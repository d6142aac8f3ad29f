// The Vulkan functions in use, as tables filled at run time: nothing here links to libvulkan.
#pragma once

#include <vulkan/vulkan_core.h>

// X(Vulkan's name without vk, ours): functions of an instance.
#define ARENITE_VK_INSTANCE_FUNCTIONS(X)                                                 \
  X(DestroyInstance, destroy_instance)                                                   \
  X(EnumeratePhysicalDevices, enumerate_physical_devices)                                \
  X(GetPhysicalDeviceFeatures2, get_physical_device_features2)                           \
  X(GetPhysicalDeviceProperties, get_physical_device_properties)                         \
  X(GetPhysicalDeviceProperties2, get_physical_device_properties2)                       \
  X(GetPhysicalDeviceMemoryProperties, get_physical_device_memory_properties)            \
  X(GetPhysicalDeviceQueueFamilyProperties, get_physical_device_queue_family_properties) \
  X(CreateDevice, create_device)                                                         \
  X(GetDeviceProcAddr, get_device_proc_addr)

// Functions of an instance that many drivers lack.
#define ARENITE_VK_OPTIONAL_FUNCTIONS(X)            \
  X(GetPhysicalDeviceCooperativeMatrixPropertiesNV, \
    get_physical_device_cooperative_matrix_properties)

// Functions of the debug extension, there only while validation is on.
#define ARENITE_VK_DEBUG_FUNCTIONS(X)                           \
  X(CreateDebugUtilsMessengerEXT, create_debug_utils_messenger) \
  X(DestroyDebugUtilsMessengerEXT, destroy_debug_utils_messenger)

#define ARENITE_VK_DEVICE_FUNCTIONS(X)                             \
  X(AllocateCommandBuffers, allocate_command_buffers)              \
  X(AllocateDescriptorSets, allocate_descriptor_sets)              \
  X(AllocateMemory, allocate_memory)                               \
  X(BeginCommandBuffer, begin_command_buffer)                      \
  X(BindBufferMemory, bind_buffer_memory)                          \
  X(CmdBindDescriptorSets, cmd_bind_descriptor_sets)               \
  X(CmdBindPipeline, cmd_bind_pipeline)                            \
  X(CmdCopyBuffer, cmd_copy_buffer)                                \
  X(CmdDispatch, cmd_dispatch)                                     \
  X(CmdFillBuffer, cmd_fill_buffer)                                \
  X(CmdPipelineBarrier, cmd_pipeline_barrier)                      \
  X(CmdPushConstants, cmd_push_constants)                          \
  X(CmdResetQueryPool, cmd_reset_query_pool)                       \
  X(CmdWriteTimestamp, cmd_write_timestamp)                        \
  X(CreateBuffer, create_buffer)                                   \
  X(CreateCommandPool, create_command_pool)                        \
  X(CreateComputePipelines, create_compute_pipelines)              \
  X(CreateDescriptorPool, create_descriptor_pool)                  \
  X(CreateDescriptorSetLayout, create_descriptor_set_layout)       \
  X(CreateFence, create_fence)                                     \
  X(CreatePipelineCache, create_pipeline_cache)                    \
  X(CreatePipelineLayout, create_pipeline_layout)                  \
  X(CreateQueryPool, create_query_pool)                            \
  X(CreateShaderModule, create_shader_module)                      \
  X(DestroyBuffer, destroy_buffer)                                 \
  X(DestroyCommandPool, destroy_command_pool)                      \
  X(DestroyDescriptorPool, destroy_descriptor_pool)                \
  X(DestroyDescriptorSetLayout, destroy_descriptor_set_layout)     \
  X(DestroyDevice, destroy_device)                                 \
  X(DestroyFence, destroy_fence)                                   \
  X(DestroyPipeline, destroy_pipeline)                             \
  X(DestroyPipelineCache, destroy_pipeline_cache)                  \
  X(DestroyPipelineLayout, destroy_pipeline_layout)                \
  X(DestroyQueryPool, destroy_query_pool)                          \
  X(DestroyShaderModule, destroy_shader_module)                    \
  X(DeviceWaitIdle, device_wait_idle)                              \
  X(EndCommandBuffer, end_command_buffer)                          \
  X(FlushMappedMemoryRanges, flush_mapped_memory_ranges)           \
  X(FreeMemory, free_memory)                                       \
  X(GetBufferMemoryRequirements, get_buffer_memory_requirements)   \
  X(GetDeviceQueue, get_device_queue)                              \
  X(GetFenceStatus, get_fence_status)                              \
  X(GetPipelineCacheData, get_pipeline_cache_data)                 \
  X(GetQueryPoolResults, get_query_pool_results)                   \
  X(InvalidateMappedMemoryRanges, invalidate_mapped_memory_ranges) \
  X(MapMemory, map_memory)                                         \
  X(QueueSubmit, queue_submit)                                     \
  X(ResetCommandPool, reset_command_pool)                          \
  X(ResetDescriptorPool, reset_descriptor_pool)                    \
  X(ResetFences, reset_fences)                                     \
  X(UpdateDescriptorSets, update_descriptor_sets)                  \
  X(WaitForFences, wait_for_fences)

namespace arenite::vk {

#define ARENITE_VK_MEMBER(name, member) PFN_vk##name member = nullptr;

struct InstanceFunctions {
  ARENITE_VK_INSTANCE_FUNCTIONS(ARENITE_VK_MEMBER)
  ARENITE_VK_OPTIONAL_FUNCTIONS(ARENITE_VK_MEMBER)
  ARENITE_VK_DEBUG_FUNCTIONS(ARENITE_VK_MEMBER)
};

struct DeviceFunctions {
  ARENITE_VK_DEVICE_FUNCTIONS(ARENITE_VK_MEMBER)
};

#undef ARENITE_VK_MEMBER

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
