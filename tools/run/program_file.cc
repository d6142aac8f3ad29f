// Opens program files for host tools.
#include "tools/run/program_file.h"

#include <algorithm>
#include <cstring>

#include "core/sections.h"
#include "core/symbols.h"
#include "support/content.h"
#include "support/printable.h"
#include "support/shell_text.h"
#include "support/suggest.h"
#include "support/word_errors.h"
#include "tools/io/tensor.h"
#include "tools/run/status_text.h"

namespace arenite::tools {
namespace {

using format::SectionKind;

constexpr std::string_view kConstantFileEnding = ".arnc";

AlignedMemory aligned_copy(std::span<const std::byte> bytes) {
  AlignedMemory memory = aligned_memory(bytes.size(), format::kSegmentAlignment);
  if (!bytes.empty()) std::memcpy(memory.get(), bytes.data(), bytes.size());
  return memory;
}

std::string numbered(const char* what, uint32_t index) {
  return std::string(what) + " " + std::to_string(index);
}

// "; plan it first: arenite plan model.onnx -o model.arn"
std::string plan_first(const std::string& model, const std::string& board) {
  std::vector<std::string> words = {"arenite", "plan", model};
  if (!board.empty()) words.insert(words.end(), {"--board", board});
  const std::filesystem::path path(model);
  const std::string stem = is_stream(path) ? "model" : file_stem(path.stem().string());
  words.insert(words.end(), {"-o", stem + ".arn"});
  return "; plan it first: " + shell_text(words);
}

[[noreturn]] void fail_to_open(std::span<const std::byte> bytes, const std::string& name,
                               Status status) {
  expect_program(bytes, name);
  const bool damaged = status.code == Code::kBadChecksum || status.code == Code::kTruncated;
  throw InputError(name + (damaged ? ": damaged: " : ": not a usable program: ") +
                   status_text(status) + "; `" + shell_text({{"arenite", "inspect", name}}) +
                   "` tells more");
}

std::vector<std::byte> read_program(const std::filesystem::path& path, const std::string& board) {
  std::vector<std::byte> bytes = read_file(path);
  expect_program(bytes, path.string(), board);
  return bytes;
}

}  // namespace

void expect_program(std::span<const std::byte> bytes, const std::string& name,
                    const std::string& board) {
  const Content content = content_of(bytes);
  if (content == Content::kProgram) return;
  const bool model = content == Content::kOnnx || content == Content::kTfLite ||
                     (content == Content::kUnknown && name.ends_with(".onnx"));
  const std::string problem = name + ": expected an Arenite program, found " + described(content);
  if (model) throw InputError(problem + plan_first(name, board));
  throw FileError(problem, name, {".arn"});
}

std::optional<std::filesystem::path> beside(const std::string& file,
                                            const std::filesystem::path& folder) {
  constexpr size_t kDigits = 16;
  const bool is_ours = file.size() == kDigits + kConstantFileEnding.size() &&
                       file.find_first_not_of("0123456789abcdef") == kDigits &&
                       file.ends_with(kConstantFileEnding);
  return is_ours ? std::optional(folder / file) : std::nullopt;
}

void ProgramFile::attach_constants(const std::filesystem::path& folder) {
  if (program_.constant_files().empty()) return;
  const format::ConstantFileRecord& record = program_.constant_files()[0];
  const std::string file(program_.string(record.name_offset, record.name_bytes));
  const auto path = beside(file, folder);
  if (!path.has_value()) {
    throw InputError(name_ + ": its constants are in file " + quote(file) +
                     ", expected 16 hexadecimal digits and " + std::string(kConstantFileEnding));
  }
  // Opening a pipe may wait forever.
  const std::filesystem::file_status found = std::filesystem::status(*path);
  if (std::filesystem::exists(found) && !std::filesystem::is_regular_file(found)) {
    throw InputError(name_ + ": its constants are in " + path->string() +
                     ": expected a regular file, found none");
  }
  std::vector<std::byte> bytes;
  try {
    bytes = read_file(*path);
  } catch (const InputError& error) {
    throw InputError(
        name_ + ": its constants are in a file of their own, expected beside it: " + error.what());
  }
  constants_memory_ = aligned_copy(bytes);
  constants_ = {constants_memory_.get(), bytes.size()};
  const Status status = program_.attach_constants(constants_);
  if (!status.ok()) throw InputError(name_ + ": " + file + ": " + status_text(status));
}

ProgramFile::ProgramFile(std::span<const std::byte> bytes, const std::string& name,
                         const std::filesystem::path& folder)
    : name_(name), memory_(aligned_copy(bytes)) {
  const Status opened = Program::open({memory_.get(), bytes.size()}, program_);
  if (!opened.ok()) fail_to_open(bytes, name, opened);
  attach_constants(folder);
  ConstantsCursor cursor;
  const Status verified = program_.verify_constants(kNoIndex, cursor);
  if (!verified.ok()) fail_to_open(bytes, name, verified);
  const Status symbols = program_.symbolic_variants().empty() && program_.symbols().empty()
                             ? ok_status()
                             : check_symbols(program_);
  if (!symbols.ok()) fail_to_open(bytes, name, symbols);
  if (program_.methods().empty()) throw InputError(name + ": holds no method");
}

ProgramFile::ProgramFile(const std::filesystem::path& path, const std::string& board)
    : ProgramFile(read_program(path, board), path.string(), path.parent_path()) {}

std::string ProgramFile::input_name(uint32_t method, uint32_t input) const {
  const auto found = arenite::input_name(program_.section(SectionKind::kNames), method, input);
  return found ? std::string(*found) : numbered("input", input);
}

std::string ProgramFile::output_name(uint32_t method, uint32_t output) const {
  const auto found = arenite::output_name(program_.section(SectionKind::kNames), method, output);
  return found ? std::string(*found) : numbered("output", output);
}

std::string ProgramFile::value_name(uint32_t method, uint32_t variant, uint32_t value) const {
  const auto found =
      arenite::value_name(program_.section(SectionKind::kNames), method, variant, value);
  if (found) return std::string(*found);
  return format::is_constant(value) ? numbered("constant", format::constant_index(value))
                                    : numbered("value", value);
}

std::string ProgramFile::step_name(uint32_t method, uint32_t variant, uint32_t step) const {
  const std::vector<std::string> nodes = step_nodes(method, variant, step);
  const std::string text = numbered("step", step);
  return nodes.empty() ? text : text + " (" + printable(nodes[0]) + ")";
}

std::vector<std::string> ProgramFile::step_nodes(uint32_t method, uint32_t variant,
                                                 uint32_t step) const {
  const uint32_t absolute = program_.methods()[method].variant_first + variant;
  const auto source_map = program_.section(SectionKind::kSourceMap);
  std::vector<std::string> nodes;
  while (const auto node =
             source_node(source_map, absolute, step, static_cast<uint32_t>(nodes.size()))) {
    nodes.emplace_back(*node);
  }
  return nodes;
}

std::string ProgramFile::method_name(uint32_t method) const {
  const format::MethodRecord& record = program_.methods()[method];
  return std::string(program_.string(record.name_offset, record.name_bytes));
}

std::string ProgramFile::board_name(uint32_t variant) const {
  const format::VariantRecord& record = program_.variants()[variant];
  return std::string(program_.string(record.board_offset, record.board_bytes));
}

uint32_t ProgramFile::find_method(const std::string& name) const {
  if (name.empty()) return 0;
  const Result<uint32_t> found = program_.find_method(name);
  if (found.ok()) return *found;
  std::vector<std::string> names;
  for (uint32_t m = 0; m < program_.methods().size(); ++m) names.push_back(method_name(m));
  throw WordError(name_ + ": no method " + quote(name) + ", expected " + listed(names) +
                      did_you_mean(name, names),
                  name, names);
}

std::vector<std::string> ProgramFile::input_names(uint32_t method) const {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < program_.methods()[method].input_count; ++i) {
    names.push_back(input_name(method, i));
  }
  return names;
}

