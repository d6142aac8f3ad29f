// Opens a program file in place and finds things in it.
#include "core/program.h"

#include <bit>
#include <new>
#include <type_traits>

#include "core/checksum.h"
#include "core/program_tables.h"
#include "core/range.h"
#include "core/verify.h"

namespace arenite {
namespace {

using format::Header;
using format::SectionRecord;

// `value` is left as it is where the fault has none.
Code fault_of_header(std::span<const std::byte> file, FilePart part, uint32_t& value) {
  if (file.size() < sizeof(Header)) {
    return Code::kTruncated;
  }
  if (reinterpret_cast<uintptr_t>(file.data()) % 4 != 0) {
    return Code::kBadAlignment;
  }
  const Header& header = *static_cast<const Header*>(static_cast<const void*>(file.data()));
  if (header.magic[0] != format::kMagic0 || header.magic[1] != format::kMagic1) {
    return Code::kBadMagic;
  }
  // Before the version: what a newer writer puts elsewhere in the header is its business, but the
  // checksum stays where it is.
  if (checksum(file.first(offsetof(Header, header_checksum))) != header.header_checksum) {
    return Code::kBadChecksum;
  }
  if (header.min_reader > format::kVersion || header.version < format::kOldestVersion) {
    value = header.min_reader > format::kVersion ? header.min_reader : header.version;
    return Code::kBadVersion;
  }
  if (const uint32_t unknown = header.required_features & ~format::kKnownFeatures; unknown != 0) {
    value = static_cast<uint32_t>(std::countr_zero(unknown));
    return Code::kUnknownFeature;
  }
  for (const uint32_t word : header.reserved) {
    if (word != 0) {
      return Code::kBadValue;
    }
  }
  if (header.plan_offset < sizeof(Header) ||
      !within(header.plan_offset, header.plan_bytes, header.file_bytes)) {
    return Code::kBadRange;
  }
  if (header.plan_offset % 4 != 0) {
    return Code::kBadAlignment;
  }
  const uint32_t plan_end = header.plan_offset + header.plan_bytes;
  if (file.size() < (part == FilePart::kWhole ? header.file_bytes : plan_end)) {
    return Code::kTruncated;
  }
  return Code::kOk;
}

// Made where it lies: an assignment takes 200 bytes of stack for what it assigns.
[[gnu::noinline]] void empty(Program& program) { ::new (&program) Program(); }
static_assert(std::is_trivially_destructible_v<Program>);

}  // namespace

Status Program::read(std::span<const std::byte> file, FilePart part,
                     const Verification* verification) {
  uint32_t value = kNoIndex;
  Code code = fault_of_header(file, part, value);
  const auto* header = static_cast<const Header*>(static_cast<const void*>(file.data()));
  std::span<const std::byte> plan;
  if (code == Code::kOk) {
    plan = {file.data() + header->plan_offset, header->plan_bytes};
    code = checksum(plan) == header->plan_checksum ? Code::kOk : Code::kBadChecksum;
  }
  if (code != Code::kOk) {
    return error(code, value);
  }
  file_ = {file.data(), file.size() < header->file_bytes ? file.size() : header->file_bytes};
  ARENITE_TRY(find_tables(plan, tables_));
  return verification != nullptr ? verification->records(*this) : ok_status();
}

Status Program::open(std::span<const std::byte> file, Program& program, FilePart part,
                     const Verification* verification) {
  empty(program);
  const Status status = program.read(file, part, verification);
  if (!status.ok()) {
    empty(program);
  }
  return status;
}

// Checks that the bytes before a section, or behind the last one, are zeros.
Status Program::check_padding(uint32_t section) const {
  const Records<SectionRecord> records = sections();
  const auto elsewhere = [&](uint32_t i) {
    return records[i].kind == static_cast<uint32_t>(format::SectionKind::kExternalConstants);
  };
  const bool last = section == records.size();
  if (!last && elsewhere(section)) {
    return ok_status();
  }
  uint32_t from = header().plan_offset + header().plan_bytes;
  for (uint32_t i = 0; i < section; ++i) {
    if (!elsewhere(i)) {
      from = records[i].offset + records[i].bytes;
    }
  }
  Code code = fault_of_padding(from, last ? header().file_bytes : records[section].offset);
  if (last && code == Code::kOk) {
    code = fault_of_padding(sizeof(Header), header().plan_offset);
  }
  return code == Code::kOk ? ok_status() : error(code, last ? kNoIndex : section);
}

// No more than alignment asks, so that a call's work is bounded.
Code Program::fault_of_padding(uint32_t from, uint32_t to) const {
  if (from > to || to - from >= format::kSegmentAlignment) {
    return Code::kBadRange;
  }
  if (to > file_.size()) {
    return Code::kTruncated;
  }
  for (const std::byte byte : file_.subspan(from, to - from)) {
    if (byte != std::byte{0}) {
      return Code::kBadChecksum;
    }
  }
  return Code::kOk;
}

Status Program::verify_constants(uint32_t budget, ConstantsCursor& cursor) const {
  // Whole words but at the end of a section, and something in each call.
  budget = budget < 4 ? 4 : budget & ~3u;
  while (cursor.section < sections().size()) {
    const SectionRecord& record = sections()[cursor.section];
    if (cursor.offset == 0) {
      ARENITE_TRY(check_padding(cursor.section));
    }
    if (record.kind == static_cast<uint32_t>(format::SectionKind::kSignature)) {
      cursor = {cursor.section + 1};
      continue;
    }
    const auto bytes = section_bytes(cursor.section);
    if (bytes.size() != record.bytes || cursor.offset > bytes.size()) {
      return error(Code::kTruncated, cursor.section);
    }
    const uint32_t left = record.bytes - cursor.offset;
    const uint32_t now = left < budget ? left : budget;
    cursor.sum = checksum(bytes.subspan(cursor.offset, now), cursor.sum);
    cursor.offset += now;
    budget = (budget - now) & ~3u;
    if (cursor.offset != record.bytes) {
      break;
    }
    if (cursor.sum != record.checksum) {
      return error(Code::kBadChecksum, cursor.section);
    }
    cursor = {cursor.section + 1};
  }
  const auto count = static_cast<uint32_t>(sections().size());
  return cursor.section < count ? ok_status() : check_padding(count);
}

std::span<const std::byte> Program::section_bytes(uint32_t section) const {
  const SectionRecord& record = sections()[section];
  const bool external =
      record.kind == static_cast<uint32_t>(format::SectionKind::kExternalConstants);
  const std::span<const std::byte> file = external ? constant_file_ : file_;
  // Records lie in the file, of which only a part may be here.
  if (record.offset + record.bytes > file.size()) {
    return {};
  }
  return {file.data() + record.offset, record.bytes};
}

std::span<const std::byte> Program::section(format::SectionKind kind) const {
  for (uint32_t i = 0; i < sections().size(); ++i) {
    if (sections()[i].kind == static_cast<uint32_t>(kind)) {
      return section_bytes(i);
    }
  }
  return {};
}

Result<uint32_t> Program::find_method(std::string_view name) const {
  uint32_t index = 0;
  for (const format::MethodRecord& method : methods()) {
    if (string(method.name_offset, method.name_bytes) == name) {
      return index;
    }
    ++index;
  }
  return error(Code::kNoSuchMethod);
}

Result<uint32_t> Program::choose_variant(uint32_t method, const Capabilities& have,
                                         uint32_t from) const {
  if (method >= methods().size()) {
    return error(Code::kNoSuchMethod);
  }
  uint32_t first_missed = kNoIndex;
  for (uint32_t i = from; i < methods()[method].variant_count; ++i) {
    const format::VariantRecord& variant = variants()[methods()[method].variant_first + i];
    uint32_t missed = kNoIndex;
    for (uint32_t k = 0; k < variant.requirement_count && missed == kNoIndex; ++k) {
      const auto& requirement = requirements()[variant.requirement_first + k];
      if (!have.meets(requirement.id, requirement.minimum)) {
        missed = variant.requirement_first + k;
      }
    }
    if (missed == kNoIndex) {
      return i;
    }
    first_missed = first_missed == kNoIndex ? missed : first_missed;
  }
  return error(Code::kNoUsableVariant, first_missed);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
