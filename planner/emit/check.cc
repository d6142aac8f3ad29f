// Loads every variant of a program as a device would, before the program is handed out.
#include "planner/emit/check.h"

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/instance.h"
#include "planner/names.h"
#include "portable_fallback/kernels.h"

namespace arenite::planner {
namespace {

struct AlignedMemory {
  AlignedMemory(size_t size, size_t align)
      : bytes(size),
        alignment(align),
        data(static_cast<std::byte*>(::operator new (size, std::align_val_t{align}))) {}
  AlignedMemory(const AlignedMemory&) = delete;
  AlignedMemory& operator=(const AlignedMemory&) = delete;
  ~AlignedMemory() { ::operator delete (data, std::align_val_t{alignment}); }
  size_t bytes, alignment;
  std::byte* data;
};

using Memories = std::vector<std::unique_ptr<AlignedMemory>>;

std::byte* allocate(Memories& memories, uint32_t bytes, uint32_t alignment) {
  memories.push_back(std::make_unique<AlignedMemory>(bytes, std::max<size_t>(alignment, 64)));
  return memories.back()->data;
}

// Gives the device's arenas that the CPU reaches; runs nothing.
Backend memory_backend(Memories& memories) {
  Backend backend;
  backend.context = &memories;
  backend.attach = [](void* context, const BackendTask& task,
                      std::span<std::byte*> arenas) -> Status {
    const auto records = task.program->arenas_of(*task.variant);
    for (size_t i = 0; i < arenas.size(); ++i) {
      const auto kind = static_cast<format::ArenaKind>(records[i].kind);
      if (kind == format::ArenaKind::kHost) continue;
      arenas[i] =
          kind == format::ArenaKind::kDevice
              ? nullptr
              : allocate(*static_cast<Memories*>(context), records[i].bytes, records[i].alignment);
    }
    return ok_status();
  };
  backend.run = [](void*, uint32_t, uint32_t) { return error(Code::kUnsupported); };
  backend.detach = [](void*) {};
  return backend;
}

void expect_ok(Status status, const std::string& what) {
  if (status.ok()) return;
  std::string text = "the planned program is refused: " + what + ": code " +
                     std::to_string(static_cast<uint32_t>(status.code));
  if (status.step != kNoIndex) text += ", step " + std::to_string(status.step);
  if (status.value != kNoIndex) text += ", value " + std::to_string(status.value);
  throw std::logic_error(text);
}

void load(const Program& program, uint32_t method, uint32_t variant) {
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& v = program.variants()[record.variant_first + variant];
  Memories memories;
  std::vector<std::span<std::byte>> arenas;
  for (const format::ArenaRecord& arena : program.arenas_of(v)) {
    arenas.emplace_back();
    if (arena.kind != static_cast<uint32_t>(format::ArenaKind::kHost)) continue;
    arenas.back() = {allocate(memories, arena.bytes, arena.alignment), arena.bytes};
  }
  std::vector<uint32_t> proof(v.value_count);
  const Backend backend = memory_backend(memories);
  LoadOptions options;
  options.method = method;
  options.variant = variant;
  options.arenas = arenas;
  options.kernels = all_kernels();
  options.backend = &backend;
  options.proof = proof;
  Instance instance;
  const Status status = instance.load(program, options);
  std::string where = "method " + std::to_string(method) + ", variant " + std::to_string(variant);
  if (status.step < v.step_count) {
    const auto op = static_cast<Op>(program.steps_of(v)[status.step].op);
    where += ", " + op_name(op) + " (" + operand_fault(status.code) + ")";
  }
  expect_ok(status, where);
}

}  // namespace

void check_program(std::span<const std::byte> file) {
  Program program;
  expect_ok(Program::open(file, program), "opening");
  ConstantsCursor cursor;
  expect_ok(program.verify_constants(UINT32_MAX, cursor), "constants");
  for (uint32_t m = 0; m < program.methods().size(); ++m) {
    for (uint32_t v = 0; v < program.methods()[m].variant_count; ++v) load(program, m, v);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
