// Tells how many bytes of code and stack firmware with certain forms has, by a table that the image
// build writes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace arenite::planner {

// One toolchain's sizes, measured by linking (tools/target/code_sizes.py). They hold for its flags:
// code built with others differs.
struct CodeSizes {
  // Sections that are linked as soon as one of these forms is.
  struct Group {
    std::vector<std::string> forms;  // their keys: "Conv.float32"
    uint64_t bytes = 0;
  };

  std::string toolchain;
  uint64_t always_bytes = 0;  // runtime, start-up and console of an image without forms
  std::vector<Group> groups;

  // The stack below the calls of a model (include/arenite/model.h), by the compiler's call graph.
  struct Stack {
    uint64_t always_bytes = 0;  // of an image without forms
    std::map<std::string, uint64_t> forms;
  };
  std::optional<Stack> stack;  // a table from before there were any has none
  uint64_t bss_bytes = 0;      // what the runtime writes outside of arenas, instances and the stack
};

// Reads a table's text. Throws InputError, beginning with `file_name`.
CodeSizes read_code_sizes(std::string_view json_text, const std::string& file_name);

// The table of a toolchain: from the image builds (docs/board.md), then from beside the folders of
// boards. Nothing where no build has written one.
std::optional<CodeSizes> find_code_sizes(const std::string& toolchain);

// Bytes of code and constants of firmware with these forms; nothing when the table lacks one.
std::optional<uint64_t> code_bytes(const CodeSizes& sizes, std::span<const std::string> forms);

// The deepest stack that loading and running with these forms may need below the caller; nothing
// when the table lacks one.
std::optional<uint64_t> stack_bytes(const CodeSizes& sizes, std::span<const std::string> forms);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
