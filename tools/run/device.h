// `--device`: which device is to run a program, and what happens where it can't.
#pragma once

#include <string>

#include "tools/run/vulkan_host.h"

namespace arenite::tools {

enum class DeviceKind {
  kAuto,    // what the program prefers of what is here; Vulkan only in hardware
  kCpu,     // the CPU and nothing else
  kVulkan,  // a Vulkan device and nothing else, in software too
};

struct DeviceChoice {
  DeviceKind kind = DeviceKind::kAuto;
  std::string text = "auto";    // as given
  std::string vulkan_device;    // index or part of the name; empty: any
  bool allow_fallback = false;  // where the device named can't run the program, another kind may
};

// "auto", "cpu", "vulkan", "vulkan:N" or "vulkan:NAME". Throws InputError for anything else.
DeviceChoice parse_device(const std::string& text, bool allow_fallback = false);

// The Vulkan that the choice asks for. ARENITE_VK_VALIDATION=1 in the environment switches
// validation on.
VulkanHostOptions vulkan_options(const DeviceChoice& device, const std::string& pipeline_cache);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
