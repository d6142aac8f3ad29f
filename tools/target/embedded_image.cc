// Writes the program as C++ and has tools/target/embedded_image.py compile, link and measure it.
#include "tools/target/embedded_image.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "planner/board/harness_image.h"
#include "planner/program/cc_source.h"
#include "planner/program/strip.h"
#include "support/file.h"
#include "tools/io/tensor.h"
#include "tools/run/runner.h"
#include "tools/target/child.h"
#include "tools/target/scratch_folder.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;
// The parts keep their order.
using Json = nlohmann::ordered_json;

constexpr std::chrono::minutes kBuildLimit(10);
// The namespace and the files that boards/bare/embedded.cc includes.
constexpr const char* kName = "program";

uint64_t sum_of(const std::vector<ImageParts::Part>& parts) {
  return std::accumulate(parts.begin(), parts.end(), uint64_t{0},
                         [](uint64_t sum, const auto& part) { return sum + part.bytes; });
}

// What the build tree wrote of the board.
fs::path link_file(const planner::Board& board) {
  const fs::path path = planner::harness_image(board).parent_path() / "embedded_link.json";
  std::error_code error;
  if (fs::is_regular_file(path, error)) return path;
  throw RunError("an image of one program is built in the build tree of its board: expected " +
                 path.string() + "; " + planner::harness_advice(board));
}

// The part of the program that is planned for the board.
std::vector<std::byte> program_of(const planner::Board& board, const ProgramFile& file) {
  const std::span<const std::byte> bytes = file.program().file();
  std::set<std::string> boards;
  for (uint32_t v = 0; v < file.program().variants().size(); ++v) boards.insert(file.board_name(v));
  if (boards.size() < 2) return {bytes.begin(), bytes.end()};
  return planner::strip(bytes, board.name, file.constants());
}

void write_source(const planner::Board& board, const ProgramFile& file, const fs::path& folder) {
  const std::vector<std::byte> program = program_of(board, file);
  planner::CcOptions options;
  options.name = kName;
  options.data = planner::CcData::kIncbin;
  options.board = &board;
  try {
    const planner::CcSource source = planner::cc_source(program, options);
    write_file(folder / (std::string(kName) + ".h"), source.header);
    write_file(folder / (std::string(kName) + ".cc"), source.source);
  } catch (const InputError& error) {
    throw InputError(file.name() + ": " + error.what());
  }
  write_file(folder / (std::string(kName) + ".arn"), program);
}

Json read_json(const fs::path& path) {
  const std::vector<std::byte> bytes = read_file(path);
  try {
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    return Json::parse(text, text + bytes.size());
  } catch (const Json::exception& wrong) {
    throw RunError(path.string() + ": " + wrong.what());
  }
}

std::vector<ImageParts::Part> parts_of(const Json& json) {
  std::vector<ImageParts::Part> parts;
  for (const auto& [name, bytes] : json.items()) parts.push_back({name, bytes});
  return parts;
}

ImageParts read_parts(const Json& json) {
  ImageParts parts;
  parts.flash = parts_of(json.at("flash"));
  parts.ram = parts_of(json.at("ram"));
  parts.board_ram_bytes = json.at("board_ram_bytes");
  parts.stack_bound_bytes = json.at("stack_bound_bytes");
  for (const Json& call : json.at("stack_chain")) {
    parts.stack_chain.push_back({call.at("function"), call.at("bytes")});
  }
  return parts;
}

}  // namespace

uint64_t ImageParts::code_bytes() const {
  const auto program = std::ranges::find(flash, "program", &Part::name);
  return sum_of(flash) - (program == flash.end() ? 0 : program->bytes);
}

uint64_t ImageParts::ram_bytes() const { return sum_of(ram); }

EmbeddedImage embedded_image(const planner::Board& board, const ProgramFile& file,
                             bool without_verifier) {
  if (file.program().methods().size() != 1) {
    throw InputError(file.name() + ": an embedded image runs one method, found " +
                     std::to_string(file.program().methods().size()) +
                     "; plan its model alone, or run it with --image harness");
  }
  const fs::path link = link_file(board);
  const ScratchFolder scratch;
  write_source(board, file, scratch.path());
  const fs::path report = scratch.path() / "image.json";
  try {
    const fs::path source = read_json(link).at("source").get<std::string>();
    std::vector<std::string> command = {"python3",
                                        (source / "tools/target/embedded_image.py").string(),
                                        link.string(), scratch.path().string(), report.string()};
    if (without_verifier) command.emplace_back("--without-verifier");
    Child builder(command);
    if (builder.wait(kBuildLimit) != 0) {
      throw RunError("the image of " + file.name() + " was not built: " + builder.errors());
    }
    const Json json = read_json(report);
    EmbeddedImage result;
    result.image.path = json.at("elf").get<std::string>();
    result.image.elf = read_elf(result.image.path);
    result.parts = read_parts(json);
    return result;
  } catch (const Json::exception& wrong) {
    throw RunError(link.string() + ": " + wrong.what());
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
