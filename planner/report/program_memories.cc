// Adds up the file's bytes and the code estimated from form names, and compares with each memory.
#include "planner/report/program_memories.h"

#include <algorithm>
#include <set>

#include "core/format.h"
#include "planner/board/code_sizes.h"
#include "planner/graph/names.h"
#include "planner/memory/problem/problem.h"
#include "planner/program/cc_model.h"
#include "planner/report/shortages.h"
#include "portable_fallback/form_names.h"
#include "schema/harness_store.h"
#include "support/printable.h"

namespace arenite::planner {
namespace {

constexpr size_t kListedMax = 10;  // constants by name

std::optional<uint64_t> estimated_code(const Board& board, const BoardProgram& program) {
  const auto sizes = find_code_sizes(board.toolchain);
  if (!sizes) return std::nullopt;
  return code_bytes(*sizes, program.forms);
}

ProgramMemoryReport row_of(const Board& board, const ProgramMemory& memory, const ImageCode& code,
                           const BoardProgram& program) {
  ProgramMemoryReport row;
  row.board = board.name;
  row.name = memory.name;
  row.image = memory.image;
  row.base = memory.base;
  row.size_bytes = memory.bytes;
  row.holds_code = memory.holds_code;
  if (memory.holds_code) {
    row.code_is_assumed = code.assumed_bytes.has_value();
    row.code_bytes = row.code_is_assumed ? code.assumed_bytes : estimated_code(board, program);
  }
  if (memory.holds_program) row.program_bytes = program.file.size();
  if (memory.image == "harness") row.reserved_bytes = harness::kReservedStoreBytes;
  return row;
}

std::string constants_text(const std::vector<ShortTensor>& constants) {
  std::string text;
  for (size_t i = 0; i < std::min(constants.size(), kListedMax); ++i) {
    text += (i == 0 ? "'" : ", '") + constants[i].name + "' " + std::to_string(constants[i].bytes);
  }
  if (constants.size() > kListedMax) {
    text += " and " + std::to_string(constants.size() - kListedMax) + " more";
  }
  return text;
}

// The model's name: constants that a pass made have a number behind it.
std::string model_name(const std::string& name) {
  const size_t at = name.rfind('#');
  const bool numbered = at != std::string::npos && at != 0 && at + 1 != name.size() &&
                        name.find_first_not_of("0123456789", at + 1) == std::string::npos;
  return printable(numbered ? name.substr(0, at) : name);
}

// The size of a memory that would hold the constants and nothing else.
uint64_t bytes_of(const std::vector<ShortTensor>& constants) {
  uint64_t sum = 0;
  for (const ShortTensor& constant : constants) sum += constant.bytes;
  return sum;
}

Shortage shortage_of(const ProgramMemoryReport& row, const BoardProgram& program) {
  Shortage shortage;
  shortage.board = row.board;
  shortage.memory = row.name;
  shortage.holds_program = true;
  shortage.memory_bytes = row.size_bytes;
  shortage.needed_bytes = shortage.least_bytes = row.used_bytes();
  shortage.short_bytes = row.used_bytes() - row.size_bytes;
  // The constants go there in any case.
  const uint64_t constants = row.program_bytes != 0 ? bytes_of(program.constants) : 0;
  shortage.floor_bytes = constants;
  shortage.impossible = constants > row.size_bytes;
  shortage.least_is_proved = !row.code_bytes;
  shortage.text = "board " + row.board + ", " + row.image + " image: memory " + quote(row.name) +
                  " of " + memory::bytes_counted(row.size_bytes) + " is " +
                  memory::bytes_counted(shortage.short_bytes) + " short: it is to hold " +
                  memory::bytes_counted(row.used_bytes()) + ", " + contents_text(row);
  if (row.program_bytes == 0) return shortage;
  shortage.text += ". The largest of " + memory::bytes_counted(constants) +
                   " of constants: " + constants_text(program.constants);
  shortage.tensors = program.constants;
  if (shortage.tensors.size() > kListedMax) shortage.tensors.resize(kListedMax);
  return shortage;
}

}  // namespace

std::vector<ShortTensor> constants_of(std::span<const PlannedMethod> methods,
                                      const std::string& board, const ConstantPool& pool) {
  std::set<uint32_t> used;
  for (const PlannedMethod& method : methods) {
    for (const PlannedVariant& variant : method.variants) {
      if (variant.board != board) continue;
      for (const ScheduledStep& step : variant.plan.steps) {
        for (const std::optional<Operand>& operand : step.inputs) {
          if (operand.has_value() && operand->constant) used.insert(operand->index);
        }
      }
    }
  }
  std::vector<ShortTensor> constants;
  for (const uint32_t index : used) {
    const StoredConstant& constant = pool.entries()[index];
    constants.push_back({model_name(constant.name), constant.dims, constant.bytes.size()});
  }
  std::stable_sort(constants.begin(), constants.end(),
                   [](const ShortTensor& a, const ShortTensor& b) { return a.bytes > b.bytes; });
  return constants;
}

std::vector<std::string> forms_of(std::span<const std::byte> file, CpuFeatures features) {
  std::vector<std::string> names;
  const CcModel model = cc_model(AlignedProgram(file), "program", nullptr);
  for (const auto& [op, forms] : model.forms) {
    const bool has_all = (features & forms.features) == forms.features;
    for (const uint8_t number : has_all ? forms.always : forms.all()) {
      const FormNames* form = find_form_names(op, number);
      names.push_back(form != nullptr ? form->key : op_name(op) + " " + std::to_string(number));
    }
  }
  return names;
}

void add_program_memories(const Board& board, const ImageCode& code, const BoardProgram& program,
                          PlanReport& report) {
  for (const ProgramMemory& memory : board.program_memories) {
    if (!code.image.empty() && memory.image != code.image) continue;
    ProgramMemoryReport row = row_of(board, memory, code, program);
    if (row.short_bytes() != 0) report.shortages.push_back(shortage_of(row, program));
    report.program_memories.push_back(std::move(row));
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
