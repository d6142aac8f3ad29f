// A program file in memory at the alignment the loader asks for.
#include "planner/emit/aligned_program.h"

#include <algorithm>
#include <string>

#include "planner/graph.h"

namespace arenite::planner {
namespace {

constexpr std::align_val_t kAlignment{format::kSegmentAlignment};

// What Program::open can say.
const char* fault(Code code) {
  switch (code) {
    case Code::kTruncated:
      return "the file ends before the structure it announces";
    case Code::kBadMagic:
      return "not an Arenite program";
    case Code::kBadVersion:
      return "written for a newer reader";
    case Code::kUnknownFeature:
      return "needs a feature that is not known here";
    case Code::kBadChecksum:
      return "a checksum is wrong";
    default:
      return "its plan is damaged";
  }
}

}  // namespace

void AlignedProgram::Delete::operator()(std::byte* bytes) const {
  ::operator delete[](bytes, kAlignment);
}

AlignedProgram::AlignedProgram(std::span<const std::byte> file)
    : bytes_(
          static_cast<std::byte*>(::operator new[](std::max<size_t>(file.size(), 1), kAlignment))),
      size_(file.size()) {
  std::copy(file.begin(), file.end(), bytes_.get());
  if (const Status status = Program::open(this->file(), program_); !status.ok()) {
    throw InputError(std::string("program file: ") + fault(status.code) + " (code " +
                     std::to_string(static_cast<uint32_t>(status.code)) + ")");
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
