// Why there is no Vulkan device to use, and what Vulkan's own result codes become.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

#include "core/status.h"

namespace arenite::vk {

// Stands in the value of a kUnsupported status of open_device, list_devices and self_test.
enum class Problem : uint32_t {
  kNone = 0,
  kNoLibrary,       // no libvulkan on this machine
  kOldLibrary,      // it can't do Vulkan 1.1
  kNoInstance,      // no driver is installed, or it refused to start
  kNoValidation,    // validation was asked for and its layer is not installed
  kNoDevice,        // no device at all, or none that can be used
  kNoSuchDevice,    // none with the index or name asked for
  kOldDevice,       // the device can't do Vulkan 1.1
  kNoComputeQueue,  // the device has no queue for compute
  kBadDevice,       // the device breaks a limit that Vulkan guarantees
  kOnlySoftware,    // devices in hardware were asked for, and there is none
  kWrongAnswer,     // the self-test came back with wrong numbers
};

// In English, for a message that says why the CPU is used instead.
const char* describe(Problem problem);

// The problem that a status of this folder carries; kNone for any other status.
Problem problem_of(Status status);

constexpr Status error(Problem problem) {
  return {Code::kUnsupported, kNoIndex, static_cast<uint32_t>(problem)};
}

// kOk for VK_SUCCESS; lost devices and missing memory have their codes, all else is kDeviceError
// with the result as value.
Status to_status(VkResult result);

}  // namespace arenite::vk

// Returns from the calling function, with the status it becomes, when a Vulkan call does not
// succeed.
#define ARENITE_VK_TRY(call) ARENITE_TRY(::arenite::vk::to_status(call))
// SPDX-License-Identifier: Apache-2.0
