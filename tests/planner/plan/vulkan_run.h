// Runs a planned program on the tests' Vulkan device, under validation.
#pragma once

#include <memory>

#include "tests/planner/plan/run_program.h"
#include "tests/vk/vulkan_machine.h"

namespace arenite::test {

// Opens the device (once a process) when it is made.
class VulkanRun {
 public:
  VulkanRun();
  bool ready() const;
  // The outputs for the inputs of one variant; records failures as run() does.
  std::vector<std::vector<std::byte>> run(const Program& program, uint32_t method, uint32_t variant,
                                          std::span<const std::vector<std::byte>> inputs);
  // Counters of the last run.
  const vk::BackendCounters& counters() const { return backend_.counters; }
  // Since this was made.
  uint32_t validation_messages() const;

 private:
  tests::WatchedDevice& machine_;
  uint32_t messages_before_;
  vk::VulkanBackend backend_;
};

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
