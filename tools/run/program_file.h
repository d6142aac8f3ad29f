// A program file in memory, opened and its checksums verified, with the names it carries.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/program.h"
#include "support/aligned_memory.h"

namespace arenite::tools {

// Throws InputError where the bytes do not begin as a program does: it says what they are instead,
// and for a model the command that plans it.
void expect_program(std::span<const std::byte> bytes, const std::string& name,
                    const std::string& board = "");

// The path of the file of constants that a program names: beside it, in `folder`. Nothing for a
// name that is no digest (docs/format.md), so that a program cannot have any other file read.
std::optional<std::filesystem::path> beside(const std::string& file,
                                            const std::filesystem::path& folder);

class ProgramFile {
 public:
  // Throws InputError that begins with `name` when the bytes are no program of this version, or a
  // checksum is wrong. Constants that the program has in a file of their own are read from
  // `folder`.
  ProgramFile(std::span<const std::byte> bytes, const std::string& name,
              const std::filesystem::path& folder = {});
  // `board` is the one that a model in the program's place should be planned for, if any.
  explicit ProgramFile(const std::filesystem::path& path, const std::string& board = "");
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;

  const Program& program() const { return program_; }
  // The file of its constants; empty where it has none.
  std::span<const std::byte> constants() const { return constants_; }
  const std::string& name() const { return name_; }

  // Names as in the model; "input 0" and the like where the program carries none.
  std::string input_name(uint32_t method, uint32_t input) const;
  std::string output_name(uint32_t method, uint32_t output) const;
  std::string value_name(uint32_t method, uint32_t variant, uint32_t value) const;
  // "step 12 (Conv_3)"; the step's number alone where the program has no source map.
  std::string step_name(uint32_t method, uint32_t variant, uint32_t step) const;
  // The names of the model's nodes that a step comes from; none where the program has no source
  // map, and for steps that the planner put in.
  std::vector<std::string> step_nodes(uint32_t method, uint32_t variant, uint32_t step) const;
  std::string method_name(uint32_t method) const;
  // Board of a variant (index into program().variants()).
  std::string board_name(uint32_t variant) const;

  // The method of this name, the first one for an empty name. Throws InputError that lists the
  // names.
  uint32_t find_method(const std::string& name) const;
  // The names of all inputs or outputs of a method.
  std::vector<std::string> input_names(uint32_t method) const;
  std::vector<std::string> output_names(uint32_t method) const;
  // The state that an input of the method is; null where it is none.
  const format::StateRecord* state_of(uint32_t method, uint32_t input) const;
  // The method's index of an input name, which may be given with characters outside [A-Za-z0-9._-]
  // as '_'; or of the tensor's own name, where callers have another. Throws InputError.
  uint32_t find_input(uint32_t method, const std::string& name) const;
  // The same of an output, for an option.
  uint32_t find_output(const std::string& option, uint32_t method, const std::string& name) const;

 private:
  void attach_constants(const std::filesystem::path& folder);
  // The place in `values` of the tensor that the model itself calls so, where no name in `names`
  // is.
  std::optional<uint32_t> find_tensor(uint32_t method, const std::vector<std::string>& names,
                                      std::span<const uint32_t> values,
                                      const std::string& name) const;
  uint32_t find(const std::string& option, const char* what, uint32_t method,
                const std::vector<std::string>& names, const std::string& name) const;

  std::string name_;
  AlignedMemory memory_;                                        // 64-aligned copy of the file
  AlignedMemory constants_memory_{nullptr, [](std::byte*) {}};  // and of that of its constants
  std::span<const std::byte> constants_;
  Program program_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
