// Lists samples, and gives each the index of its class.
#include "tools/evaluate/labeled_samples.h"

#include <algorithm>
#include <map>
#include <optional>

#include "planner/memplan/csv_table.h"
#include "support/errors.h"
#include "support/file.h"
#include "support/parse_number.h"
#include "support/printable.h"
#include "support/suggest.h"
#include "support/word_errors.h"
#include "tools/evaluate/sample_files.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

// No network has more classes; a greater label is a mistake, and would ask for memory.
constexpr uint64_t kClassesMax = 1 << 20;

// A sample before the names of all classes are known.
struct NamedSample {
  LabeledSample sample;
  std::string class_name;
  std::string where;  // begins messages about the name
};

std::optional<uint64_t> class_number(const std::string& name) {
  const std::optional<uint64_t> number = parse_number<uint64_t>(name);
  return number && *number < kClassesMax ? number : std::nullopt;
}

// The index of each name in the list of labels.
uint64_t index_in(const std::vector<std::string>& labels, const std::string& name,
                  const std::string& where) {
  const auto found = std::ranges::find(labels, name);
  if (found == labels.end()) {
    throw InputError(where + ": class " + quote(name) + " is none of the labels" +
                     did_you_mean(name, labels));
  }
  const auto again = std::find(found + 1, labels.end(), name);
  const auto line = [&](auto at) { return std::to_string(at - labels.begin() + 1); };
  if (again != labels.end()) {
    throw InputError(where + ": class " + quote(name) + " is ambiguous: the labels have it in " +
                     "lines " + line(found) + " and " + line(again) +
                     "; expected classes called by their indices, which begin at 0");
  }
  return static_cast<uint64_t>(found - labels.begin());
}

// Fills the classes and the labels of samples. `names` holds every class, also those without a
// sample, with where they stand; `what` is "folders" or "labels".
void index_classes(const std::map<std::string, std::string>& names, const std::string& what,
                   const std::vector<std::string>& labels, std::vector<NamedSample> samples,
                   LabeledSamples& to) {
  const bool numbers = std::ranges::all_of(
      names, [](const auto& name) { return class_number(name.first).has_value(); });
  const bool listed_numbers = std::ranges::any_of(names, [&](const auto& name) {
    return std::ranges::find(labels, name.first) != labels.end();
  });
  std::map<std::string, uint64_t> index;
  if (!labels.empty() && (!numbers || listed_numbers)) {
    to.classes = labels;
    to.classes_by = "lines of --labels";
    for (const auto& [name, where] : names) index[name] = index_in(labels, name, where);
  } else if (numbers) {
    to.classes = labels;
    to.classes_by = what + " are numbers, taken as indices";
    for (const auto& [name, where] : names) {
      index[name] = *class_number(name);
      if (!labels.empty() && index[name] >= labels.size()) {
        throw InputError(where + ": label " + name + " is out of range: --labels has " +
                         std::to_string(labels.size()) + ", so expected 0 to " +
                         std::to_string(labels.size() - 1));
      }
      for (uint64_t c = to.classes.size(); c <= index[name]; ++c) {
        to.classes.push_back(std::to_string(c));
      }
    }
  } else {
    to.classes_by = "names of " + what + ", sorted";
    for (const auto& [name, where] : names) {
      index[name] = to.classes.size();
      to.classes.push_back(name);
    }
  }
  for (NamedSample& named : samples) {
    named.sample.label = index[named.class_name];
    to.samples.push_back(std::move(named.sample));
  }
}

LabeledSamples samples_of_folder(const fs::path& folder, const std::vector<std::string>& labels) {
  LabeledSamples list;
  std::map<std::string, std::string> names;
  std::vector<NamedSample> samples;
  for (const fs::path& entry : entries_of(folder)) {
    const std::string name = entry.filename().string();
    if (!fs::is_directory(entry) || !holds_samples(entry)) {
      list.skipped.push_back(name);
      continue;
    }
    names[name] = entry.string();
    for (const fs::path& file : entries_of(entry)) {
      const std::string from_folder = (entry.filename() / file.filename()).string();
      if (fs::is_directory(file) || !may_be_sample(file)) {
        list.skipped.push_back(from_folder);
      } else {
        samples.push_back({{from_folder, file, 0}, name, entry.string()});
      }
    }
  }
  if (samples.empty()) {
    throw InputError(folder.string() + ": expected a folder for each class with samples in it " +
                     "(.npy, .pb, .bin or images), or a .csv file; found " +
                     (names.empty() && list.skipped.empty() ? "an empty folder"
                      : list.skipped.empty()                ? "empty folders"
                                                            : some_of(list.skipped)));
  }
  index_classes(names, "folders", labels, std::move(samples), list);
  return list;
}

// The numbers of two columns.
struct FileAndLabel {
  size_t file = 0, label = 1;
};

LabeledSamples samples_of_csv(const fs::path& path, const std::vector<std::string>& labels) {
  memory::CsvTable table = memory::read_table(read_text(path), path.string());
  const std::vector<std::string> first = table.header.cells;
  FileAndLabel columns;
  const auto file = std::ranges::find(first, "file"), label = std::ranges::find(first, "label");
  if (file != first.end() && label != first.end()) {
    columns = {static_cast<size_t>(file - first.begin()),
               static_cast<size_t>(label - first.begin())};
  } else if (!first.empty()) {
    table.rows.insert(table.rows.begin(), table.header);
  }
  if (table.rows.empty()) {
    throw InputError(path.string() + ": has no sample; expected rows of file and label");
  }
  std::map<std::string, std::string> names;
  std::vector<NamedSample> samples;
  for (const memory::CsvRow& row : table.rows) {
    const std::string where = path.string() + ", row " + std::to_string(row.number);
    if (row.cells.size() <= std::max(columns.file, columns.label)) {
      throw InputError(where + ": expected a file and a label, found " +
                       std::to_string(row.cells.size()) + " column" +
                       (row.cells.size() == 1 ? "" : "s"));
    }
    const std::string& name = row.cells[columns.file];
    const std::string& class_name = row.cells[columns.label];
    if (name.empty() || class_name.empty()) {
      throw InputError(where + ": the " + (name.empty() ? "file" : "label") + " is empty");
    }
    const fs::path sample = path.parent_path() / name;
    if (!fs::exists(sample)) {
      const bool header = row.number == table.header.number;
      throw InputError(where + ": " + sample.string() + ": no such file" +
                       (header ? "; the columns of a header are called file and label" : ""));
    }
    names.emplace(class_name, where);
    samples.push_back({{name, sample, 0}, class_name, where});
  }
  LabeledSamples list;
  index_classes(names, "labels", labels, std::move(samples), list);
  return list;
}

}  // namespace

LabeledSamples list_labeled_samples(const fs::path& from, const std::vector<std::string>& labels) {
  if (fs::is_directory(from)) return samples_of_folder(from, labels);
  if (!fs::exists(from))
    throw FileError(from.string() + ": no such file or folder", from, {"/", ".csv"});
  if (from.extension() == ".csv") return samples_of_csv(from, labels);
  throw InputError(from.string() + ": expected a folder with a folder for each class, or a .csv " +
                   "file of file and label");
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
