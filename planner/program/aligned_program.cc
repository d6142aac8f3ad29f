// Allocates at the alignment of sections, copies the file there and opens it.
#include "planner/program/aligned_program.h"

#include <algorithm>
#include <string>

#include "planner/graph/graph.h"
#include "support/status_text.h"

namespace arenite::planner {
namespace {

constexpr std::align_val_t kAlignment{format::kSegmentAlignment};

}  // namespace

void AlignedProgram::Delete::operator()(std::byte* bytes) const {
  ::operator delete[](bytes, kAlignment);
}

AlignedProgram::Bytes AlignedProgram::copy(std::span<const std::byte> file) {
  Bytes bytes(
      static_cast<std::byte*>(::operator new[](std::max<size_t>(file.size(), 1), kAlignment)));
  std::copy(file.begin(), file.end(), bytes.get());
  return bytes;
}

AlignedProgram::AlignedProgram(std::span<const std::byte> file,
                               std::span<const std::byte> constants)
    : bytes_(copy(file)), size_(file.size()) {
  if (const Status status = Program::open(this->file(), program_); !status.ok()) {
    throw InputError("not a usable program: " + status_text(status));
  }
  if (constants.empty()) return;
  constants_ = copy(constants);
  const Status status = program_.attach_constants({constants_.get(), constants.size()});
  if (!status.ok()) throw InputError("not its file of constants: " + status_text(status));
}

uint32_t constant_sections(const Program& program) {
  uint32_t count = 1, index = 0;
  for (const format::SectionRecord& section : program.sections()) {
    ++index;
    if (format::holds_constants(section.kind)) count = index;
  }
  return count;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
