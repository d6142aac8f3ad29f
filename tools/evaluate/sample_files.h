// The files of a folder that may be samples of what a model sees.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace arenite::tools {

// The entries of a folder that are not hidden, in the order of names. Throws InputError.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

// Whether a file is called as a sample is: .npy, .pb, .bin, an image, or without a suffix.
bool may_be_sample(const std::filesystem::path& file);

// Whether a folder is empty, or has an entry that may be a sample.
bool holds_samples(const std::filesystem::path& folder);

// The first few names, and how many more there are.
std::string some_of(const std::vector<std::string>& names);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
