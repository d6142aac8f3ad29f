// Samples with their right answers: a folder for each class, or a CSV file of files and labels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace arenite::tools {

struct LabeledSample {
  std::string name;  // the file, from the folder or the folder of the CSV file on
  std::filesystem::path file;
  uint64_t label = 0;  // an index of a class
};

struct LabeledSamples {
  std::vector<LabeledSample> samples;
  std::vector<std::string> classes;  // the names, by index
  std::string classes_by;            // how names became indices: "names of folders, sorted"
  std::vector<std::string> skipped;  // files and folders that are called as no sample is
};

// `from` is a folder with a folder of samples for each class, or a .csv file. Its columns are those
// called `file` and `label`; where the first row has no such names, it is a sample like the others,
// and the first two columns are meant. Files are relative to the CSV file's folder.
//
// A class is the index of an output's element. `labels` are the names of classes in the order of
// indices; where they are not known (empty), names that are whole numbers are indices themselves,
// and others are sorted by their bytes. Throws InputError, which begins with the file's or folder's
// name.
LabeledSamples list_labeled_samples(const std::filesystem::path& from,
                                    const std::vector<std::string>& labels);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
