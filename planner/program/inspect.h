// Everything a program file says, as plain structs, text and JSON: what `arenite inspect` shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/step_counts.h"
#include "planner/program/counted_dims.h"
#include "planner/program/integer_steps.h"

namespace arenite::planner {

struct SectionInfo {
  std::string kind;  // "constants", "names"...
  uint32_t offset = 0, bytes = 0, checksum = 0, found_checksum = 0;
  bool intact = false;  // its bytes have that checksum
};

struct ValueInfo {
  std::string name;  // empty: none known
  std::string dtype, layout, kind;
  std::vector<uint32_t> dims, strides;
  std::string place;  // the arena's name; "constant 3"
  uint32_t offset = 0, bytes = 0;
  uint32_t first_step = 0, last_step = 0;  // of what lies in an arena
  int64_t root = -1;                       // of a view
  bool yields = false;                     // an output of its last step shares its bytes
};

struct StepInfo {
  std::string op, where;
  uint32_t form = 0, choice = 0;
  std::string shader;  // of a Vulkan step; empty where the form is not known
  bool barrier_before = false;
  bool begins_stretch = false;
  bool serial = false;  // an output shares bytes with an input
  // It is left out of a run where the bool of one of these values is another.
  struct Condition {
    uint32_t value = 0;
    bool holds = true;
  };
  std::vector<Condition> conditions;
  uint32_t dispatches = 0;
  std::vector<int64_t> inputs, outputs;  // values; -1 where left out
  int64_t scratch = -1;
  std::vector<uint32_t> attributes;  // words
  std::vector<std::string> nodes;    // of the model
};

struct ArenaInfo {
  std::string name, kind;
  uint32_t bytes = 0, alignment = 0;
};

struct RequirementInfo {
  std::string capability;
  uint32_t minimum = 0;
};

struct DescriptorSetInfo {
  std::vector<std::string> layout;  // the kind of each binding
  uint32_t count = 0;
};

// A number that a caller sets before runs of a method.
struct SymbolInfo {
  std::string name;
  uint32_t least = 0, most = 0;
};

// What of a variant follows from symbols.
struct SymbolicInfo {
  uint32_t expressions = 0, patches = 0;
  uint64_t frame_bytes = 0;  // of RAM, for what replaces its tables
};

struct VariantInfo {
  std::string board, device;  // "vulkan" or "cpu"
  bool reserves_fallback = false;
  bool exact_forms = false;
  uint32_t threads_max = 0;
  std::vector<RequirementInfo> requirements;
  std::vector<ArenaInfo> arenas;
  StepCounts counts;
  std::optional<QuantizedCounts> quantized;
  std::optional<SymbolicInfo> symbolic;
  uint32_t dispatches = 0, pipelines = 0;
  uint32_t parameter_bytes = 0;
  std::vector<DescriptorSetInfo> descriptor_sets;
  std::vector<uint32_t> inputs, outputs;  // values
  std::vector<ValueInfo> values;          // its own, then the constants that its steps read
  std::vector<StepInfo> steps;
};

struct TensorInfo {
  std::string name, dtype;
  std::vector<uint32_t> dims;
  // For integers that stand for (integer - zero_point) * scale.
  struct Quantization {
    float scale = 1;
    int32_t zero_point = 0;
  };
  std::optional<Quantization> quantization;
  int64_t state = -1;  // of an input: the output whose bytes it holds in the next run, or kNoIndex
  std::vector<CountedDim> counted_dims = {};  // of an output
};

struct MethodInfo {
  std::string name;
  std::vector<TensorInfo> inputs, outputs;
  std::vector<SymbolInfo> symbols;  // all dims are those for the most of each
  uint32_t test_vectors = 0;
  std::vector<VariantInfo> variants;
};

// One thing that is wrong with a file.
struct DamageInfo {
  std::string check;  // "length", "header checksum", "plan checksum", "plan", "section checksum",
                      // "padding", "proof"
  std::string where;  // "header", "section constants", "method main, variant 0 for board host"
  std::string why;    // a sentence: what was expected, what was found
};

struct ProgramInfo {
  std::vector<DamageInfo> damage;  // empty: the file is whole, and a device takes it
  bool readable = true;            // false: what is below `constants` is not known
  uint64_t bytes = 0;
  uint32_t digest = 0;  // Program::digest; as the file says it
  uint32_t version = 0, min_reader = 0, required_features = 0, optional_features = 0;
  uint32_t plan_bytes = 0, constants = 0;
  std::string constant_file;  // empty: they are in the program
  std::vector<SectionInfo> sections;
  std::vector<MethodInfo> methods;
};

// A damaged file is shown as far as it can be read, with everything that a loader would object to.
// Throws InputError when the file does not begin as a program does.
// `constants`: the file of its constants where it has them in another; without it they are not
// checked.
ProgramInfo inspect(std::span<const std::byte> file, std::span<const std::byte> constants = {});

// Reads a program that can be opened, without judging it.
ProgramInfo read_info(const Program& program);

struct InspectText {
  size_t columns = 0;            // of a terminal, which steps are a table of; 0: no limit
  std::optional<uint32_t> step;  // all that is known of this step of each variant, and no other
};
std::string to_text(const ProgramInfo& info, const InspectText& options = {});
std::string to_json(const ProgramInfo& info);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
