// Loads the program with guarded bytes around each arena, and looks at them after the run.
#include "tests/planner/plan/run_program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/state.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"

namespace arenite::test {
namespace {

constexpr std::byte kGuard{0x5c};

}  // namespace

GuardedBytes::GuardedBytes(size_t bytes, size_t alignment)
    : storage_(new std::byte[bytes + 3 * alignment]),
      storage_bytes_(bytes + 3 * alignment),
      begin_(storage_.get() + alignment),
      size_(bytes) {
  std::fill_n(storage_.get(), storage_bytes_, kGuard);
  begin_ += (alignment - reinterpret_cast<uintptr_t>(begin_) % alignment) % alignment;
}

bool GuardedBytes::intact() const {
  const auto is_guard = [](std::byte b) { return b == kGuard; };
  return std::all_of(storage_.get(), begin_, is_guard) &&
         std::all_of(begin_ + size_, storage_.get() + storage_bytes_, is_guard);
}

OpenProgram::OpenProgram(std::span<const std::byte> file) : file_(file.size()) {
  std::copy(file.begin(), file.end(), file_.bytes().begin());
  const Status status = Program::open(file_.bytes(), program_);
  EXPECT_TRUE(status.ok()) << static_cast<uint32_t>(status.code) << " " << status.value;
}

namespace {

void set_inputs(std::span<const std::vector<std::byte>> inputs, const Instance& instance) {
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const std::span<std::byte> to = instance.input(i);
    EXPECT_EQ(inputs[i].size(), to.size()) << "input " << i;
    std::copy_n(inputs[i].data(), std::min(inputs[i].size(), to.size()), to.data());
  }
}

}  // namespace

std::vector<std::vector<std::byte>> run(const Program& program, const RunRequest& request,
                                        std::span<const std::vector<std::byte>> inputs) {
  const format::MethodRecord& method = program.methods()[request.method];
  const format::VariantRecord& variant = program.variants()[method.variant_first + request.variant];
  std::vector<GuardedBytes> memory;
  std::vector<std::span<std::byte>> arenas;
  for (const format::ArenaRecord& arena : program.arenas_of(variant)) {
    arenas.emplace_back();
    if (format::is_device_arena(static_cast<format::ArenaKind>(arena.kind))) continue;
    memory.emplace_back(arena.bytes, std::max<size_t>(arena.alignment, 8));
    arenas.back() = memory.back().bytes();
  }
  LoadOptions options;
  options.method = request.method;
  options.variant = request.variant;
  options.arenas = arenas;
  options.ops = request.ops.empty() ? all_ops() : request.ops;
  options.features = request.features;
  // As hosts run the forms of microcontrollers.
  if ((variant.flags & format::kExactForms) != 0) options.features |= kEmulatedCpuFeatures;
  options.backend = request.backend;
  options.states = &kGrowingStates;
  std::vector<uint32_t> proof(variant.value_count);
  options.proof = proof;
  options.predicates = &kPredicates;
  options.symbols = &kSymbols;
  memory.emplace_back(4 * frame_words(program, method.variant_first + request.variant), 4);
  const std::span<std::byte> frame = memory.back().bytes();
  options.frame = {static_cast<uint32_t*>(static_cast<void*>(frame.data())), frame.size() / 4};
  ScopedInstance instance;
  const Status loaded = instance.load(program, options);
  if (request.load_code != Code::kOk) {
    EXPECT_EQ(loaded.code, request.load_code);
    return {};
  }
  if (const Status status = loaded; !status.ok()) {
    ADD_FAILURE() << "load: code " << static_cast<uint32_t>(status.code) << ", step " << status.step
                  << ", value " << status.value;
    return {};
  }
  if (!request.symbols.empty()) {
    const Status set = instance.set_symbols(request.symbols);
    EXPECT_TRUE(set.ok()) << "set_symbols: code " << static_cast<uint32_t>(set.code) << ", step "
                          << set.step << ", value " << set.value;
  }
  for (const std::span<std::byte> arena : arenas) {
    std::fill(arena.begin(), arena.end(), request.poison);
  }
  EXPECT_EQ(inputs.size(), method.input_count);
  if (!request.before.empty()) {
    set_inputs(request.before, instance);
    const Status before = instance.run();
    EXPECT_TRUE(before.ok()) << "a run before: code " << static_cast<uint32_t>(before.code);
  }
  set_inputs(inputs, instance);
  const Status status = instance.run();
  if (request.run_code != Code::kOk) {
    EXPECT_EQ(status.code, request.run_code);
    return {};
  }
  if (!status.ok()) {
    ADD_FAILURE() << "run: code " << static_cast<uint32_t>(status.code) << ", step " << status.step;
    return {};
  }
  std::vector<std::vector<std::byte>> outputs;
  for (uint32_t i = 0; i < method.output_count; ++i) {
    const std::span<const std::byte> from = instance.output(i);
    outputs.emplace_back(from.begin(), from.end());
  }
  for (const GuardedBytes& bytes : memory) EXPECT_TRUE(bytes.intact());
  return outputs;
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
