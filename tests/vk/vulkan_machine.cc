// Opens the device of ARENITE_TEST_DEVICE, or lavapipe, and prints validation messages.
#include "tests/vk/vulkan_machine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "portable_fallback/forms.h"

namespace arenite::tests {

std::string test_device_name() {
  const char* name = std::getenv("ARENITE_TEST_DEVICE");
  return name != nullptr ? name : "llvmpipe";
}

Watch::Watch() {
  messages.context = this;
  messages.print = [](void* context, const char* text) {
    const auto says = [text](const char* part) { return std::strstr(text, part) != nullptr; };
    // Khronos' mock driver says that no allocation may be larger than 0 bytes; Debian's loader asks
    // NVIDIA's driver for an instance's function in a device while one is made.
    if (says("maxMemoryAllocationSize (0)") ||
        says("vkGetDeviceProcAddr(): pName is trying to grab")) {
      ++static_cast<Watch*>(context)->not_ours;
    } else {
      std::fprintf(stderr, "%s\n", text);
    }
  };
}

WatchedDevice::WatchedDevice() {
  const std::string name = test_device_name();
  vk::DeviceOptions options;
  options.device = name;
  options.messages = &watch.messages;
  opened = vk::open_device(options, device);
}

std::span<std::byte> Loaded::bytes_of(std::vector<Line>& lines, size_t bytes) {
  lines.resize((bytes + sizeof(Line) - 1) / sizeof(Line));
  return {lines.empty() ? nullptr : static_cast<std::byte*>(lines[0].bytes), bytes};
}

Loaded::Loaded(const planner::ProgramTables& tables, vk::Device* device) {
  const std::vector<std::byte> written = planner::write_program(tables);
  const auto file = bytes_of(file_, written.size());
  std::memcpy(file.data(), written.data(), written.size());
  status = Program::open(file, program);
  vulkan.device = device;
}

std::span<std::byte> Loaded::state_memory(size_t bytes) { return bytes_of(state_, bytes); }

Status Loaded::load(uint32_t variant, uint32_t method) {
  if (!status.ok()) {
    return status;
  }
  const format::VariantRecord& record =
      program.variants()[program.methods()[method].variant_first + variant];
  arenas_.clear();
  for (const format::ArenaRecord& arena : program.arenas_of(record)) {
    const bool host = arena.kind == static_cast<uint32_t>(format::ArenaKind::kHost);
    arenas_.push_back(bytes_of(arena_memory_.emplace_back(), host ? arena.bytes : 0));
  }
  LoadOptions options;
  options.method = method;
  options.variant = variant;
  options.arenas = arenas_;
  options.ops = all_ops();
  if (vulkan.device != nullptr) {
    instance.unload();
    const size_t needed = vk::state_bytes(program, record);
    vulkan.state = state_memory(needed < state_bytes_given ? needed : state_bytes_given);
    table_ = vk::make_backend(vulkan);
    if (!takes_sizes) {
      table_.resize = nullptr;
    }
    options.backend = &table_;
  }
  options.symbols = &kSymbols;
  frame_.assign(frame_words(program, program.methods()[method].variant_first + variant), 0);
  options.frame = frame_;
  status = instance.load(program, options);
  return status;
}

void Loaded::fill_input(uint32_t i, const std::vector<float>& numbers) {
  const auto bytes = instance.input(i);
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
}

std::vector<float> Loaded::output(uint32_t i) const {
  const auto bytes = instance.output(i);
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

std::vector<float> Loaded::run(const std::vector<std::vector<float>>& inputs) {
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    fill_input(i, inputs[i]);
  }
  status = instance.run();
  return status.ok() ? output(0) : std::vector<float>();
}

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
