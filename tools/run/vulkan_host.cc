// Opens the Vulkan device, tests it, and keeps its pipeline cache between runs.
#include "tools/run/vulkan_host.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>

#include "tools/io/tensor.h"
#include "tools/run/status_text.h"
#include "vk/backend.h"
#include "vk/choose.h"
#include "vk/device.h"
#include "vk/problem.h"
#include "vk/self_test.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string problem_text(Status status) {
  const vk::Problem problem = vk::problem_of(status);
  return problem == vk::Problem::kNone ? status_text(status) : vk::describe(problem);
}

void print_message(void*, const char* text) { std::fprintf(stderr, "vulkan: %s\n", text); }

// The user's cache folder; empty when there is none to speak of.
fs::path default_cache(const std::string& device) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (cache != nullptr && *cache != '\0') {
    folder = cache;
  } else if (home != nullptr && *home != '\0') {
    folder = fs::path(home) / ".cache";
  } else {
    return {};
  }
  return folder / "arenite" / ("pipelines-" + file_stem(device.empty() ? "auto" : device));
}

const char* capability_name(uint32_t id) {
  switch (static_cast<Capability>(id)) {
    case Capability::kVulkanVersion:
      return "Vulkan version (major * 1000 + minor)";
    case Capability::kWorkgroupInvocations:
      return "maxComputeWorkGroupInvocations";
    case Capability::kWorkgroupSizeX:
      return "maxComputeWorkGroupSize[0]";
    case Capability::kSharedMemoryBytes:
      return "maxComputeSharedMemorySize";
    case Capability::kStorageBufferBytes:
      return "maxStorageBufferRange";
    case Capability::kStorageBuffersPerStage:
      return "maxPerStageDescriptorStorageBuffers";
    case Capability::kPushConstantBytes:
      return "maxPushConstantsSize";
    case Capability::kWorkgroupCount:
      return "maxComputeWorkGroupCount";
  }
  return "an unknown capability";
}

}  // namespace

struct VulkanHost::State {
  VulkanHostOptions options;
  vk::Messages messages;
  std::optional<std::string> problem;  // empty text: usable; no value: not tried yet
  std::string name;
  fs::path cache_path;
  std::vector<std::byte> cache;  // as read: cold milliseconds, then the driver's bytes
  double attach_ms = 0;
  bool used = false;
  vk::Device device;

  std::span<const std::byte> driver_cache() const {
    return std::span(cache).subspan(std::min(cache.size(), sizeof(double)));
  }
};

VulkanHost::VulkanHost(const VulkanHostOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
  state_->messages.print = print_message;
  state_->cache_path =
      options.pipeline_cache.empty() ? default_cache(options.device) : options.pipeline_cache;
}

VulkanHost::~VulkanHost() = default;

bool VulkanHost::usable(std::string& reason) {
  if (!state_->problem) {
    state_->problem.emplace();
    // Mesa's loader and drivers want a runtime folder and print to standard error without one.
    ::setenv("XDG_RUNTIME_DIR", fs::temp_directory_path().c_str(), 0);
    std::error_code error;
    if (fs::is_regular_file(state_->cache_path, error)) {
      state_->cache = read_file(state_->cache_path);
    }
    vk::DeviceOptions options;
    if (!state_->options.device.empty()) options.device = state_->options.device;
    options.messages = state_->options.validation ? &state_->messages : nullptr;
    options.pipeline_cache = state_->driver_cache();
    Status status = vk::open_device(options, state_->device);
    if (status.ok()) {
      state_->name = state_->device.info.name;
      status = vk::self_test(state_->device);
    }
    if (!status.ok()) {
      *state_->problem = problem_text(status);
      if (!state_->options.device.empty()) {
        *state_->problem += " (asked for '" + state_->options.device + "'; found: ";
        std::string problem, names;
        for (const VulkanDeviceLine& line : list_vulkan_devices(problem)) {
          names += (names.empty() ? "" : ", ") + line.name;
        }
        *state_->problem += (names.empty() ? "none" : names) + ")";
      }
    }
  }
  reason = *state_->problem;
  return reason.empty();
}

