// The machine's Vulkan device as the tools use it: opened once, shared by all programs, with its
// pipeline cache on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/backend.h"
#include "core/program.h"

namespace arenite::tools {

struct VulkanHostOptions {
  std::string device;                    // index or part of a name; empty: the best
  std::filesystem::path pipeline_cache;  // empty: in the user's cache folder
  bool validation = false;               // Khronos' layers; messages go to standard error
  uint32_t lose_at_submission = 0;  // for tests: this submission (1, 2, ...) reports a lost device
};

class VulkanHost {
 public:
  // Opens nothing yet.
  explicit VulkanHost(const VulkanHostOptions& options);
  ~VulkanHost();
  VulkanHost(const VulkanHost&) = delete;
  VulkanHost& operator=(const VulkanHost&) = delete;

  // Opens the device and tests it, once. False with the reason when there is none, or it is broken.
  bool usable(std::string& reason);
  // Whether the device meets a variant's requirements; the reason names the first it misses.
  bool meets(const Program& program, const format::VariantRecord& variant, std::string& reason);

  // These need a usable device.
  const std::string& name() const;
  // What the driver spent on making pipelines, and whether the cache it started from held anything.
  double pipeline_ms() const;
  bool cache_was_warm() const;
  // Cold time stored with the cache when this run is warm; below 0 when not known.
  double cold_pipeline_ms() const;
  uint32_t validation_messages() const;
  // Writes the pipeline cache, when this run made pipelines without one.
  void save_cache();

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// One variant's share of the device. Outlives the instance it is given to.
class VulkanTask {
 public:
  VulkanTask(VulkanHost& host, const Program& program, const format::VariantRecord& variant);
  ~VulkanTask();
  VulkanTask(const VulkanTask&) = delete;
  VulkanTask& operator=(const VulkanTask&) = delete;

  Backend backend();
  // Called when the instance has attached: takes note of what it cost.
  void attached();
  // vkCmdDispatch calls recorded for one run.
  uint32_t dispatches() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One line for each device of the machine.
struct VulkanDeviceLine {
  std::string name, driver, problem;
  std::vector<std::pair<std::string, uint64_t>> limits;
};
std::vector<VulkanDeviceLine> list_vulkan_devices(std::string& problem);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
