// A program file in memory at the alignment the loader asks for.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "core/program.h"

namespace arenite::planner {

// An own copy of a file at a 64-byte boundary, opened.
class AlignedProgram {
 public:
  // `constants`: the file of its constants where the program has them in another, or nothing.
  // Throws InputError when the file is no program, or `constants` another one's, says why.
  explicit AlignedProgram(std::span<const std::byte> file,
                          std::span<const std::byte> constants = {});
  AlignedProgram(const AlignedProgram&) = delete;
  AlignedProgram& operator=(const AlignedProgram&) = delete;

  const Program& operator*() const { return program_; }
  const Program* operator->() const { return &program_; }
  std::span<const std::byte> file() const { return {bytes_.get(), size_}; }

 private:
  struct Delete {
    void operator()(std::byte* bytes) const;
  };
  using Bytes = std::unique_ptr<std::byte[], Delete>;
  static Bytes copy(std::span<const std::byte> file);

  Bytes bytes_, constants_;
  size_t size_;
  Program program_;
};

// The number of sections up to the last one that holds constants, at least one: a runtime keeps an
// address of each.
uint32_t constant_sections(const Program& program);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
