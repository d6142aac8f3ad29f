// Turns a decoded image into an input's elements.
#include "tools/images/preprocess.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "portable_fallback/shared/small_float.h"
#include "support/printable.h"
#include "tools/images/fit.h"

namespace arenite::tools {
namespace {

constexpr double kFloat16Max = 65504;

// The least and the greatest number of a type that can hold an image.
struct Range {
  double low, high;
};
std::optional<Range> range_of(DType dtype) {
  switch (dtype) {
    case DType::kUint8:
      return Range{0, 255};
    case DType::kInt8:
      return Range{-128, 127};
    case DType::kFloat16:
      return Range{-kFloat16Max, kFloat16Max};
    case DType::kFloat32:
      return Range{-std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
    default:
      return std::nullopt;
  }
}

bool is_integer(DType dtype) { return dtype == DType::kUint8 || dtype == DType::kInt8; }

std::string size_text(uint32_t width, uint32_t height) {
  return std::to_string(width) + " x " + std::to_string(height);
}

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

bool same(const ImageForm& a, const ImageForm& b) {
  return a.width == b.width && a.height == b.height && a.channels == b.channels;
}

// The formula's two numbers, by channel.
struct Formula {
  double mean[4], scale[4];

  double operator()(double sample, uint32_t channel) const {
    return (sample - mean[channel]) * scale[channel];
  }
};

void spread(const std::vector<double>& given, const char* option, double otherwise,
            uint32_t channels, const std::string& input, double (&to)[4]) {
  if (given.size() > 1 && given.size() != channels) {
    throw InputError(std::string("--") + option + ": expected one number or " +
                     std::to_string(channels) + ", as input " + quote(input) + " has " +
                     std::to_string(channels) + " channel(s); found " +
                     std::to_string(given.size()));
  }
  for (size_t c = 0; c < 4; ++c) {
    to[c] =
        given.empty() ? otherwise : given[given.size() == 1 ? 0 : std::min(c, given.size() - 1)];
  }
}

double rounded(double number, DType dtype) {
  return is_integer(dtype) ? std::round(number) : number;
}

// Limits a sample to the range that was checked: resizing may leave it by a rounding error.
double clamped(double number, DType dtype) {
  const Range range = *range_of(dtype);
  return std::clamp(rounded(number, dtype), range.low, range.high);
}

// Samples of 0 and 255 must fit, so that none is cut off in silence.
void check_range(const Formula& formula, uint32_t channels, DType dtype, const std::string& input) {
  const Range range = *range_of(dtype);
  for (uint32_t c = 0; c < channels; ++c) {
    for (const double sample : {0.0, 255.0}) {
      const double number = rounded(formula(sample, c), dtype);
      if (number >= range.low && number <= range.high) continue;
      std::string message = "--mean and --scale turn a sample of " + number_text(sample) +
                            " into " + number_text(number) + "; input " + quote(input) + " is " +
                            std::string(text_of(dtype)) + ", from " + number_text(range.low) +
                            " to " + number_text(range.high);
      if (dtype == DType::kInt8) message += " (--mean 128 moves samples there)";
      throw InputError(message);
    }
  }
}

void store(double number, DType dtype, std::byte* to) {
  switch (dtype) {
    case DType::kUint8:
      *to = static_cast<std::byte>(static_cast<uint8_t>(clamped(number, dtype)));
      break;
    case DType::kInt8:
      *to = static_cast<std::byte>(static_cast<int8_t>(clamped(number, dtype)));
      break;
    case DType::kFloat16: {
      const uint16_t bits = double_to_small<kFloat16Format>(number);
      std::memcpy(to, &bits, sizeof bits);
      break;
    }
    default: {
      const auto value = static_cast<float>(number);
      std::memcpy(to, &value, sizeof value);
      break;
    }
  }
}

// The image's channel for a channel of the tensor: alpha stays last.
uint32_t image_channel(uint32_t channel, bool bgr) {
  return bgr && channel < 3 ? 2 - channel : channel;
}

}  // namespace

ImageForm image_form(const HostTensor& form, const std::string& input,
                     std::optional<ImageLayout> layout) {
  std::vector<uint32_t> dims = form.dims;
  const std::string what = "input " + quote(input) + " " + describe(form.dtype, form.dims);
  if (dims.size() == 4) {
    if (dims[0] != 1) {
      throw InputError(what + " takes " + std::to_string(dims[0]) +
                       " images at once, and an image file holds one; give a .npy file");
    }
    dims.erase(dims.begin());
  }
  if (dims.size() == 2) dims.insert(dims.begin(), 1);
  const auto is_channels = [](uint32_t dim) { return dim == 1 || dim == 3 || dim == 4; };
  std::optional<ImageForm> first, last;
  if (dims.size() == 3 && dims[0] != 0 && dims[1] != 0 && dims[2] != 0) {
    if (is_channels(dims[0])) first = {dims[2], dims[1], dims[0], ImageLayout::kChannelsFirst};
    if (is_channels(dims[2]) && form.dims.size() > 2) {
      last = {dims[1], dims[0], dims[2], ImageLayout::kChannelsLast};
    }
  }
  if (layout) (*layout == ImageLayout::kChannelsFirst ? last : first).reset();
  if (first && last && !same(*first, *last)) {
    throw InputError(what + " may be channels, height, width or height, width, channels; " +
                     "--layout nchw or --layout nhwc says which");
  }
  if (first) return *first;
  if (last) return *last;
  throw InputError(what + " takes no image" + (layout ? " in the --layout given" : std::string()) +
                   ": expected dims of one with 1, 3 or 4 channels, [N,C,H,W] or [N,H,W,C]; "
                   "give a .npy file");
}

HostTensor image_tensor(std::span<const std::byte> file, const std::string& name,
                        const HostTensor& form, const std::string& input,
                        const ImageOptions& options) {
  if (!range_of(form.dtype)) {
    throw InputError("input " + quote(input) + " is " + std::string(text_of(form.dtype)) +
                     ", which takes no image: expected uint8, int8, float16 or float32");
  }
  const ImageForm wanted = image_form(form, input, options.layout);
  if (options.bgr && wanted.channels == 1) {
    throw InputError("--channels: input " + quote(input) + " has one channel, which has no order");
  }
  Formula formula{};
  spread(options.mean, "mean", 0, wanted.channels, input, formula.mean);
  spread(options.scale, "scale", 1, wanted.channels, input, formula.scale);
  check_range(formula, wanted.channels, form.dtype, input);

  const ImageInfo info = read_image_info(file, name);
  const uint32_t width = info.upright_width(), height = info.upright_height();
  const bool fits = width == wanted.width && height == wanted.height;
  if (!fits && options.fit == ImageFit::kRefuse) {
    throw InputError(name + ": the image is " + size_text(width, height) +
                     " (width x height), input " + quote(input) + " takes " +
                     size_text(wanted.width, wanted.height) +
                     "; --resize, --letterbox or --center-crop scales it");
  }
  Image image = decode_image(file, name, info, wanted.channels);
  if (!fits) image = fitted(image, name, wanted.width, wanted.height, options);

  HostTensor tensor{form.dtype, form.dims, {}};
  const size_t element = element_bytes(form.dtype);
  const size_t pixels = size_t{wanted.width} * wanted.height;
  const bool planes = wanted.layout == ImageLayout::kChannelsFirst;
  tensor.bytes.resize(pixels * wanted.channels * element);
  for (size_t p = 0; p < pixels; ++p) {
    for (uint32_t c = 0; c < wanted.channels; ++c) {
      const float sample =
          image.samples[p * wanted.channels + image_channel(c, options.bgr.value_or(false))];
      const size_t at = planes ? c * pixels + p : p * wanted.channels + c;
      store(formula(sample, c), form.dtype, tensor.bytes.data() + at * element);
    }
  }
  return tensor;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
