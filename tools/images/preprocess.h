// Makes an image a network's input: the options, the formula, and the layout by its shape.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/images/image.h"
#include "tools/io/tensor.h"

namespace arenite::tools {

// The arguments as given on a command line; empty if not given.
struct ImageArguments {
  std::string mean, scale;  // "127.5" or "123.675,116.28,103.53"; each may be a quotient: "1/255"
  std::string channels;     // "rgb" or "bgr"
  std::string layout;       // "nchw" or "nhwc"
  bool resize = false;
  std::string letterbox;  // the sample of the bars, 0 to 255
  bool center_crop = false;
};

// The way in which an image of another size is made to fit the input.
enum class ImageFit {
  kRefuse,
  kStretch,    // its aspect ratio is not kept
  kLetterbox,  // all of it, in the middle between bars
  kCrop,       // the largest part in the middle that has the input's aspect ratio
};

enum class ImageLayout { kChannelsFirst, kChannelsLast };

struct ImageOptions {
  std::vector<double> mean, scale;  // one, or one a channel in the tensor's order; empty: 0, 1
  std::optional<bool> bgr;
  std::optional<ImageLayout> layout;
  ImageFit fit = ImageFit::kRefuse;
  float bars = 0;  // the sample of kLetterbox's

  bool any() const;  // whether some option was given
};
// Throws InputError that names the option.
ImageOptions parse_image_options(const ImageArguments& arguments);

// An image as an input holds it.
struct ImageForm {
  uint32_t width = 0, height = 0, channels = 0;
  ImageLayout layout = ImageLayout::kChannelsFirst;
};
// Reads an input's dims as those of one image: [H,W], or H, W and 1, 3 or 4 channels, these first
// or last, a leading 1 or none. Throws InputError where they are none, or both ways are possible
// and differ and `layout` doesn't say which.
ImageForm image_form(const HostTensor& form, const std::string& input,
                     std::optional<ImageLayout> layout);

// The image as the input `form` (type and dims, no data) takes it. Each element is
// (sample - mean) * scale, samples from 0 to 255, in the order: decode, turn upright, fit, order
// of channels, formula, rounding to the type (to nearest, halves away from 0 for integers, to even
// for float16). Throws InputError, which begins with `name`, for an image of another size when not
// told how to fit it, a type that holds no image, or numbers that would leave the type's range.
HostTensor image_tensor(std::span<const std::byte> file, const std::string& name,
                        const HostTensor& form, const std::string& input,
                        const ImageOptions& options);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
