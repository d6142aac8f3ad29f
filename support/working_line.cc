// Looks for a name like the one that was typed: among the choices of an error, or in the folder.
#include "support/working_line.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "support/printable.h"
#include "support/shell_text.h"
#include "support/suggest.h"
#include "support/word_errors.h"

namespace arenite {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Suffixes that say what a file holds: a file with another one is of no use in its place. Any other
// file of the first kinds may do, as there are no two of them that are not alike.
constexpr std::string_view kSuffixes[] = {".arn", ".onnx", ".tflite", ".bin", ".csv", ".html",
                                          ".jpg", ".json", ".npy",    ".pb",  ".png", ".txt"};
constexpr size_t kAlikeCount = 3;

bool is_known(const std::string& suffix) {
  return std::ranges::find(kSuffixes, suffix) != std::end(kSuffixes);
}

bool is_alike(const std::string& suffix) {
  const auto* end = std::begin(kSuffixes) + kAlikeCount;
  return std::find(std::begin(kSuffixes), end, suffix) != end;
}

bool is_one_of(const std::string& word, const Words& words) {
  return std::ranges::find(words, word) != words.end();
}

// The names in a folder, in order, of what has one of the suffixes ("/": folders); of all for none.
Words names_in(const fs::path& folder, const Words& suffixes) {
  Words names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename().string();
    const std::string suffix = entry.is_directory(error) ? "/" : entry.path().extension().string();
    if (name.starts_with(".") || (!suffixes.empty() && !is_one_of(suffix, suffixes))) continue;
    names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

// The choice that is nearest to `word`, else the only one.
std::optional<std::string> best_of(const std::string& word, Words choices) {
  std::erase(choices, word);
  if (const std::string* near = nearest(word, choices)) return *near;
  return choices.size() == 1 ? std::optional(choices.front()) : std::nullopt;
}

// A file or folder that is there, in the same folder as the wrong one.
std::optional<std::string> file_instead(const FileError& error) {
  const fs::path path = error.path.has_filename() ? error.path : error.path.parent_path();
  const std::string name = path.filename().string(), suffix = path.extension().string();
  Words suffixes = error.suffixes;
  if (suffixes.empty() && is_known(suffix)) suffixes = {suffix};
  const Words names = names_in(path.parent_path(), suffixes);
  std::optional<std::string> best = best_of(name, names);
  const bool any = !suffixes.empty() && std::ranges::all_of(suffixes, is_alike);
  if (best && !any && nearest(name, {&*best, 1}) == nullptr) best.reset();
  return best ? std::optional((path.parent_path() / *best).string()) : std::nullopt;
}

// The plan of the model that has the name of a program which is not there.
Words plan_instead(const Words& words, const fs::path& program) {
  std::error_code error;
  if (program.extension() != ".arn" || fs::exists(program, error)) return {};
  for (const char* suffix : {".onnx", ".tflite"}) {
    const fs::path model = fs::path(program).replace_extension(suffix);
    if (!fs::exists(model, error)) continue;
    Words plan = {"arenite", "plan", model.string()};
    const auto board = std::ranges::find(words, "--board");
    if (board != words.end() && board + 1 != words.end()) {
      plan.insert(plan.end(), {"--board", board[1]});
    }
    plan.insert(plan.end(), {"-o", program.string()});
    return plan;
  }
  return {};
}

// The same name in this folder, else among temporary files, where that can be written and is no
// file yet.
std::optional<std::string> output_instead(const fs::path& path) {
  const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
  std::error_code error;
  for (const fs::path& folder : {fs::path(), fs::temp_directory_path(error)}) {
    const fs::path other = folder / name;
    const bool writable = ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
    if (writable && !name.empty() && !fs::exists(other, error)) return other.string();
  }
  return std::nullopt;
}

Words with(const Words& words, const std::string& found,
           const std::optional<std::string>& instead) {
  return instead ? replaced(words, found, *instead) : Words();
}

}  // namespace

Words replaced(Words words, const std::string& found, const std::string& instead) {
  if (found.empty()) return {};
  for (size_t i = 1; i < words.size(); ++i) {
    std::string& word = words[i];
    const size_t equals = word.find('=');
    if (word == found) {
      word = instead;
    } else if (equals != std::string::npos && word.substr(equals + 1) == found) {
      word = word.substr(0, equals + 1) + instead;
    } else if (equals != std::string::npos && word.substr(0, equals) == found) {
      word = instead + word.substr(equals);
    } else {
      continue;
    }
    return words;
  }
  return {};
}

namespace {

Words better_words(const Words& words, const std::exception& error) {
  if (const auto* wrong = dynamic_cast<const WordError*>(&error)) {
    return with(words, wrong->word, best_of(wrong->word, wrong->choices));
  }
  if (const auto* wrong = dynamic_cast<const FileError*>(&error)) {
    Words plan = plan_instead(words, wrong->path);
    return plan.empty() ? with(words, wrong->path.string(), file_instead(*wrong)) : plan;
  }
  if (const auto* wrong = dynamic_cast<const UnwritableError*>(&error)) {
    return with(words, wrong->path.string(), output_instead(wrong->path));
  }
  return {};
}

}  // namespace

Words working_words(const Words& words, const std::exception& error) {
  Words better = better_words(words, error);
  // A name with control characters is no word to be typed.
  const auto plain = [](const std::string& word) { return printable(word) == word; };
  return std::ranges::all_of(better, plain) ? better : Words();
}

bool names_a_command(const std::exception& error) {
  return std::string_view(error.what()).find("arenite ") != std::string_view::npos;
}

std::string working_line_text(const Words& words) {
  return "A line that works: " + shell_text(words) + "\n";
}

namespace {

// Whether `word` is a file or folder that a command reads.
bool is_read(const std::string& word, const std::string& before) {
  if (word.starts_with("-")) return false;
  if (before == "-o" || before == "--output-dir" || before == "--report") return false;
  const bool is_value = before.starts_with("--") && before != "--calibration";
  return !is_value || is_known(fs::path(word).extension().string());
}

// A file of `typed` with that suffix, else the first of this folder.
std::optional<std::string> own_file(const std::string& suffix, const Words& typed) {
  if (!is_known(suffix)) return std::nullopt;
  const auto own = std::ranges::find_if(typed, [&](const std::string& word) {
    std::error_code error;
    return fs::path(word).extension() == suffix && fs::is_regular_file(word, error);
  });
  if (own != typed.end()) return *own;
  const Words here = names_in("", {suffix});
  return here.empty() ? std::nullopt : std::optional(here.front());
}

}  // namespace

std::string example_text(const std::string& command, const Words& example, const Words& typed) {
  Words words = example;
  bool works = true;
  for (size_t i = 0; i < words.size(); ++i) {
    std::error_code error;
    if (!is_read(words[i], i == 0 ? "" : words[i - 1]) || fs::exists(words[i], error)) continue;
    const auto own = own_file(fs::path(words[i]).extension().string(), typed);
    works = works && own;
    words[i] = own.value_or(words[i]);
  }
  const std::string line = command + (example.empty() ? "" : " ");
  return works ? "A line that works: " + line + shell_text(words)
               : "An example: " + line + shell_text(example);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