std::vector<std::string> ProgramFile::output_names(uint32_t method) const {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < program_.methods()[method].output_count; ++i) {
    names.push_back(output_name(method, i));
  }
  return names;
}

uint32_t ProgramFile::find(const std::string& option, const char* what, uint32_t method,
                           const std::vector<std::string>& names, const std::string& name) const {
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (file_stem(names[i]) == name) return i;
  }
  throw WordError(option + " " + name + ": method " + quote(method_name(method)) + " has no such " +
                      what + ", expected " + (names.empty() ? "none" : listed(names)) +
                      did_you_mean(name, names),
                  name, names);
}

std::optional<uint32_t> ProgramFile::find_tensor(uint32_t method,
                                                 const std::vector<std::string>& names,
                                                 std::span<const uint32_t> values,
                                                 const std::string& name) const {
  if (std::find(names.begin(), names.end(), name) != names.end()) return std::nullopt;
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (value_name(method, 0, values[i]) == name) return i;
  }
  return std::nullopt;
}

const format::StateRecord* ProgramFile::state_of(uint32_t method, uint32_t input) const {
  for (const format::StateRecord& state : program_.states()) {
    if (state.method == method && state.input == input) return &state;
  }
  return nullptr;
}

uint32_t ProgramFile::find_input(uint32_t method, const std::string& name) const {
  const std::vector<std::string> names = input_names(method);
  const format::MethodRecord& record = program_.methods()[method];
  const format::VariantRecord& variant = program_.variants()[record.variant_first];
  const auto own = find_tensor(method, names, program_.inputs_of(record, variant), name);
  return own ? *own : find("--input", "input", method, names, name);
}

uint32_t ProgramFile::find_output(const std::string& option, uint32_t method,
                                  const std::string& name) const {
  const std::vector<std::string> names = output_names(method);
  const format::MethodRecord& record = program_.methods()[method];
  const format::VariantRecord& variant = program_.variants()[record.variant_first];
  const auto own = find_tensor(method, names, program_.outputs_of(record, variant), name);
  return own ? *own : find(option, "output", method, names, name);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
