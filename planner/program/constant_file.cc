// Cuts the section of constants out, names it by a digest of its bytes, and refers to that.
#include "planner/program/constant_file.h"

#include <algorithm>
#include <cstring>

#include "core/checksum.h"
#include "planner/program/aligned_program.h"
#include "planner/program/writer.h"
#include "support/hex.h"

namespace arenite::planner {
namespace {

using format::ConstantFileHeader;
using format::SectionKind;

// FNV-1a (Fowler, Noll and Vo; draft-eastlake-fnv).
uint64_t digest_of(std::span<const std::byte> bytes) {
  uint64_t digest = 0xcbf29ce484222325u;
  for (const std::byte byte : bytes) {
    digest = (digest ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3u;
  }
  return digest;
}

// The file with one section of constants behind the header.
ConstantFile file_of(std::span<const std::byte> section) {
  const uint64_t digest = digest_of(section);
  ConstantFileHeader header{};
  header.magic[0] = format::kMagic0;
  header.magic[1] = format::kConstantFileMagic1;
  header.version = format::kConstantFileVersion;
  header.file_bytes = static_cast<uint32_t>(sizeof header + section.size());
  header.digest[0] = static_cast<uint32_t>(digest);
  header.digest[1] = static_cast<uint32_t>(digest >> 32);
  header.header_checksum = checksum(
      std::as_bytes(std::span(&header, 1)).first(offsetof(ConstantFileHeader, header_checksum)));
  ConstantFile file{hex_digits(digest, 16) + ".arnc", {}};
  file.bytes.resize(header.file_bytes);
  std::memcpy(file.bytes.data(), &header, sizeof header);
  std::copy(section.begin(), section.end(), file.bytes.begin() + sizeof header);
  return file;
}

}  // namespace

SplitProgram split_constants(std::span<const std::byte> program) {
  const AlignedProgram opened(program);
  ProgramTables tables = tables_of(*opened);
  // Programs are written with one section of constants at most.
  const auto section =
      std::find_if(tables.sections.begin(), tables.sections.end(),
                   [](const SectionPayload& s) { return s.kind == SectionKind::kConstants; });
  if (section == tables.sections.end()) return {{program.begin(), program.end()}, std::nullopt};
  ConstantFile file = file_of(section->bytes);
  const auto& header =
      *static_cast<const ConstantFileHeader*>(static_cast<const void*>(file.bytes.data()));
  const TextRange name = add_text(tables, file.name);
  tables.constant_files.push_back(
      {name.offset, name.bytes, header.file_bytes, {header.digest[0], header.digest[1]}});
  section->elsewhere = {static_cast<uint32_t>(SectionKind::kExternalConstants),
                        sizeof(ConstantFileHeader), static_cast<uint32_t>(section->bytes.size()),
                        checksum(section->bytes)};
  section->kind = SectionKind::kExternalConstants;
  section->bytes.clear();
  return {write_program(tables), std::move(file)};
}

std::vector<std::byte> with_signature(std::span<const std::byte> program, uint32_t bytes) {
  const AlignedProgram opened(program);
  ProgramTables tables = tables_of(*opened);
  tables.sections.push_back({SectionKind::kSignature, std::vector<std::byte>(bytes)});
  return write_program(tables);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
