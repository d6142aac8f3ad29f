// Writes the files of --emit-cc.
#include "tools/arenite/emit_cc.h"

#include <filesystem>

#include "planner/program/cc_names.h"
#include "planner/program/cc_source.h"
#include "support/file.h"
#include "support/word_errors.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

// Above it the source takes long to write and to compile.
constexpr size_t kArrayBytesMax = 64 * 1024;

}  // namespace

void emit_cc(const EmitCc& options, const std::string& model, const planner::Board& board,
             std::span<const std::byte> program) {
  planner::CcOptions cc;
  cc.name =
      options.name.empty() ? planner::identifier(fs::path(model).stem().string()) : options.name;
  const bool incbin =
      options.data == "incbin" || (options.data == "auto" && program.size() > kArrayBytesMax);
  cc.data = incbin ? planner::CcData::kIncbin : planner::CcData::kArray;
  cc.board = &board;
  const planner::CcSource source = planner::cc_source(program, cc);
  const fs::path folder = options.folder;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UnwritableError("--emit-cc " + folder.string(), folder, error.value());
  write_file(folder / (cc.name + ".h"), source.header);
  write_file(folder / (cc.name + ".cc"), source.source);
  write_file(folder / (cc.name + "_c.h"), source.c_header);
  write_file(folder / (cc.name + "_c.cc"), source.c_source);
  write_file(folder / (cc.name + ".ld"), source.linker_script);
  write_file(folder / (cc.name + ".sources"), source.runtime_sources);
  if (incbin) write_file(folder / (cc.name + ".arn"), program);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
