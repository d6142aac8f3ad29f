// The samples that a model is quantized by: a folder of files, or of folders with a file for each
// input.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/quantizer/quantizer.h"
#include "tools/images/preprocess.h"

namespace arenite::tools {

struct Calibration {
  std::vector<planner::Sample> samples;
  std::vector<std::string> skipped;  // files that are called as no sample is, from the folder on
};

// In the order of their names. Files are tensors (.npy, .pb, .bin; with one more leading dimension
// as many samples) or images (.png, .jpg); those of a sample's folder are called as the inputs are,
// or input_0, input_1, ... by their order, and hold one sample. Files of other kinds are skipped,
// and folders without any of these kinds. Throws InputError: no sample, files that no input has,
// tensors of other types or dims.
Calibration read_samples(const std::filesystem::path& folder, const planner::Graph& graph,
                         const ImageArguments& images);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
