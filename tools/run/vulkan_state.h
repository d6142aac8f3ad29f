// The opened Vulkan device as the tools keep it: for vulkan_host.cc and vulkan_task.cc alone.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tools/run/load_clock.h"
#include "tools/run/pipeline_cache_file.h"
#include "tools/run/vulkan_host.h"
#include "vk/device.h"

namespace arenite::tools {

struct VulkanHost::State {
  VulkanHostOptions options;
  vk::Messages messages;
  std::optional<std::string> problem;  // empty text: usable; no value: not tried yet
  std::string name;
  std::filesystem::path cache_path;
  PipelineCacheFile cache;  // as read
  LoadClock clock;
  double self_test_ms = 0;
  bool used = false;
  uint32_t program = 0;  // the last that was attached, by the checksum of its header
  vk::Device device;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
