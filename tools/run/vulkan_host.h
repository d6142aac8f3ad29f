// The machine's Vulkan device as the tools use it: opened once, shared by all programs, with its
// pipeline cache on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"

namespace arenite::tools {

struct VulkanHostOptions {
  std::string device;                    // index or part of a name; empty: the best
  bool software = true;                  // the best may be one in software
  std::filesystem::path pipeline_cache;  // empty: in the user's cache folder
  bool validation = false;               // Khronos' layers; messages go to standard error
  // The device counts as one that offers no more.
  std::optional<Capabilities> limits = {};
  uint32_t lose_at_submission = 0;  // for tests: this submission (1, 2, ...) reports a lost device
};

// The parts of loading, in milliseconds; vk/phases.h has what belongs to each.
struct LoadParts {
  double instance = 0, device = 0;
  double self_test = 0;  // a small program on the device, loaded and run
  double upload = 0, pipelines = 0, commands = 0;

  double total() const { return instance + device + self_test + upload + pipelines + commands; }
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
  // Whether the device meets a variant's requirements of it, not of the CPU; the reason names the
  // first it misses.
  bool meets(const Program& program, const format::VariantRecord& variant, std::string& reason);

  // These need a usable device.
  // Why it does not carry out a Vulkan step that it refused; empty where that is not known.
  std::string why_not(const Program& program, const format::VariantRecord& variant,
                      uint32_t step) const;
  const std::string& name() const;
  // What it took to open the device, and to load all that was loaded since.
  LoadParts load_parts() const;
  // How many pipelines the driver found in the cache: "warm", all; "partly", some; "cold", none.
  const char* cache_use() const;
  // The time of pipelines with a cold cache, as an earlier run of the program noted it; below 0:
  // not known.
  double cold_pipeline_ms() const;
  uint32_t validation_messages() const;
  // Writes the pipeline cache where it is not what the file holds.
  void save_cache();

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// Vulkan's name for a requirement of a program.
const char* capability_name(uint32_t id);

// One line for each device of the machine.
struct VulkanDeviceLine {
  std::string name, driver, problem;
  bool software = false;  // `--device auto` does not take it
  std::vector<std::pair<std::string, uint64_t>> limits;
};
std::vector<VulkanDeviceLine> list_vulkan_devices(std::string& problem);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
