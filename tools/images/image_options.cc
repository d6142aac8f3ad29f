// Reads the options that say how an image becomes an input.
#include <algorithm>
#include <cmath>

#include "support/parse_number.h"
#include "support/printable.h"
#include "support/split.h"
#include "tools/images/preprocess.h"

namespace arenite::tools {
namespace {

[[noreturn]] void fail(const std::string& option, const std::string& text) {
  throw InputError("--" + option + ": expected a number, or one a channel, like 127.5, 1/255 or " +
                   "123.675,116.28,103.53; found " + quote(text));
}

std::vector<double> parse_numbers(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  if (text.empty()) return numbers;
  for (const std::string& part : split_at_commas(text)) {
    const std::string_view entry = part;
    const size_t slash = std::min(entry.find('/'), entry.size());
    const auto above = parse_number<double>(entry.substr(0, slash));
    const auto below = slash < entry.size() ? parse_number<double>(entry.substr(slash + 1)) : 1.0;
    if (!above || !below || !std::isfinite(*above / *below)) fail(option, text);
    numbers.push_back(*above / *below);
  }
  return numbers;
}

// Whether the second of two words was given; nothing where none was.
std::optional<bool> parse_choice(const std::string& option, const std::string& text,
                                 const char* first, const char* second) {
  if (text.empty()) return std::nullopt;
  if (text != first && text != second) {
    throw InputError("--" + option + ": expected " + first + " or " + second + ", found " +
                     quote(text));
  }
  return text == second;
}

ImageFit parse_fit(const ImageArguments& arguments) {
  const bool letterbox = !arguments.letterbox.empty();
  if (int{arguments.resize} + int{letterbox} + int{arguments.center_crop} > 1) {
    throw InputError("--resize, --letterbox and --center-crop: expected one of them");
  }
  if (letterbox) return ImageFit::kLetterbox;
  if (arguments.center_crop) return ImageFit::kCrop;
  return arguments.resize ? ImageFit::kStretch : ImageFit::kRefuse;
}

float parse_bars(const std::string& text) {
  const std::optional<double> sample = parse_number<double>(text);
  if (!sample || !(*sample >= 0 && *sample <= 255)) {
    throw InputError("--letterbox: expected the sample of the bars, from 0 to 255, found " +
                     quote(text));
  }
  return static_cast<float>(*sample);
}

}  // namespace

bool ImageOptions::any() const {
  return !mean.empty() || !scale.empty() || bgr.has_value() || layout.has_value() ||
         fit != ImageFit::kRefuse;
}

ImageOptions parse_image_options(const ImageArguments& arguments) {
  ImageOptions options;
  options.mean = parse_numbers("mean", arguments.mean);
  options.scale = parse_numbers("scale", arguments.scale);
  options.bgr = parse_choice("channels", arguments.channels, "rgb", "bgr");
  if (const auto last = parse_choice("layout", arguments.layout, "nchw", "nhwc")) {
    options.layout = *last ? ImageLayout::kChannelsLast : ImageLayout::kChannelsFirst;
  }
  options.fit = parse_fit(arguments);
  if (options.fit == ImageFit::kLetterbox) options.bars = parse_bars(arguments.letterbox);
  return options;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
