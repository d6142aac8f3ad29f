// Gives a program the file that holds its constants, where they are not in its own.
#include "core/checksum.h"
#include "core/program.h"

namespace arenite {

Status Program::attach_constants(std::span<const std::byte> file) {
  using format::ConstantFileHeader;
  const auto records = constant_files();
  if (records.empty()) {
    return error(Code::kUnsupported);
  }
  if (reinterpret_cast<uintptr_t>(file.data()) % alignof(ConstantFileHeader) != 0) {
    return error(Code::kBadAlignment);
  }
  if (file.size() < sizeof(ConstantFileHeader)) {
    return error(Code::kTruncated);
  }
  const auto& header =
      *static_cast<const ConstantFileHeader*>(static_cast<const void*>(file.data()));
  if (header.magic[0] != format::kMagic0 || header.magic[1] != format::kConstantFileMagic1) {
    return error(Code::kBadMagic);
  }
  if (checksum(file.first(offsetof(ConstantFileHeader, header_checksum))) !=
      header.header_checksum) {
    return error(Code::kBadChecksum);
  }
  if (header.version != format::kConstantFileVersion) {
    return error(Code::kBadVersion, header.version);
  }
  if (header.file_bytes != records[0].bytes || header.digest[0] != records[0].digest[0] ||
      header.digest[1] != records[0].digest[1]) {
    return error(Code::kWrongConstants);
  }
  if (file.size() < header.file_bytes) {
    return error(Code::kTruncated);
  }
  constant_file_ = file.first(header.file_bytes);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
