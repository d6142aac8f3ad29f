// Lists folders and tells samples by the names of their files.
#include "tools/evaluate/sample_files.h"

#include <algorithm>

#include "support/errors.h"
#include "support/printable.h"
#include "tools/images/image.h"

namespace arenite::tools {

namespace fs = std::filesystem;

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!entry.path().filename().string().starts_with(".")) entries.push_back(entry.path());
  }
  if (error) throw InputError(folder.string() + ": cannot be read: " + error.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool may_be_sample(const fs::path& file) {
  const std::string suffix = file.extension().string();
  return suffix.empty() || suffix == ".npy" || suffix == ".pb" || suffix == ".bin" ||
         is_image_path(file);
}

bool holds_samples(const fs::path& folder) {
  const std::vector<fs::path> entries = entries_of(folder);
  return entries.empty() || std::any_of(entries.begin(), entries.end(), may_be_sample);
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr size_t kNamesMax = 5;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kNamesMax); ++i) {
    text += (i == 0 ? "" : ", ") + printable(names[i]);
  }
  const bool all = names.size() <= kNamesMax;
  return text + (all ? "" : " and " + std::to_string(names.size() - kNamesMax) + " more");
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
