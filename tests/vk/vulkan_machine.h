// A device under validation, and programs loaded on it with all the memory they need.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/instance.h"
#include "planner/program/writer.h"
#include "vk/backend.h"
#include "vk/device.h"

namespace arenite::tests {

// The device that tests compute on: lavapipe, or the one that ARENITE_TEST_DEVICE names.
std::string test_device_name();

// Counts validation messages and prints them, those that a known flaw of a driver or loader causes
// apart. Declared before the device, so that it outlives it. Must not move.
struct Watch {
  Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  uint32_t count() const { return messages.warnings + messages.errors - not_ours; }

  vk::Messages messages;
  std::atomic<uint32_t> not_ours = 0;
};

// An opened device under core and synchronization validation.
struct WatchedDevice {
  WatchedDevice();
  Watch watch;
  vk::Device device;
  Status opened;
};

// An opened program, and an instance of one of its variants.
class Loaded {
 public:
  // `device` may be null for a CPU variant.
  Loaded(const planner::ProgramTables& tables, vk::Device* device);

  // `variant` of `method`.
  Status load(uint32_t variant = 0, uint32_t method = 0);
  // Fills the inputs, runs, and returns output 0; empty after an error, which `status` keeps.
  std::vector<float> run(const std::vector<std::vector<float>>& inputs);
  void fill_input(uint32_t i, const std::vector<float>& numbers);
  std::vector<float> output(uint32_t i) const;

  std::span<std::byte> state_memory(size_t bytes);

  Program program;
  vk::VulkanBackend vulkan;
  Status status;
  size_t state_bytes_given = SIZE_MAX;  // less than needed, to see it refused
  bool takes_sizes = true;              // the backend can follow other sizes

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  static std::span<std::byte> bytes_of(std::vector<Line>& lines, size_t bytes);

  std::vector<Line> file_;
  std::vector<Line> state_;
  std::vector<uint32_t> frame_;
  std::deque<std::vector<Line>> arena_memory_;
  std::vector<std::span<std::byte>> arenas_;
  Backend table_;

 public:
  ScopedInstance instance;  // last: it detaches before the memory goes
};

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
