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
  // The outputs for the inputs of one variant; records failures as run() does. `before`: inputs of
  // a run before, which leaves its bytes in the arenas.
  std::vector<std::vector<std::byte>> run(const Program& program, uint32_t method, uint32_t variant,
                                          std::span<const std::vector<std::byte>> inputs,
                                          std::span<const std::vector<std::byte>> before = {});
  // Counters of the last instance, which ran once, or twice.
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
