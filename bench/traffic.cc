// Runs a program's CPU variant on this machine with kernels that are watched, and prints the bytes
// they read and write in each arena: what a board moves through its memories.
//
// usage: bench_traffic PROGRAM.arn BOARD [INPUT.bin...]   inputs left out are zeros
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/instance.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "tests/ops/traced_access.h"

namespace arenite {
namespace {

struct Memory {
  std::string name;
  std::vector<std::byte> storage;
  std::span<std::byte> bytes;
  uint64_t read_bytes = 0, written_bytes = 0;
};

class Counter final : public AccessListener {
 public:
  explicit Counter(std::vector<Memory>& memories) : memories_(memories) {}
  void read(const std::byte* at, size_t bytes) override {
    if (Memory* memory = find(at)) memory->read_bytes += bytes;
  }
  void write(const std::byte* at, size_t bytes) override {
    if (Memory* memory = find(at)) memory->written_bytes += bytes;
  }

 private:
  Memory* find(const std::byte* at) {
    for (Memory& memory : memories_) {
      if (at >= memory.bytes.data() && at < memory.bytes.data() + memory.bytes.size()) {
        return &memory;
      }
    }
    return nullptr;
  }

  std::vector<Memory>& memories_;
};

std::vector<std::byte> read_file(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error(std::string(path) + ": cannot be read");
  std::vector<std::byte> bytes(static_cast<size_t>(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

void expect(Status status, const char* what) {
  if (status.ok()) return;
  throw std::runtime_error(fmt::format("{}: status {}, step {}, value {}", what,
                                       static_cast<uint32_t>(status.code), status.step,
                                       status.value));
}

// The last variant for the board: the one that needs its CPU only.
uint32_t variant_for(const Program& program, const std::string& board) {
  const format::MethodRecord& method = program.methods()[0];
  for (uint32_t v = method.variant_count; v-- > 0;) {
    const format::VariantRecord& variant = program.variants()[method.variant_first + v];
    if (program.string(variant.board_offset, variant.board_bytes) == board) return v;
  }
  throw std::runtime_error("the program has no variant for board " + board);
}

void count(int argc, char** argv) {
  const std::vector<std::byte> file = read_file(argv[1]);
  Program program;
  expect(Program::open(file, program), argv[1]);
  LoadOptions options;
  options.variant = variant_for(program, argv[2]);
  options.ops = all_ops();
  options.features = kEmulatedCpuFeatures;
  const format::VariantRecord& variant =
      program.variants()[program.methods()[0].variant_first + options.variant];
  std::vector<Memory> memories;
  for (const format::ArenaRecord& arena : program.arenas_of(variant)) {
    Memory memory;
    memory.name = program.string(arena.name_offset, arena.name_bytes);
    memory.storage.resize(size_t{arena.bytes} + arena.alignment);
    const auto start = reinterpret_cast<uintptr_t>(memory.storage.data());
    memory.bytes =
        std::span(memory.storage)
            .subspan((arena.alignment - start % arena.alignment) % arena.alignment, arena.bytes);
    memories.push_back(std::move(memory));
  }
  std::vector<std::span<std::byte>> arenas;
  for (Memory& memory : memories) arenas.push_back(memory.bytes);
  std::vector<uint32_t> proof(variant.value_count);
  options.arenas = arenas;
  options.proof = proof;
  AnyInstance instance;
  expect(instance.load(program, options), "loading");
  for (int i = 3; i < argc; ++i) {
    const std::vector<std::byte> bytes = read_file(argv[i]);
    const std::span<std::byte> input = instance.input(static_cast<uint32_t>(i - 3));
    if (bytes.size() != input.size()) {
      throw std::runtime_error(
          fmt::format("{}: {} bytes, expected {}", argv[i], bytes.size(), input.size()));
    }
    std::copy(bytes.begin(), bytes.end(), input.begin());
  }
  Counter counter(memories);
  access_listener = &counter;
  expect(instance.run(), "running");
  access_listener = nullptr;
  for (size_t i = 0; i < memories.size(); ++i) {
    fmt::print(
        "{}{{\"name\": \"{}\", \"peak_bytes\": {}, \"read_bytes\": {}, \"written_bytes\": {}}}",
        i == 0 ? "[" : ", ", memories[i].name, memories[i].bytes.size(), memories[i].read_bytes,
        memories[i].written_bytes);
  }
  fmt::print("]\n");
}

}  // namespace
}  // namespace arenite

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_traffic PROGRAM.arn BOARD [INPUT.bin...]\n");
    return 2;
  }
  try {
    arenite::count(argc, argv);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_traffic: {}\n", error.what());
    return 1;
  }
}
// SPDX-License-Identifier: Apache-2.0
