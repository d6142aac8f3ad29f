// Walks the section headers of an ELF image.
#include "tools/target/elf.h"

#include <cstring>
#include <span>
#include <vector>

#include "tools/io/tensor.h"
#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

// Where fields lie in the two classes of ELF.
struct Fields {
  size_t address_bytes;                                 // of addresses, offsets and sizes
  size_t sections, section_count, section_names_index;  // in the header
  size_t section_bytes, type, flags, offset, size, link;
  size_t symbol_bytes, symbol_value;
};
constexpr Fields kElf32 = {4, 32, 48, 50, 40, 4, 8, 16, 20, 24, 16, 4};
constexpr Fields kElf64 = {8, 40, 60, 62, 64, 4, 8, 24, 32, 40, 24, 8};

constexpr size_t kClassAt = 4;
constexpr unsigned char kClass64 = 2;
constexpr size_t kHeaderBytesMin = 52;
constexpr uint32_t kTypeSymbols = 2, kTypeNoBits = 8;
constexpr uint32_t kFlagWrite = 1, kFlagAlloc = 2;

class Reader {
 public:
  Reader(const std::filesystem::path& path) : path_(path), bytes_(read_file(path)) {
    unsigned char ident[] = {0x7f, 'E', 'L', 'F', 1, 1};  // the last: little-endian
    if (bytes_.size() >= kHeaderBytesMin && word(kClassAt, 1) == kClass64) {
      ident[kClassAt] = kClass64;
      fields_ = kElf64;
    }
    if (bytes_.size() < kHeaderBytesMin || std::memcmp(bytes_.data(), ident, sizeof ident) != 0) {
      fail("expected a little-endian ELF image");
    }
  }

  const Fields& fields() const { return fields_; }

  [[noreturn]] void fail(const char* what) const { throw RunError(path_.string() + ": " + what); }

  uint32_t word(size_t at, size_t bytes = 4) const {
    if (at > bytes_.size() || bytes > bytes_.size() - at) fail("ends before what it announces");
    uint32_t word = 0;
    for (size_t i = 0; i < bytes; ++i) {
      word |= std::to_integer<uint32_t>(bytes_[at + i]) << (8 * i);
    }
    return word;
  }

  // An address, offset or size. Images lie in the first 4 GiB.
  uint32_t address(size_t at) const {
    if (fields_.address_bytes == 8 && word(at + 4) != 0) fail("lies beyond the first 4 GiB");
    return word(at);
  }

  std::string text(size_t at) const {
    std::string text;
    for (; word(at, 1) != 0; ++at) text += static_cast<char>(word(at, 1));
    return text;
  }

 private:
  std::filesystem::path path_;
  std::vector<std::byte> bytes_;
  Fields fields_ = kElf32;
};

// Sections of memory.ld that reserve memory: for the stack, and for arenas.
bool is_reserved(const std::string& name) {
  return name == ".stack" || name.starts_with(".arena_");
}

void add_section(const Reader& reader, size_t header, size_t names, ElfImage& image) {
  const Fields& at = reader.fields();
  const uint32_t type = reader.word(header + at.type), flags = reader.word(header + at.flags);
  const uint32_t bytes = reader.address(header + at.size);
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
  const Fields& fields = reader.fields();
  const size_t first = reader.address(header + fields.offset);
  const size_t end = first + reader.address(header + fields.size);
  for (size_t at = first; at + fields.symbol_bytes <= end; at += fields.symbol_bytes) {
    const uint32_t name = reader.word(at);
    if (name == 0) continue;
    image.symbols[reader.text(names + name)] = reader.word(at + fields.symbol_value);
  }
}

}  // namespace

ElfImage read_elf(const std::filesystem::path& path) {
  const Reader reader(path);
  const Fields& at = reader.fields();
  const size_t headers = reader.address(at.sections), count = reader.word(at.section_count, 2);
  const auto header_of = [&](size_t index) { return headers + index * at.section_bytes; };
  const size_t names_index = reader.word(at.section_names_index, 2);
  const size_t section_names = reader.address(header_of(names_index) + at.offset);
  ElfImage image;
  for (size_t i = 0; i < count; ++i) {
    const size_t header = header_of(i);
    add_section(reader, header, section_names, image);
    if (reader.word(header + at.type) != kTypeSymbols) continue;
    const size_t names_header = header_of(reader.word(header + at.link));
    add_symbols(reader, header, reader.address(names_header + at.offset), image);
  }
  return image;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
