// WAV files, as bytes: a header of chunks, then little-endian samples.
#include "wav.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace {

std::uint32_t number(const char* bytes, int count) {
  std::uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

void append(std::string& bytes, std::uint32_t value, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
}

}  // namespace

bool read_wav(const char* path, std::vector<float>& samples, std::string& why) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (!file || bytes.size() < 12 || bytes.compare(0, 4, "RIFF") != 0 ||
      bytes.compare(8, 4, "WAVE") != 0) {
    why = "expected a WAV file";
    return false;
  }
  bool right = false;
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const char* chunk = bytes.data() + at;
    const std::size_t size = std::min<std::size_t>(number(chunk + 4, 4), bytes.size() - at - 8);
    if (std::memcmp(chunk, "fmt ", 4) == 0 && size >= 16) {
      right = number(chunk + 8, 2) == 1 && number(chunk + 10, 2) == 1 &&
              number(chunk + 12, 4) == kRate && number(chunk + 22, 2) == 16;
    } else if (std::memcmp(chunk, "data", 4) == 0 && right) {
      for (std::size_t i = 0; i + 2 <= size; i += 2) {
        samples.push_back(static_cast<std::int16_t>(number(chunk + 8 + i, 2)) / 32768.0f);
      }
      return true;
    }
    at += 8 + size + size % 2;
  }
  why = "expected samples of 16 kHz, 16 bits, mono";
  return false;
}

bool write_wav(const char* path, const std::vector<float>& samples) {
  const auto size = static_cast<std::uint32_t>(2 * samples.size());
  std::string bytes = "RIFF";
  append(bytes, 36 + size, 4);
  bytes += "WAVEfmt ";
  append(bytes, 16, 4);
  append(bytes, 1, 2);  // integers
  append(bytes, 1, 2);  // channel
  append(bytes, kRate, 4);
  append(bytes, 2 * kRate, 4);  // bytes a second
  append(bytes, 2, 2);          // bytes a sample of all channels
  append(bytes, 16, 2);         // bits
  bytes += "data";
  append(bytes, size, 4);
  for (const float sample : samples) {
    const float nearest = std::round(std::clamp(sample * 32768.0f, -32768.0f, 32767.0f));
    append(bytes, static_cast<std::uint32_t>(static_cast<std::int32_t>(nearest)), 2);
  }
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(file.flush());
}
// SPDX-License-Identifier: Apache-2.0
