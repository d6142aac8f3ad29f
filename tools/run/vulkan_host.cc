// Opens the Vulkan device, tests it, and keeps its pipeline cache between runs.
#include "tools/run/vulkan_host.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "support/errors.h"
#include "support/printable.h"
#include "tools/io/tensor.h"
#include "tools/run/gpu_nodes.h"
#include "tools/run/pool.h"
#include "tools/run/shader_reason.h"
#include "tools/run/status_text.h"
#include "tools/run/threads.h"
#include "tools/run/vulkan_state.h"
#include "vk/choose.h"
#include "vk/pipeline_cache.h"
#include "vk/problem.h"
#include "vk/self_test.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

std::string problem_text(Status status) {
  const vk::Problem problem = vk::problem_of(status);
  return problem == vk::Problem::kNone ? status_text(status) : vk::describe(problem);
}

// The parts of the test are a part of loading of their own.
Status timed_self_test(VulkanHost::State& state) {
  const vk::PhaseListener listener = std::exchange(state.device.phases, {});
  const Status status = vk::self_test(state.device);
  state.device.phases = listener;
  state.clock.end(state.self_test_ms);
  return status;
}

void print_message(void*, const char* text) { std::fprintf(stderr, "vulkan: %s\n", text); }

// Threads for this one loop: few are made in the life of a process.
void share_work(void*, uint32_t count, uint32_t threads, PieceFunction task, void* argument) {
  std::unique_ptr<Pool> pool;
  try {
    pool = std::make_unique<Pool>(std::min(count, threads));
  } catch (const std::system_error&) {
    task(argument, 0, count, 0);
    return;
  }
  pool->run(count, threads, task, argument);
}

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

// Why the device cannot be used. `name` is what was asked for, or empty.
std::string refusal(Status status, const std::string& name) {
  if (name.empty()) return problem_text(status);
  std::string none, names;
  for (const VulkanDeviceLine& line : list_vulkan_devices(none)) {
    names += (names.empty() ? "" : ", ") + line.name;
  }
  return problem_text(status) + " (asked for " + quote(name) +
         "; found: " + (names.empty() ? "none" : names) + ")";
}

}  // namespace

const char* capability_name(uint32_t id) {
  switch (static_cast<Capability>(id)) {
#define ARENITE_CAPABILITY(number, name, Name, optional, words) \
  case Capability::k##Name:                                     \
    return words;
#include "schema/capabilities.def"
  }
  return "an unknown capability";
}

VulkanHost::VulkanHost(const VulkanHostOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
  state_->messages.print = print_message;
  state_->cache_path =
      options.pipeline_cache.empty() ? default_cache(options.device) : options.pipeline_cache;
}

VulkanHost::~VulkanHost() = default;

bool VulkanHost::usable(std::string& reason) {
  const bool hardware = !state_->options.software && state_->options.device.empty();
  if (!state_->problem && hardware && !may_have_gpu()) {
    state_->problem =
        "there is no GPU: /dev holds no node of one, and Vulkan in software is slower than the CPU "
        "itself";
  }
  if (!state_->problem) {
    state_->problem.emplace();
    // Mesa's loader and drivers want a runtime folder and print to standard error without one.
    ::setenv("XDG_RUNTIME_DIR", fs::temp_directory_path().c_str(), 0);
    state_->cache = read_pipeline_cache(state_->cache_path);
    vk::DeviceOptions options;
    options.device = hardware ? "hardware" : "auto";
    if (!state_->options.device.empty()) options.device = state_->options.device;
    options.messages = state_->options.validation ? &state_->messages : nullptr;
    options.pipeline_cache = state_->cache.data;
    if (state_->options.limits) options.limits = &*state_->options.limits;
    options.workers = {nullptr, usable_cpus(), share_work};
    options.phases = state_->clock.listener();
    state_->clock.begin();
    Status status = vk::open_device(options, state_->device);
    if (status.ok()) {
      state_->name = state_->device.info.name;
      status = timed_self_test(*state_);
    }
    if (!status.ok()) *state_->problem = refusal(status, state_->options.device);
  }
  reason = *state_->problem;
  return reason.empty();
}

bool VulkanHost::meets(const Program& program, const format::VariantRecord& variant,
                       std::string& reason) {
  const Capabilities& have = state_->device.info.capabilities;
  for (const format::RequirementRecord& need : program.requirements_of(variant)) {
    if (need.id >= kFirstCpuFeatureId || have.meets(need.id, need.minimum)) continue;
    const uint32_t number = need.id < kCapabilityCount ? have.numbers[need.id] : 0;
    reason = state_->name + ": " + capability_name(need.id) + " is " + std::to_string(number) +
             ", the program needs " + std::to_string(need.minimum);
    return false;
  }
  return true;
}

std::string VulkanHost::why_not(const Program& program, const format::VariantRecord& variant,
                                uint32_t step) const {
  return shader_reason(program, variant, step, state_->device.info.capabilities);
}

const std::string& VulkanHost::name() const { return state_->name; }

LoadParts VulkanHost::load_parts() const {
  const auto ms = [this](vk::Phase phase) {
    return state_->clock.ms[static_cast<uint32_t>(phase)];
  };
  return {ms(vk::Phase::kInstance), ms(vk::Phase::kDevice),    state_->self_test_ms,
          ms(vk::Phase::kUpload),   ms(vk::Phase::kPipelines), ms(vk::Phase::kCommands)};
}

const char* VulkanHost::cache_use() const {
  switch (vk::pipeline_cache_use(state_->device)) {
    case vk::CacheUse::kCold:
      return "cold";
    case vk::CacheUse::kPartly:
      return "partly";
    case vk::CacheUse::kWarm:
      return "warm";
  }
  return "cold";
}

double VulkanHost::cold_pipeline_ms() const {
  const bool cold = vk::pipeline_cache_use(state_->device) == vk::CacheUse::kCold;
  return cold || state_->cache.program != state_->program ? -1 : state_->cache.cold_ms;
}

uint32_t VulkanHost::validation_messages() const {
  return state_->messages.warnings + state_->messages.errors;
}

void VulkanHost::save_cache() {
  if (!state_->used || state_->cache_path.empty()) return;
  PipelineCacheFile now = state_->cache;
  size_t bytes = 0;
  if (!vk::pipeline_cache_data(state_->device, {}, bytes).ok()) return;
  now.data.resize(bytes);
  if (!vk::pipeline_cache_data(state_->device, now.data, bytes).ok()) return;
  now.data.resize(bytes);
  if (now.data == state_->cache.data) return;
  if (vk::pipeline_cache_use(state_->device) == vk::CacheUse::kCold) {
    now.cold_ms = load_parts().pipelines;
    now.program = state_->program;
  }
  try {
    write_pipeline_cache(state_->cache_path, now);
  } catch (const OutputError& problem) {
    // The run itself is done and right: a cache that can't be kept only costs time.
    std::fprintf(stderr, "pipeline cache: %s\n", problem.what());
  }
}

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
    line.software = vk::is_software(info);
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
