// Finds what is wrong with a program file, and reads the rest of it all the same.
//
// 1. Length and checksums of header and plan are checked on the file as it is. 2. In a copy the
// lengths and checksums are made to hold, so that the loader's own reader, which trusts no byte
// behind a checksum either, opens it. 3. What it opens is shown, with the checksums of its sections
// and the loader's proof of each variant.
#include <cstring>

#include "core/checksum.h"
#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "planner/program/aligned_program.h"
#include "planner/program/check.h"
#include "planner/program/inspect.h"
#include "support/hex.h"
#include "support/status_text.h"

namespace arenite::planner {
namespace {

using format::Header;

std::string checksum_why(uint32_t stored, uint32_t computed) {
  return "the file says 0x" + hex_digits(stored, 8) + ", its bytes give 0x" +
         hex_digits(computed, 8);
}

class Repair {
 public:
  explicit Repair(std::span<const std::byte> file) : bytes_(file.begin(), file.end()) {
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    check_header();
    check_length(file.size());
    check_plan();
    std::memcpy(bytes_.data(), &header_, sizeof header_);
  }

  std::vector<DamageInfo> damage;
  const Header& header() const { return header_; }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  void check_header() {
    const uint32_t found = checksum(std::span(bytes_).first(offsetof(Header, header_checksum)));
    if (found == header_.header_checksum) return;
    damage.push_back({"header checksum", "header", checksum_why(header_.header_checksum, found)});
    header_.header_checksum = found;
  }

  void check_length(size_t size) {
    if (header_.file_bytes <= size) return;
    damage.push_back({"length", "header",
                      "the file says " + std::to_string(header_.file_bytes) + " bytes, there are " +
                          std::to_string(size)});
    // A header that is damaged could ask for anything.
    constexpr uint64_t kMissingMax = uint64_t{1} << 20;
    const bool believable = damage.size() == 1 || header_.file_bytes - size <= kMissingMax;
    if (believable) bytes_.resize(header_.file_bytes);
  }

  void check_plan() {
    const uint64_t end = uint64_t{header_.plan_offset} + header_.plan_bytes;
    if (end > bytes_.size()) return;  // the reader says so
    const uint32_t found =
        checksum(std::span(bytes_).subspan(header_.plan_offset, header_.plan_bytes));
    if (found == header_.plan_checksum) return;
    damage.push_back({"plan checksum", "plan", checksum_why(header_.plan_checksum, found)});
    header_.plan_checksum = found;
    std::memcpy(bytes_.data(), &header_, sizeof header_);
    header_.header_checksum = checksum(std::span(bytes_).first(offsetof(Header, header_checksum)));
  }

  std::vector<std::byte> bytes_;
  Header header_;
};

std::string step_text(const VariantInfo& variant, uint32_t step) {
  if (step >= variant.steps.size()) return "";
  const StepInfo& info = variant.steps[step];
  return ", step " + std::to_string(step) + " (" + info.op +
         (info.nodes.empty() ? "" : ", " + printable(info.nodes[0])) + ")";
}

// Adds a finding where bytes between sections are no zeros: no checksum covers them.
void add_padding(const Program& program, ProgramInfo& info) {
  for (uint32_t i = 0; i <= info.sections.size(); ++i) {
    const bool last = i == info.sections.size();
    if (!last && !info.sections[i].intact) continue;  // said already
    ConstantsCursor cursor{i};
    const Code code = program.verify_constants(1, cursor).code;
    if (code != Code::kBadRange && code != Code::kBadChecksum) continue;
    info.damage.push_back(
        {"padding", last ? "end of the file" : "before section " + info.sections[i].kind,
         code == Code::kBadChecksum ? "expected zeros there, found other bytes"
                                    : "expected each section at the next multiple of 64"});
  }
}

void add_proofs(const Program& program, ProgramInfo& info) {
  for (uint32_t m = 0; m < info.methods.size(); ++m) {
    const MethodInfo& method = info.methods[m];
    for (uint32_t v = 0; v < method.variants.size(); ++v) {
      const Status status = proof_of(program, m, v);
      if (status.ok()) continue;
      const VariantInfo& variant = method.variants[v];
      info.damage.push_back({"proof",
                             "method " + printable(method.name) + ", variant " + std::to_string(v) +
                                 " for board " + printable(variant.board) +
                                 step_text(variant, status.step),
                             status_text({status.code, kNoIndex, status.value})});
    }
  }
}

}  // namespace

ProgramInfo inspect(std::span<const std::byte> file, std::span<const std::byte> constants) {
  uint32_t magic[2] = {};
  if (file.size() >= sizeof magic) std::memcpy(magic, file.data(), sizeof magic);
  if (magic[0] != format::kMagic0 || magic[1] != format::kMagic1) {
    throw InputError(text_of(Code::kBadMagic));
  }
  ProgramInfo info;
  if (file.size() < sizeof(Header)) {
    info.readable = false;
    info.bytes = file.size();
    info.damage.push_back({"length", "header",
                           "expected " + std::to_string(sizeof(Header)) +
                               " bytes of header, found " + std::to_string(file.size())});
    return info;
  }
  const Repair repair(file);
  const Header& header = repair.header();
  try {
    const AlignedProgram program(repair.bytes(), constants);
    info = read_info(*program);
    info.damage = repair.damage;
    for (const SectionInfo& section : info.sections) {
      if (section.intact) continue;
      info.damage.push_back({"section checksum", "section " + section.kind,
                             checksum_why(section.checksum, section.found_checksum)});
    }
    add_padding(*program, info);
    if (info.constant_file.empty() || !constants.empty()) {
      add_proofs(*program, info);
    } else {
      info.damage.push_back(
          {"constants", "file " + printable(info.constant_file), "it is not beside the program"});
    }
  } catch (const InputError& error) {
    info.readable = false;
    info.damage = repair.damage;
    info.damage.push_back({"plan", "plan", error.what()});
    info.bytes = file.size();
    info.version = header.version;
    info.min_reader = header.min_reader;
    info.required_features = header.required_features;
    info.optional_features = header.optional_features;
    info.plan_bytes = header.plan_bytes;
  }
  // The digest as the file has it, whatever was repaired.
  std::memcpy(&info.digest, file.data() + offsetof(Header, header_checksum), sizeof info.digest);
  return info;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
