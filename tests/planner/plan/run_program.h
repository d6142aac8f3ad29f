// Runs a planned program in a test as a host would: aligned file, arenas on the heap, all kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/instance.h"

namespace arenite::test {

// Bytes at a 64-byte boundary, with guard bytes that must stay as they are on both sides.
class GuardedBytes {
 public:
  explicit GuardedBytes(size_t bytes, size_t alignment = 64);
  GuardedBytes(GuardedBytes&&) = default;
  std::span<std::byte> bytes() const { return {begin_, size_}; }
  bool intact() const;

 private:
  std::unique_ptr<std::byte[]> storage_;
  size_t storage_bytes_;
  std::byte* begin_;
  size_t size_;
};

// An opened program over its own aligned copy of the file.
class OpenProgram {
 public:
  explicit OpenProgram(std::span<const std::byte> file);
  OpenProgram(const OpenProgram&) = delete;
  OpenProgram& operator=(const OpenProgram&) = delete;
  const Program& operator*() const { return program_; }
  const Program* operator->() const { return &program_; }

 private:
  GuardedBytes file_;
  Program program_;
};

struct RunRequest {
  uint32_t method = 0, variant = 0;
  const Backend* backend = nullptr;
  std::byte poison{0xa5};              // what arenas hold before
  OpTable ops = {};                    // of the machine; empty: all
  CpuFeatures features = 0;            // of the machine, as forms name them
  Code load_code = Code::kOk;          // what loading it gives; another than kOk: nothing runs
  Code run_code = Code::kOk;           // what the run gives; another than kOk: there are no outputs
  std::vector<uint32_t> symbols = {};  // their numbers; empty: the most of each
  // Inputs of a run before, which leaves its bytes in the arenas; empty: none.
  std::span<const std::vector<std::byte>> before = {};
};

// The outputs for the inputs; records test failures where the program does not load or run, or
// writes outside its arenas.
std::vector<std::vector<std::byte>> run(const Program& program, const RunRequest& request,
                                        std::span<const std::vector<std::byte>> inputs);

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
