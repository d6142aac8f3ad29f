// Loads libvulkan by name, then its functions one by one into tables.
#include "vk/loader.h"

#include <dlfcn.h>

#include "vk/problem.h"

namespace arenite::vk {
namespace {

PFN_vkGetInstanceProcAddr find_in_library() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    library = dlopen("libvulkan.so", RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    return nullptr;
  }
  // Never closed: drivers leave threads and exit handlers behind that live in it.
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
}

Status make_instance(PFN_vkGetInstanceProcAddr get, Messages* messages, VkInstance& handle) {
  const auto version =
      reinterpret_cast<PFN_vkEnumerateInstanceVersion>(get(nullptr, "vkEnumerateInstanceVersion"));
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
  uint32_t number = 0;
  if (version == nullptr || create == nullptr || version(&number) != VK_SUCCESS ||
      number < VK_API_VERSION_1_1) {
    return error(Problem::kOldLibrary);
  }
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "arenite";
  // 1.1 is all that is relied on; 1.2, where the loader has it, brings the drivers' names.
  application.apiVersion = number >= VK_API_VERSION_1_2 ? VK_API_VERSION_1_2 : VK_API_VERSION_1_1;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  if (messages == nullptr) {
    return create(&info, nullptr, &handle) == VK_SUCCESS ? ok_status()
                                                         : error(Problem::kNoInstance);
  }
  const ValidationChain chain(*messages);
  const char* const layers[] = {"VK_LAYER_KHRONOS_validation"};
  const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                    VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  info.pNext = &chain.features;
  info.enabledLayerCount = 1;
  info.ppEnabledLayerNames = layers;
  info.enabledExtensionCount = 2;
  info.ppEnabledExtensionNames = extensions;
  const VkResult result = create(&info, nullptr, &handle);
  if (result == VK_ERROR_LAYER_NOT_PRESENT || result == VK_ERROR_EXTENSION_NOT_PRESENT) {
    return error(Problem::kNoValidation);
  }
  return result == VK_SUCCESS ? ok_status() : error(Problem::kNoInstance);
}

}  // namespace

Status open_instance(const Library& library, Messages* messages, VulkanInstance& instance) {
  instance = {};
  const PFN_vkGetInstanceProcAddr get =
      library.find != nullptr ? library.find(library.context) : find_in_library();
  if (get == nullptr) {
    return error(Problem::kNoLibrary);
  }
  VkInstance handle = VK_NULL_HANDLE;
  ARENITE_TRY(make_instance(get, messages, handle));
  InstanceFunctions& fn = instance.fn;
#define ARENITE_VK_LOAD(name, member) \
  fn.member = reinterpret_cast<PFN_vk##name>(get(handle, "vk" #name));
#define ARENITE_VK_MISSING(name, member) missing = missing || fn.member == nullptr;
  ARENITE_VK_INSTANCE_FUNCTIONS(ARENITE_VK_LOAD)
  ARENITE_VK_OPTIONAL_FUNCTIONS(ARENITE_VK_LOAD)
  bool missing = false;
  ARENITE_VK_INSTANCE_FUNCTIONS(ARENITE_VK_MISSING)
  if (missing) {
    if (fn.destroy_instance != nullptr) {
      fn.destroy_instance(handle, nullptr);
    }
    instance = {};
    return error(Problem::kOldLibrary);
  }
  instance.handle = handle;
  if (messages != nullptr) {
    ARENITE_VK_DEBUG_FUNCTIONS(ARENITE_VK_LOAD)
    const ValidationChain chain(*messages);
    if (fn.create_debug_utils_messenger == nullptr || fn.destroy_debug_utils_messenger == nullptr ||
        fn.create_debug_utils_messenger(handle, &chain.debug, nullptr, &instance.messenger) !=
            VK_SUCCESS) {
      close_instance(instance);
      return error(Problem::kNoValidation);
    }
  }
#undef ARENITE_VK_LOAD
#undef ARENITE_VK_MISSING
  return ok_status();
}

void close_instance(VulkanInstance& instance) {
  if (instance.handle != VK_NULL_HANDLE) {
    if (instance.messenger != VK_NULL_HANDLE) {
      instance.fn.destroy_debug_utils_messenger(instance.handle, instance.messenger, nullptr);
    }
    instance.fn.destroy_instance(instance.handle, nullptr);
  }
  instance = {};
}

Status load_device_functions(const VulkanInstance& instance, VkDevice device, DeviceFunctions& fn) {
  const PFN_vkGetDeviceProcAddr get = instance.fn.get_device_proc_addr;
#define ARENITE_VK_LOAD(name, member)                                  \
  fn.member = reinterpret_cast<PFN_vk##name>(get(device, "vk" #name)); \
  if (fn.member == nullptr) {                                          \
    return error(Problem::kBadDevice);                                 \
  }
  ARENITE_VK_DEVICE_FUNCTIONS(ARENITE_VK_LOAD)
#undef ARENITE_VK_LOAD
  return ok_status();
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
