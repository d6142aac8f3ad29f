// Prints a line for each program, its confusion, and the samples in which programs differ.
#include "tools/arenite/evaluation_text.h"

#include <algorithm>

#include "planner/report/picture/xml_text.h"
#include "support/output.h"
#include "support/printable.h"

namespace arenite::tools {
namespace {

constexpr size_t kNameColumns = 32;
constexpr size_t kMatrixClassesMax = 12;  // that fit a line
constexpr size_t kMistakesShown = 15, kDifferencesShown = 20;

double percent_of(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

// The name cut in the middle to fit a column, and filled up with blanks.
std::string column_text(const std::string& name, size_t columns) {
  std::string text = printable(picture::shortened(name, columns));
  const auto characters = static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  if (characters < columns) text.append(columns - characters, ' ');
  return text;
}

std::string class_name(const Evaluation& evaluation, uint64_t index) {
  const std::vector<std::string>& classes = evaluation.data.classes;
  return index < classes.size() ? printable(classes[index]) : std::to_string(index);
}

void print_matrix(const Evaluation& evaluation, const EvaluatedProgram& program) {
  const auto counts = evaluation.confusion(program);
  const std::vector<ClassCounts> classes = evaluation.class_counts(program);
  std::string header = "  class";
  header.resize(26, ' ');
  for (uint64_t c = 0; c < program.classes; ++c) {
    const std::string index = std::to_string(c);
    header += std::string(6 - std::min<size_t>(index.size(), 6), ' ') + index;
  }
  print("%s   right\n", header.c_str());
  for (uint64_t label = 0; label < evaluation.data.classes.size(); ++label) {
    print("  %4llu %-19s", static_cast<unsigned long long>(label),
          class_name(evaluation, label).c_str());
    for (uint64_t found = 0; found < program.classes; ++found) {
      const auto count = counts.find({label, found});
      if (count == counts.end()) {
        print("     .");
      } else {
        print("%6llu", static_cast<unsigned long long>(count->second));
      }
    }
    if (classes[label].labeled == 0) {
      print("       -\n");
    } else {
      print("  %5.1f %%\n", percent_of(classes[label].right, classes[label].labeled));
    }
  }
}

void print_mistakes(const Evaluation& evaluation, const EvaluatedProgram& program) {
  std::vector<std::pair<uint64_t, std::pair<uint64_t, uint64_t>>> sorted;
  for (const auto& [pair, count] : evaluation.confusion(program)) {
    if (pair.first != pair.second) sorted.emplace_back(count, pair);
  }
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (size_t i = 0; i < std::min(sorted.size(), kMistakesShown); ++i) {
    print("%6llu  %s taken for %s\n", static_cast<unsigned long long>(sorted[i].first),
          class_name(evaluation, sorted[i].second.first).c_str(),
          class_name(evaluation, sorted[i].second.second).c_str());
  }
  if (sorted.size() > kMistakesShown) {
    print("        and %zu more pairs of classes: --json has all\n",
          sorted.size() - kMistakesShown);
  }
}

void print_differences(const Evaluation& evaluation) {
  size_t count = 0;
  for (size_t i = 0; i < evaluation.data.samples.size(); ++i) {
    if (evaluation.differs(i)) ++count;
  }
  print("samples in which the programs differ: %zu\n", count);
  size_t shown = 0;
  for (size_t i = 0; i < evaluation.data.samples.size() && shown < kDifferencesShown; ++i) {
    if (!evaluation.differs(i)) continue;
    ++shown;
    const LabeledSample& sample = evaluation.data.samples[i];
    print("  %s is %s:", printable(sample.name).c_str(),
          class_name(evaluation, sample.label).c_str());
    for (size_t p = 0; p < evaluation.programs.size(); ++p) {
      const Answer& answer = evaluation.programs[p].answers[i];
      print("%s %s %.3g", p == 0 ? "" : ",", class_name(evaluation, answer.found).c_str(),
            answer.score);
    }
    print("\n");
  }
  if (shown < count) print("  and %zu more: --json has all\n", count - shown);
}

}  // namespace

void print_evaluation(const Evaluation& evaluation, uint64_t top) {
  const size_t samples = evaluation.data.samples.size();
  print("%zu samples of %zu classes: %s\n", samples, evaluation.data.classes.size(),
        evaluation.data.classes_by.c_str());
  print("%-32s %9s %13s %9s %11s %9s\n", "program", "top 1", "right",
        ("top " + std::to_string(top)).c_str(), "median ms", "p95 ms");
  for (const EvaluatedProgram& program : evaluation.programs) {
    const uint64_t right = program.right(1);
    print("%s %7.2f %% %13s %7.2f %% %11.3f %9.3f\n",
          column_text(program.program, kNameColumns).c_str(), percent_of(right, samples),
          (std::to_string(right) + "/" + std::to_string(samples)).c_str(),
          percent_of(program.right(top), samples), program.times.median_ms, program.times.p95_ms);
  }
  for (const EvaluatedProgram& program : evaluation.programs) {
    print("%s: on %s, variant for board %s%s\n", printable(program.program).c_str(),
          program.info.device_name.c_str(), printable(program.info.board).c_str(),
          program.quantized ? "; its inputs are quantized from floats by its scale" : "");
    if (program.info.fell_back) print("  fell back: %s\n", program.info.fell_back->c_str());
  }
  for (const EvaluatedProgram& program : evaluation.programs) {
    if (program.right(1) == samples) continue;
    print("confusion of %s%s\n", printable(program.program).c_str(),
          program.classes <= kMatrixClassesMax ? ": rows are labels, columns what was found" : "");
    if (program.classes <= kMatrixClassesMax) {
      print_matrix(evaluation, program);
    } else {
      print_mistakes(evaluation, program);
    }
  }
  if (evaluation.programs.size() > 1) print_differences(evaluation);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
