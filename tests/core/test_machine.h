// A machine for tests: arenas of exactly the asked size, and a device that is a piece of the heap.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/instance.h"

namespace arenite::tests {

// Memory of exactly `bytes` at `alignment`: a sanitizer sees the first byte before and after.
class Block {
 public:
  Block(size_t bytes, size_t alignment);
  ~Block();
  Block(Block&& other) noexcept : data_(other.data_), bytes_(other.bytes_) {
    other.data_ = nullptr;
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  Block& operator=(Block&&) = delete;
  std::span<std::byte> bytes() const { return {data_, bytes_}; }

 private:
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

// Runs device steps with the test forms, in arenas of its own, and notes what is asked of it.
class FakeDevice {
 public:
  Backend backend();

  std::vector<std::string> events;  // "attach", "run 1 4", "resize", "detach"
  bool give_mapped_arenas = true;
  Status run_status, resize_status;

 private:
  Status attach(const BackendTask& task, std::span<std::byte*> arenas);
  Status run(std::span<const StepRange> stretches);

  BackendTask task_;
  std::vector<Block> blocks_;
  std::vector<std::byte*> arenas_;
};

// Copies of a file at 64-byte alignment and of exactly its size.
Block aligned_copy(std::span<const std::byte> file);

// An opened program with memory for one of its variants.
class Machine {
 public:
  explicit Machine(std::span<const std::byte> file, FilePart part = FilePart::kWhole);

  // Allocates the host arenas (when they are not above 1 MiB each; else leaves them out) and a
  // frame, where options.symbols asks for one, and loads.
  Status load(uint32_t method = 0, uint32_t variant = 0);

  Block file;
  Program program;
  Status opened;
  FakeDevice device;
  LoadOptions options;  // what load starts from: forms and backend are set
  Platform platform;
  ScopedInstance instance;

 private:
  Backend backend_;
  std::vector<Block> blocks_;
  std::vector<std::span<std::byte>> arenas_;
  std::vector<uint32_t> frame_;
};

std::vector<float> floats(std::span<const std::byte> bytes);
void fill(std::span<std::byte> bytes, const std::vector<float>& numbers);

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
