// One variant's share of the machine's Vulkan device.
#pragma once

#include <cstdint>
#include <memory>

#include "core/backend.h"
#include "core/program.h"
#include "tools/run/profiler.h"
#include "tools/run/vulkan_host.h"

namespace arenite::tools {

// Outlives the instance it is given to.
class VulkanTask {
 public:
  // With a profiler, which outlives the task, the device's clock is read around each step; a null
  // one changes nothing of what the device is given to do.
  VulkanTask(VulkanHost& host, const Program& program, const format::VariantRecord& variant,
             Profiler* profiler);
  ~VulkanTask();
  VulkanTask(const VulkanTask&) = delete;
  VulkanTask& operator=(const VulkanTask&) = delete;

  Backend backend();
  // Called when the instance has attached: takes note of what it was.
  void attached();
  // vkCmdDispatch calls that are recorded.
  uint32_t dispatches() const;
  // What runs have given the device since the instance attached.
  uint32_t submissions() const;
  uint32_t dispatches_run() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