bool VulkanHost::meets(const Program& program, const format::VariantRecord& variant,
                       std::string& reason) {
  const Capabilities& have = state_->device.info.capabilities;
  for (const format::RequirementRecord& need : program.requirements_of(variant)) {
    const uint32_t number = need.id < kCapabilityCount ? have.numbers[need.id] : 0;
    if (number >= need.minimum) continue;
    reason = state_->name + ": " + capability_name(need.id) + " is " + std::to_string(number) +
             ", the program needs " + std::to_string(need.minimum);
    return false;
  }
  return true;
}

const std::string& VulkanHost::name() const { return state_->name; }
double VulkanHost::pipeline_ms() const { return state_->attach_ms; }
bool VulkanHost::cache_was_warm() const { return !state_->driver_cache().empty(); }

double VulkanHost::cold_pipeline_ms() const {
  double ms = -1;
  if (cache_was_warm()) std::memcpy(&ms, state_->cache.data(), sizeof ms);
  return ms >= 0 ? ms : -1;
}

uint32_t VulkanHost::validation_messages() const {
  return state_->messages.warnings + state_->messages.errors;
}

void VulkanHost::save_cache() {
  if (!state_->used || state_->cache_path.empty()) return;
  size_t bytes = 0;
  if (!vk::pipeline_cache_data(state_->device, {}, bytes).ok()) return;
  if (cache_was_warm() && bytes <= state_->driver_cache().size()) return;
  const double cold = cache_was_warm() ? cold_pipeline_ms() : state_->attach_ms;
  std::vector<std::byte> file(sizeof cold + bytes);
  std::memcpy(file.data(), &cold, sizeof cold);
  const auto data = std::span(file).subspan(sizeof cold);
  if (!vk::pipeline_cache_data(state_->device, data, bytes).ok()) return;
  file.resize(sizeof cold + bytes);
  std::error_code error;
  fs::create_directories(state_->cache_path.parent_path(), error);
  try {
    write_file(state_->cache_path, file);
  } catch (const OutputError& problem) {
    // The run itself is done and right: a cache that can't be kept only costs time.
    std::fprintf(stderr, "pipeline cache: %s\n", problem.what());
  }
}

struct VulkanTask::State {
  VulkanHost::State* host = nullptr;
  std::vector<uint64_t> memory;  // 8-aligned
  vk::VulkanBackend backend;
  Clock::time_point start;
};

VulkanTask::VulkanTask(VulkanHost& host, const Program& program,
                       const format::VariantRecord& variant)
    : state_(std::make_unique<State>()) {
  state_->host = &host.state();
  state_->memory.resize(vk::state_bytes(program, variant) / sizeof(uint64_t) + 1);
  state_->backend.device = &state_->host->device;
  state_->backend.state = std::as_writable_bytes(std::span(state_->memory));
  state_->backend.lose_at_submission = state_->host->options.lose_at_submission;
}

VulkanTask::~VulkanTask() = default;

Backend VulkanTask::backend() {
  state_->start = Clock::now();
  return vk::make_backend(state_->backend);
}

void VulkanTask::attached() {
  state_->host->attach_ms += ms_since(state_->start);
  state_->host->used = true;
}

uint32_t VulkanTask::dispatches() const { return state_->backend.counters.dispatches_recorded; }

std::vector<VulkanDeviceLine> list_vulkan_devices(std::string& problem) {
  ::setenv("XDG_RUNTIME_DIR", fs::temp_directory_path().c_str(), 0);
  std::vector<vk::DeviceInfo> infos(vk::kMaxDevices);
  uint32_t count = 0;
  const Status status = vk::list_devices({}, infos, count);
  if (!status.ok()) problem = problem_text(status);
  std::vector<VulkanDeviceLine> lines;
  for (uint32_t i = 0; i < count; ++i) {
    const vk::DeviceInfo& info = infos[i];
    VulkanDeviceLine line;
    line.name = info.name;
    line.driver =
        std::string(info.driver) + (info.driver_info[0] != '\0' ? " " : "") + info.driver_info;
    if (info.problem != vk::Problem::kNone) line.problem = vk::describe(info.problem);
    for (uint32_t id = 1; id < kCapabilityCount; ++id) {
      line.limits.emplace_back(capability_name(id), info.capabilities.numbers[id]);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
