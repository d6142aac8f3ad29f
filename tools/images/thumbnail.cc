// Shrinks images and writes them as PNG files in memory.
#include "tools/images/thumbnail.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/errors.h"
#include "tools/images/stb.h"
#include "tools/io/difference.h"

namespace arenite::tools {
namespace {

void append_bytes(void* to, void* data, int size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  static_cast<std::vector<std::byte>*>(to)->insert(static_cast<std::vector<std::byte>*>(to)->end(),
                                                   bytes, bytes + size);
}

std::vector<std::byte> small_png(const Image& image, const std::string& name, uint32_t side) {
  const double scale =
      std::min(1.0, static_cast<double>(side) / std::max(image.width, image.height));
  const auto shrunk = [scale](uint32_t size) {
    return std::max(1u, static_cast<uint32_t>(std::lround(size * scale)));
  };
  const uint32_t width = shrunk(image.width), height = shrunk(image.height);
  const Image small = scale < 1 ? resize_image(image, name, width, height) : image;
  std::vector<uint8_t> samples(small.samples.size());
  std::ranges::transform(small.samples, samples.begin(), [](float sample) {
    return static_cast<uint8_t>(std::lround(std::clamp(sample, 0.0f, 255.0f)));
  });
  std::vector<std::byte> file;
  const int channels = static_cast<int>(small.channels);
  stbi_write_png_to_func(append_bytes, &file, static_cast<int>(width), static_cast<int>(height),
                         channels, samples.data(), static_cast<int>(width) * channels);
  return file;
}

}  // namespace

std::vector<std::byte> thumbnail(std::span<const std::byte> file, const std::string& name,
                                 uint32_t side) {
  return small_png(decode_image(file, name, read_image_info(file, name), 3), name, side);
}

std::vector<std::byte> thumbnail(const HostTensor& tensor, const ImageOptions& options,
                                 uint32_t side) {
  ImageForm form;
  try {
    form = image_form(tensor, "", options.layout);
  } catch (const InputError&) {
    return {};
  }
  const uint64_t pixels = uint64_t{form.width} * form.height;
  if (pixels > kImagePixelsMax || std::max(form.width, form.height) > kImageSideMax) return {};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double least = kInfinity, greatest = -kInfinity;
  for (uint64_t i = 0; i < pixels * form.channels; ++i) {
    const double element = number_at(tensor, i);
    if (!std::isfinite(element)) continue;
    least = std::min(least, element);
    greatest = std::max(greatest, element);
  }
  const double scale = greatest > least ? 255 / (greatest - least) : 0;
  const bool planes = form.layout == ImageLayout::kChannelsFirst;
  Image image{form.width, form.height, form.channels, {}};
  image.samples.resize(pixels * form.channels);
  for (uint64_t p = 0; p < pixels; ++p) {
    for (uint32_t c = 0; c < form.channels; ++c) {
      const uint32_t channel = options.bgr.value_or(false) && c < 3 ? 2 - c : c;
      const double element =
          number_at(tensor, planes ? channel * pixels + p : p * form.channels + channel);
      image.samples[p * form.channels + c] =
          std::isfinite(element) ? static_cast<float>((element - least) * scale) : 0;
    }
  }
  return small_png(image, "a tensor", side);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
