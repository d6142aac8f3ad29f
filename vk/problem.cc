// Names Vulkan's absence and failures in our own terms.
#include "vk/problem.h"

namespace arenite::vk {

const char* describe(Problem problem) {
  switch (problem) {
    case Problem::kNone:
      return "no problem";
    case Problem::kNoLibrary:
      return "libvulkan.so.1 is not on this machine";
    case Problem::kOldLibrary:
      return "the Vulkan loader does not know Vulkan 1.1";
    case Problem::kNoInstance:
      return "Vulkan did not start: no driver is installed, or it refused";
    case Problem::kNoValidation:
      return "VK_LAYER_KHRONOS_validation is not installed";
    case Problem::kNoDevice:
      return "there is no Vulkan device that can be used";
    case Problem::kNoSuchDevice:
      return "no Vulkan device has that index or name";
    case Problem::kOldDevice:
      return "the device does not do Vulkan 1.1";
    case Problem::kNoComputeQueue:
      return "the device has no compute queue";
    case Problem::kBadDevice:
      return "the device breaks a limit that Vulkan guarantees";
    case Problem::kOnlySoftware:
      return "there is no Vulkan device but a software one, which is slower than the CPU itself";
    case Problem::kWrongAnswer:
      return "the device computed wrong numbers in the self-test";
  }
  return "unknown problem";
}

Problem problem_of(Status status) {
  const bool known =
      status.value > 0 && status.value <= static_cast<uint32_t>(Problem::kWrongAnswer);
  return status.code == Code::kUnsupported && known ? static_cast<Problem>(status.value)
                                                    : Problem::kNone;
}

Status to_status(VkResult result) {
  switch (result) {
    case VK_SUCCESS:
      return ok_status();
    case VK_ERROR_DEVICE_LOST:
      return arenite::error(Code::kDeviceLost);
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return arenite::error(Code::kDeviceMemory);
    default:
      return arenite::error(Code::kDeviceError, static_cast<uint32_t>(result));
  }
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
