// Finds Vulkan at run time and makes an instance of it.
#pragma once

#include "core/status.h"
#include "vk/functions.h"
#include "vk/validation.h"

namespace arenite::vk {

// The source of vkGetInstanceProcAddr. With a null `find`, dlopen loads libvulkan.so.1
// (libvulkan.so on systems that name it so), which then stays loaded. A `find` that returns null:
// there is none.
struct Library {
  PFN_vkGetInstanceProcAddr (*find)(void* context) = nullptr;
  void* context = nullptr;
};

// A Vulkan instance with the functions it brings.
struct VulkanInstance {
  InstanceFunctions fn;
  VkInstance handle = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
};

// Makes an instance of Vulkan 1.1, under validation when `messages` is not null. On an error
// `instance` is left empty; kUnsupported carries a Problem.
Status open_instance(const Library& library, Messages* messages, VulkanInstance& instance);
void close_instance(VulkanInstance& instance);

// Loads the functions of a device made from `instance`.
Status load_device_functions(const VulkanInstance& instance, VkDevice device, DeviceFunctions& fn);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
