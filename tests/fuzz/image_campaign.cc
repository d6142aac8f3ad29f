// Damages PNG and JPEG files and reads them: each must give an image of the size its header says,
// or an error with a text.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/crc32.h"
#include "tests/fuzz/campaign.h"
#include "tools/images/image.h"
#include "tools/images/stb.h"
#include "tools/io/tensor.h"

namespace arenite::fuzz {
namespace {

namespace fs = std::filesystem;

struct Seed {
  std::string name;
  Bytes bytes;
};

void append(void* to, void* data, int size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  static_cast<Bytes*>(to)->insert(static_cast<Bytes*>(to)->end(), bytes, bytes + size);
}

// A PNG and a JPEG for each number of channels, and two JPEGs of codings that no writer here has.
std::vector<Seed> make_seeds() {
  constexpr int kWidth = 21, kHeight = 18;
  std::vector<Seed> seeds;
  for (int channels = 1; channels <= 4; ++channels) {
    std::vector<uint8_t> samples(size_t{kWidth} * kHeight * static_cast<size_t>(channels));
    for (size_t i = 0; i < samples.size(); ++i) {
      samples[i] = static_cast<uint8_t>(i * 37 ^ i / 5);
    }
    const std::string name = std::to_string(channels) + " channels";
    seeds.push_back({"png, " + name, {}});
    stbi_write_png_to_func(append, &seeds.back().bytes, kWidth, kHeight, channels, samples.data(),
                           0);
    seeds.push_back({"jpeg, " + name, {}});
    stbi_write_jpg_to_func(append, &seeds.back().bytes, kWidth, kHeight, channels, samples.data(),
                           channels < 3 ? 95 : 60);
  }
  for (const char* name : {"progressive.jpg", "cmyk.jpg"}) {
    std::ifstream stream(fs::path(ARENITE_SOURCE_DIR) / "tests/tools/images" / name,
                         std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
    Bytes bytes(text.size());
    if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
    seeds.push_back({name, std::move(bytes)});
  }
  return seeds;
}

// Makes the checksums of a PNG's chunks right again, so that the decoder sees the damage.
void repair_checksums(Bytes& png) {
  const auto number = [&](size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<uint32_t>(png[at + i]);
    return value;
  };
  for (size_t at = 8; at + 12 <= png.size();) {
    const size_t length = number(at);
    if (length > png.size() - at - 12) return;
    const uint32_t crc = crc32(std::span(png).subspan(at + 4, 4 + length));
    for (size_t i = 0; i < 4; ++i) {
      png[at + 8 + length + i] = static_cast<std::byte>(crc >> (24 - 8 * i));
    }
    at += 12 + length;
  }
}

// The pixels' own bytes, in a walk that a decoder is sure to take.
void flip_late_bytes(Bytes& bytes, Random& random) {
  for (uint64_t n = 1 + random.below(4); n > 0; --n) {
    const size_t at = bytes.size() / 4 + random.below(bytes.size() - bytes.size() / 4);
    bytes[at] = static_cast<std::byte>(random.below(256));
  }
}

int run(const Options& options) {
  const std::vector<Seed> seeds = make_seeds();
  uint64_t decoded = 0, refused = 0;
  CostMeter cost({.peak_bytes = uint64_t{1} << 30,
                  .allocated_bytes = uint64_t{2} << 30,
                  .allocations = 100000});
  for (uint64_t i = options.first; i < options.count; ++i) {
    Random random(options.seed * 1000003 + i);
    const Seed& seed = seeds[random.below(seeds.size())];
    Bytes bytes = seed.bytes;
    if (!random.chance(200)) {
      if (random.chance(2)) {
        flip_late_bytes(bytes, random);
      } else {
        for (uint64_t n = 1 + random.below(3); n > 0; --n) mutate_bytes(bytes, random);
      }
      if (!random.chance(8)) repair_checksums(bytes);
    }
    const std::string name = seed.name + " #" + std::to_string(i);
    cost.start(name);
    try {
      const tools::ImageInfo info = tools::read_image_info(bytes, name);
      const uint32_t channels = random.chance(2) ? 3 : random.chance(2) ? 1 : 4;
      const tools::Image image = tools::decode_image(bytes, name, info, channels);
      if (image.samples.size() != size_t{image.width} * image.height * channels) return 1;
      if (random.chance(4) && image.samples.size() < 1u << 20) {
        (void)tools::resize_image(image, name, 1 + static_cast<uint32_t>(random.below(40)),
                                  1 + static_cast<uint32_t>(random.below(40)));
      }
      ++decoded;
    } catch (const InputError& error) {
      if (std::strlen(error.what()) <= name.size()) return 1;
      ++refused;
    }
    cost.stop();
  }
  std::printf("image campaign: %llu files, %llu decoded, %llu refused with a message; %s\n",
              static_cast<unsigned long long>(options.count),
              static_cast<unsigned long long>(decoded), static_cast<unsigned long long>(refused),
              cost.highest().c_str());
  return decoded != 0 && refused != 0 ? 0 : 1;
}

}  // namespace
}  // namespace arenite::fuzz

int main(int argc, char** argv) {
  return arenite::fuzz::run(arenite::fuzz::parse_options(argc, argv));
}
// SPDX-License-Identifier: Apache-2.0
