// Reads --input files, tensors and images.
#include "tools/arenite/input_files.h"

#include "support/file.h"
#include "tools/arenite/proto_format.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

// The names of the options given: "--mean, --resize".
std::string given_options(const ImageArguments& images) {
  std::string text;
  for (const std::string& word : image_option_words(images)) {
    if (word.starts_with("--")) text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

}  // namespace

void add_inputs(Options& options, InputArguments& arguments) {
  options
      .add("--input", arguments.files,
           "An input: a tensor (.npy, .pb or .bin) or an image (.png, .jpg). NAME= may be left out "
           "when there is one input. Of tensors, one more leading dimension N runs N times and "
           "stacks the outputs")
      .value_name("NAME=FILE");
  add_image_options(options, arguments.images);
}

void add_image_options(Options& options, ImageArguments& images) {
  options
      .add("--mean", images.mean,
           "Subtracted from an image's samples, which are 0 to 255; one number, or one a channel "
           "as the network sees them (default: 0)")
      .value_name("M,...");
  options
      .add("--scale", images.scale,
           "Multiplies what --mean leaves: (sample - mean) * scale; 1/255 is a number too "
           "(default: 1)")
      .value_name("S,...");
  options.add("--channels", images.channels, "Order of an image's channels: rgb (default) or bgr")
      .value_name("ORDER");
  options
      .add("--layout", images.layout, "nchw or nhwc: which an input is whose shape may be either")
      .value_name("LAYOUT");
  options.add("--resize", images.resize,
              "Scale an image of another size, bilinear; its aspect ratio is not kept");
  options
      .add("--letterbox", images.letterbox,
           "Scale an image of another size so that all of it is seen, between bars of this sample "
           "(0 to 255; detectors are often trained with 114)")
      .value_name("SAMPLE");
  options.add("--center-crop", images.center_crop,
              "Scale the middle of an image of another size: as much as has the input's aspect "
              "ratio");
}

std::vector<std::string> image_option_words(const ImageArguments& images) {
  std::vector<std::string> words;
  const auto add = [&words](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--mean", images.mean);
  add("--scale", images.scale);
  add("--channels", images.channels);
  add("--layout", images.layout);
  if (images.resize) words.emplace_back("--resize");
  add("--letterbox", images.letterbox);
  if (images.center_crop) words.emplace_back("--center-crop");
  return words;
}

HostTensor read_input_file(const std::filesystem::path& path, const HostTensor& form,
                           const std::string& input, const ImageOptions& options,
                           uint32_t& images) {
  const bool unnamed = is_stream(path) || !path.has_extension();
  if (!unnamed && !is_image_path(path)) {
    return read_tensor(path, form.dtype, form.dims, &kProtoFormat);
  }
  std::vector<std::byte> bytes = read_file(path);
  if (unnamed && !is_image(bytes)) {
    return parse_stream(std::move(bytes), path.string(), form.dtype, form.dims);
  }
  ++images;
  return image_tensor(bytes, path.string(), form, input, options);
}

void expect_images(const ImageArguments& images, uint32_t found, const std::string& where) {
  if (found == 0 && parse_image_options(images).any()) {
    throw InputError(given_options(images) + ": for images, and " + where + " is one (.png, .jpg)");
  }
}

std::vector<std::optional<HostTensor>> read_inputs(const ProgramFile& file, uint32_t method,
                                                   const InputArguments& arguments) {
  const ImageOptions options = parse_image_options(arguments.images);
  uint32_t images = 0;
  const auto read = [&](const std::filesystem::path& path, const HostTensor& form,
                        const std::string& input) {
    return read_input_file(path, form, input, options, images);
  };
  auto inputs = read_inputs(file, method, arguments.files, InputReader(read));
  expect_images(arguments.images, images, "no --input");
  return inputs;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
