// Decodes, turns and resizes images.
#include "tools/images/image.h"

#include <limits>
#include <memory>

#include "tools/images/stb.h"
#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

// The place where the pixel at (x, y) of the upright image is stored.
struct Pixel {
  uint32_t x, y;
};
Pixel stored_pixel(const ImageInfo& info, uint32_t x, uint32_t y) {
  const uint32_t right = info.width - 1, bottom = info.height - 1;
  switch (info.orientation) {
    case 2:
      return {right - x, y};
    case 3:
      return {right - x, bottom - y};
    case 4:
      return {x, bottom - y};
    case 5:
      return {y, x};
    case 6:
      return {y, bottom - x};
    case 7:
      return {right - y, bottom - x};
    case 8:
      return {right - y, x};
    default:
      return {x, y};
  }
}

template <typename Sample>
void fill(Image& image, const ImageInfo& info, const Sample* from) {
  // 65535 = 257 * 255.
  constexpr float kUnit = sizeof(Sample) == 2 ? 257.0f : 1.0f;
  float* to = image.samples.data();
  for (uint32_t y = 0; y < image.height; ++y) {
    for (uint32_t x = 0; x < image.width; ++x) {
      const Pixel pixel = stored_pixel(info, x, y);
      const size_t at = (size_t{pixel.y} * info.width + pixel.x) * image.channels;
      for (uint32_t c = 0; c < image.channels; ++c) {
        *to++ = static_cast<float>(from[at + c]) / kUnit;
      }
    }
  }
}

}  // namespace

bool is_image_path(const std::filesystem::path& path) {
  std::string suffix = path.extension().string();
  for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return suffix == ".png" || suffix == ".jpg" || suffix == ".jpeg";
}

Image decode_image(std::span<const std::byte> file, const std::string& name, const ImageInfo& info,
                   uint32_t channels) {
  if (file.size() > size_t{std::numeric_limits<int>::max()}) {
    throw InputError(name + ": an image file of more than 2 GiB");
  }
  const auto* bytes = reinterpret_cast<const stbi_uc*>(file.data());
  const auto size = static_cast<int>(file.size());
  const auto wanted = static_cast<int>(channels);
  int width = 0, height = 0, stored_channels = 0;
  decoder_bytes_max = decoder_bytes_for(info.width, info.height);
  void* decoded = info.wide ? static_cast<void*>(stbi_load_16_from_memory(
                                  bytes, size, &width, &height, &stored_channels, wanted))
                            : static_cast<void*>(stbi_load_from_memory(bytes, size, &width, &height,
                                                                       &stored_channels, wanted));
  const std::unique_ptr<void, void (*)(void*)> samples(decoded, std::free);
  if (decoded == nullptr) {
    const std::string why = stbi_failure_reason();
    throw InputError(
        name + ": cannot be decoded: " +
        (why == "Out of memory" ? "it asks for more memory than an image takes" : why));
  }
  if (width != static_cast<int>(info.width) || height != static_cast<int>(info.height)) {
    throw InputError(name + ": damaged: its parts disagree about the size");
  }
  Image image{info.upright_width(), info.upright_height(), channels, {}};
  image.samples.resize(size_t{image.width} * image.height * channels);
  if (info.wide) {
    fill(image, info, static_cast<const uint16_t*>(decoded));
  } else {
    fill(image, info, static_cast<const uint8_t*>(decoded));
  }
  return image;
}

Image cropped(const Image& image, uint32_t left, uint32_t top, uint32_t width, uint32_t height) {
  Image part{width, height, image.channels, {}};
  const size_t row = size_t{width} * image.channels;
  part.samples.reserve(row * height);
  for (uint32_t y = 0; y < height; ++y) {
    const size_t at = (size_t{top + y} * image.width + left) * image.channels;
    const auto begin = image.samples.begin() + static_cast<std::ptrdiff_t>(at);
    part.samples.insert(part.samples.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
  }
  return part;
}

Image resize_image(const Image& image, const std::string& name, uint32_t width, uint32_t height) {
  // stb keeps as many finished rows as the filter is high, and counts their bytes in an int.
  const uint64_t rows = 2 * (uint64_t{image.height} / height + 2);
  const uint64_t columns = image.width + 2 * (uint64_t{image.width} / width + 2);
  const uint64_t samples = rows * width + columns;
  Image resized{width, height, image.channels, {}};
  if (samples * image.channels * sizeof(float) < uint64_t{std::numeric_limits<int>::max()} / 2) {
    resized.samples.resize(size_t{width} * height * image.channels);
    const auto number = [](uint32_t n) { return static_cast<int>(n); };
    const int done = stbir_resize(
        image.samples.data(), number(image.width), number(image.height), 0, resized.samples.data(),
        number(width), number(height), 0, STBIR_TYPE_FLOAT, number(image.channels),
        STBIR_ALPHA_CHANNEL_NONE, 0, STBIR_EDGE_CLAMP, STBIR_EDGE_CLAMP, STBIR_FILTER_TRIANGLE,
        STBIR_FILTER_TRIANGLE, STBIR_COLORSPACE_LINEAR, nullptr);
    if (done != 0) return resized;
  }
  throw InputError(name + ": cannot be resized from " + std::to_string(image.width) + " x " +
                   std::to_string(image.height) + " to " + std::to_string(width) + " x " +
                   std::to_string(height) + ": too far apart");
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
