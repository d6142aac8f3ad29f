// Walks the section headers of an ELF image.
#include "tools/target/elf.h"

#include <cstring>
#include <span>
#include <vector>

#include "tools/io/tensor.h"
#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

// Field offsets and values of the ELF32 specification.
constexpr size_t kHeaderBytes = 52, kSectionBytes = 40, kSymbolBytes = 16;
constexpr uint32_t kTypeSymbols = 2, kTypeNoBits = 8;
constexpr uint32_t kFlagWrite = 1, kFlagAlloc = 2;

class Reader {
 public:
  Reader(const std::filesystem::path& path) : path_(path), bytes_(read_file(path)) {
    constexpr unsigned char kIdent[] = {0x7f, 'E', 'L', 'F', 1, 1};  // 32 bits, little-endian
    if (bytes_.size() < kHeaderBytes || std::memcmp(bytes_.data(), kIdent, sizeof kIdent) != 0) {
      fail("expected a 32-bit little-endian ELF image");
    }
  }

  [[noreturn]] void fail(const char* what) const { throw RunError(path_.string() + ": " + what); }

  uint32_t word(size_t at, size_t bytes = 4) const {
    if (at > bytes_.size() || bytes > bytes_.size() - at) fail("ends before what it announces");
    uint32_t word = 0;
    for (size_t i = 0; i < bytes; ++i) {
      word |= std::to_integer<uint32_t>(bytes_[at + i]) << (8 * i);
    }
    return word;
  }

  std::string text(size_t at) const {
    std::string text;
    for (; word(at, 1) != 0; ++at) text += static_cast<char>(word(at, 1));
    return text;
  }

 private:
  std::filesystem::path path_;
  std::vector<std::byte> bytes_;
};

// Sections of memory.ld that reserve memory: for the stack, and for arenas.
bool is_reserved(const std::string& name) {
  return name == ".stack" || name.starts_with(".arena_");
}

void add_section(const Reader& reader, size_t header, size_t names, ElfImage& image) {
  const uint32_t type = reader.word(header + 4), flags = reader.word(header + 8);
  const uint32_t bytes = reader.word(header + 20);
  if ((flags & kFlagAlloc) == 0) return;
  if (type == kTypeNoBits) {
    if (!is_reserved(reader.text(names + reader.word(header)))) image.bss_bytes += bytes;
  } else if ((flags & kFlagWrite) != 0) {
    image.data_bytes += bytes;
  } else {
    image.text_bytes += bytes;
  }
}

void add_symbols(const Reader& reader, size_t header, size_t names, ElfImage& image) {
  const size_t first = reader.word(header + 16), bytes = reader.word(header + 20);
  for (size_t at = first; at + kSymbolBytes <= first + bytes; at += kSymbolBytes) {
    const uint32_t name = reader.word(at);
    if (name != 0) image.symbols[reader.text(names + name)] = reader.word(at + 4);
  }
}

}  // namespace

ElfImage read_elf(const std::filesystem::path& path) {
  const Reader reader(path);
  const size_t headers = reader.word(32), count = reader.word(48, 2);
  const size_t section_names = reader.word(headers + reader.word(50, 2) * kSectionBytes + 16);
  ElfImage image;
  for (size_t i = 0; i < count; ++i) {
    const size_t header = headers + i * kSectionBytes;
    add_section(reader, header, section_names, image);
    if (reader.word(header + 4) != kTypeSymbols) continue;
    const size_t names_header = headers + reader.word(header + 24) * kSectionBytes;
    add_symbols(reader, header, reader.word(names_header + 16), image);
  }
  return image;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
