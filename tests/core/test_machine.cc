// Arenas come from posix_memalign with exactly their size; the device has blocks of its own.
#include "tests/core/test_machine.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "tests/core/test_forms.h"

namespace arenite::tests {
namespace {

constexpr uint32_t kLargestBlock = 1u << 20;
constexpr uint32_t kLargestAlignment = 4096;

bool allocatable(const format::ArenaRecord& arena) {
  return arena.bytes <= kLargestBlock && arena.alignment <= kLargestAlignment;
}

}  // namespace

Block::Block(size_t bytes, size_t alignment) : bytes_(bytes) {
  void* data = nullptr;
  const size_t least = alignment < sizeof(void*) ? sizeof(void*) : alignment;
  if (posix_memalign(&data, least, bytes) != 0) {
    throw std::bad_alloc();
  }
  data_ = static_cast<std::byte*>(data);
  if (bytes != 0) {
    std::memset(data_, 0xcd, bytes);
  }
}

Block::~Block() { std::free(data_); }

Backend FakeDevice::backend() {
  Backend backend;
  backend.context = this;
  backend.attach = [](void* self, const BackendTask& task, std::span<std::byte*> arenas) {
    return static_cast<FakeDevice*>(self)->attach(task, arenas);
  };
  backend.run = [](void* self, std::span<const StepRange> stretches) {
    return static_cast<FakeDevice*>(self)->run(stretches);
  };
  backend.resize = [](void* self) {
    auto& device = *static_cast<FakeDevice*>(self);
    device.events.emplace_back("resize");
    return device.resize_status;
  };
  backend.detach = [](void* self) {
    static_cast<FakeDevice*>(self)->events.emplace_back("detach");
  };
  return backend;
}

Status FakeDevice::attach(const BackendTask& task, std::span<std::byte*> arenas) {
  events.emplace_back("attach");
  task_ = task;
  blocks_.clear();
  arenas_.assign(arenas.begin(), arenas.end());
  const auto records = task.program->arenas_of(*task.variant);
  for (uint32_t i = 0; i < records.size(); ++i) {
    if (!format::is_device_arena(static_cast<format::ArenaKind>(records[i].kind))) {
      continue;
    }
    if (!allocatable(records[i])) {
      return error(Code::kDeviceMemory, i);
    }
    blocks_.emplace_back(records[i].bytes, records[i].alignment);
    arenas_[i] = blocks_.back().bytes().data();
    const bool mapped =
        static_cast<format::ArenaKind>(records[i].kind) != format::ArenaKind::kDevice;
    arenas[i] = mapped && give_mapped_arenas ? arenas_[i] : nullptr;
  }
  return ok_status();
}

Status FakeDevice::run(std::span<const StepRange> stretches) {
  std::string event = "run";
  for (const auto& [first, last] : stretches) {
    event += " " + std::to_string(first) + " " + std::to_string(last);
  }
  events.push_back(event);
  if (!run_status.ok()) {
    return run_status;
  }
  Bindings bindings = *task_.bindings;
  bindings.arenas = arenas_.data();
  const auto steps = task_.program->steps_of(*task_.variant);
  for (const auto& [first, last] : stretches) {
    for (uint32_t i = first; i < last; ++i) {
      const Step step(bindings, steps[i], i);
      if (step.where() != format::Where::kView) {
        ARENITE_TRY(test_form(step.op()).run(step, Platform()));
      }
    }
  }
  return ok_status();
}

Block aligned_copy(std::span<const std::byte> file) {
  Block block(file.size(), 64);
  if (!file.empty()) {
    std::memcpy(block.bytes().data(), file.data(), file.size());
  }
  return block;
}

Machine::Machine(std::span<const std::byte> bytes, FilePart part)
    : file(aligned_copy(bytes)),
      opened(Program::open(file.bytes(), program, part)),
      backend_(device.backend()) {
  options.ops = test_forms();
  options.backend = &backend_;
}

Status Machine::load(uint32_t method, uint32_t variant) {
  options.method = method;
  options.variant = variant;
  options.platform = &platform;
  instance.unload();
  blocks_.clear();
  arenas_.clear();
  if (method < program.methods().size() && variant < program.methods()[method].variant_count) {
    const uint32_t index = program.methods()[method].variant_first + variant;
    const auto& record = program.variants()[index];
    if (options.symbols != nullptr) {
      frame_ = std::vector<uint32_t>(frame_words(program, index));
      options.frame = frame_;
    }
    for (const format::ArenaRecord& arena : program.arenas_of(record)) {
      const auto kind = static_cast<format::ArenaKind>(arena.kind);
      const bool host = kind == format::ArenaKind::kHost || kind == format::ArenaKind::kState;
      if (host && allocatable(arena)) {
        blocks_.emplace_back(arena.bytes, arena.alignment);
        arenas_.push_back(blocks_.back().bytes());
      } else {
        arenas_.emplace_back();
      }
    }
  }
  options.arenas = arenas_;
  return instance.load(program, options);
}

std::vector<float> floats(std::span<const std::byte> bytes) {
  std::vector<float> numbers(bytes.size() / 4);
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * 4);
  }
  return numbers;
}

void fill(std::span<std::byte> bytes, const std::vector<float>& numbers) {
  if (!numbers.empty() && numbers.size() * 4 <= bytes.size()) {
    std::memcpy(bytes.data(), numbers.data(), numbers.size() * 4);
  }
}

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
