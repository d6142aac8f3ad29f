// Reads the samples of a folder.
#include "tools/arenite/calibration.h"

#include <algorithm>

#include "support/printable.h"
#include "support/word_errors.h"
#include "tools/arenite/input_files.h"
#include "tools/evaluate/sample_files.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

class Reading {
 public:
  Reading(const planner::Graph& graph, const ImageArguments& images)
      : graph_(graph), options_(parse_image_options(images)) {}

  std::vector<planner::Sample> from_file(const fs::path& file) {
    if (graph_.inputs.size() != 1) {
      throw InputError(file.string() + ": the model has " + std::to_string(graph_.inputs.size()) +
                       " inputs (" + input_names() +
                       "): expected a folder with a file for each as a sample");
    }
    HostTensor tensor = read(file, 0);
    const HostTensor form = form_of(0);
    const bool is_stack = tensor.dims.size() == form.dims.size() + 1 &&
                          tensor.dtype == form.dtype &&
                          std::equal(form.dims.begin(), form.dims.end(), tensor.dims.begin() + 1);
    if (!is_stack) {
      expect(file, 0, tensor);
      return {{std::move(tensor.bytes)}};
    }
    std::vector<planner::Sample> samples;
    const size_t bytes = graph_.values[graph_.inputs[0]].dense_bytes();
    for (size_t at = 0; at + bytes <= tensor.bytes.size() && bytes != 0; at += bytes) {
      const auto begin = tensor.bytes.begin() + static_cast<std::ptrdiff_t>(at);
      samples.push_back({{begin, begin + static_cast<std::ptrdiff_t>(bytes)}});
    }
    return samples;
  }

  planner::Sample from_folder(const fs::path& folder) {
    planner::Sample sample(graph_.inputs.size());
    std::vector<bool> given(graph_.inputs.size(), false);
    for (const fs::path& file : entries_of(folder)) {
      if (!may_be_sample(file)) {
        skipped_.push_back((folder.filename() / file.filename()).string());
        continue;
      }
      const size_t input = input_of(file);
      if (given[input]) {
        throw InputError(file.string() + ": input " + quote(name_of(input)) + " is given twice");
      }
      given[input] = true;
      HostTensor tensor = read(file, input);
      expect(file, input, tensor);
      sample[input] = std::move(tensor.bytes);
    }
    for (size_t i = 0; i < given.size(); ++i) {
      if (!given[i]) throw InputError(folder.string() + ": no file for input " + quote(name_of(i)));
    }
    return sample;
  }

  uint32_t images() const { return images_; }
  // Entries of the samples' folders that were skipped.
  const std::vector<std::string>& skipped() const { return skipped_; }

 private:
  const std::string& name_of(size_t input) const {
    return graph_.values[graph_.inputs[input]].name;
  }
  std::string input_names() const {
    std::string names;
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      names += (i == 0 ? "" : ", ") + quote(name_of(i));
    }
    return names;
  }

  size_t input_of(const fs::path& file) const {
    const std::string stem = file.stem().string();
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      if (stem == file_stem(name_of(i)) || stem == "input_" + std::to_string(i)) return i;
    }
    throw InputError(file.string() + ": no input of the model is called so, expected " +
                     input_names());
  }

  HostTensor form_of(size_t input) const {
    const planner::Value& value = graph_.values[graph_.inputs[input]];
    return {value.dtype, planner::bounds(value.dims), {}};
  }

  HostTensor read(const fs::path& file, size_t input) {
    return read_input_file(file, form_of(input), name_of(input), options_, images_);
  }

  void expect(const fs::path& file, size_t input, const HostTensor& found) const {
    const HostTensor form = form_of(input);
    if (found.dtype == form.dtype && found.dims == form.dims) return;
    throw InputError(file.string() + ": expected " + describe(form.dtype, form.dims) +
                     " for input " + quote(name_of(input)) + ", found " +
                     describe(found.dtype, found.dims));
  }

  const planner::Graph& graph_;
  ImageOptions options_;
  uint32_t images_ = 0;
  std::vector<std::string> skipped_;
};

}  // namespace

Calibration read_samples(const fs::path& folder, const planner::Graph& graph,
                         const ImageArguments& images) {
  if (!fs::is_directory(folder))
    throw FileError(folder.string() + ": expected a folder", folder, {"/"});
  Reading reading(graph, images);
  Calibration read;
  for (const fs::path& entry : entries_of(folder)) {
    const bool is_folder = fs::is_directory(entry);
    if (is_folder ? !holds_samples(entry) : !may_be_sample(entry)) {
      read.skipped.push_back(entry.filename().string());
    } else if (is_folder) {
      read.samples.push_back(reading.from_folder(entry));
    } else {
      for (planner::Sample& one : reading.from_file(entry)) read.samples.push_back(std::move(one));
    }
  }
  read.skipped.insert(read.skipped.end(), reading.skipped().begin(), reading.skipped().end());
  if (read.samples.empty()) {
    throw InputError(folder.string() + ": " +
                     (read.skipped.empty() ? "is empty" : "has no sample") +
                     ", expected samples: .npy, .pb, .bin or images" +
                     (read.skipped.empty() ? "" : "; found " + some_of(read.skipped)));
  }
  expect_images(images, reading.images(), "no sample");
  return read;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
