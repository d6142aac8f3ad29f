// Finds an output's best classes and names them.
#include "tools/arenite/labels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "support/file.h"
#include "support/printable.h"
#include "tools/evaluate/evaluation.h"
#include "tools/io/difference.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

constexpr uint64_t kTopDefault = 5;

std::vector<std::string> parse_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

uint64_t element_count(const std::vector<uint32_t>& dims) {
  uint64_t count = 1;
  for (const uint32_t dim : dims) count *= dim;
  return count;
}

// "logits has 10", for each output.
std::string class_counts(const ProgramFile& file, uint32_t method) {
  std::string text;
  for (uint32_t i = 0; i < file.program().methods()[method].output_count; ++i) {
    text += (i == 0 ? "" : ", ") + printable(file.output_name(method, i)) + " has " +
            std::to_string(class_count(output_form(file.program(), method, i)));
  }
  return text;
}

uint32_t find_output(const ProgramFile& file, uint32_t method, const std::string& path,
                     size_t labels) {
  std::vector<uint32_t> fitting;
  for (uint32_t i = 0; i < file.program().methods()[method].output_count; ++i) {
    const bool fits = class_count(output_form(file.program(), method, i)) == labels;
    if (fits) fitting.push_back(i);
  }
  if (fitting.size() == 1) return fitting[0];
  throw InputError("--labels " + path + ": it holds " + std::to_string(labels) + " labels, and " +
                   (fitting.empty()
                        ? "no output has so many classes"
                        : "several outputs have so many classes; expected OUTPUT=FILE") +
                   ": " + class_counts(file, method));
}

}  // namespace

void add_labels(Options& options, LabelArguments& arguments) {
  options
      .add("--labels", arguments.file,
           "Text file with the name of a class on each line: print an output's best ones. OUTPUT= "
           "may be left out when one output alone has so many classes")
      .value_name("OUTPUT=FILE");
  options.add("--top", arguments.top, "How many of the classes of --labels (default: 5)")
      .value_name("K")
      .range(1, UINT32_MAX);
}

std::optional<Labels> read_labels(const ProgramFile& file, uint32_t method,
                                  const LabelArguments& arguments) {
  if (arguments.file.empty()) {
    if (arguments.top) throw InputError("--top: for --labels, which is not given");
    return std::nullopt;
  }
  const uint32_t outputs = file.program().methods()[method].output_count;
  const bool named = arguments.file.find('=') != std::string::npos;
  Labels labels;
  std::string path = arguments.file;
  if (named || outputs == 1) {
    const NamedFile argument = parse_output("--labels", file, method, arguments.file);
    labels.output = argument.index;
    path = argument.path;
  }
  labels.names = parse_lines(read_text(path));
  if (labels.names.empty()) throw InputError("--labels " + path + ": it holds no label");
  if (!named && outputs != 1) {
    labels.output = find_output(file, method, path, labels.names.size());
  }
  const uint64_t classes = class_count(output_form(file.program(), method, labels.output));
  if (classes != labels.names.size()) {
    throw InputError("--labels " + path + ": it holds " + std::to_string(labels.names.size()) +
                     " labels, output " + quote(file.output_name(method, labels.output)) + " has " +
                     std::to_string(classes) + " classes");
  }
  labels.top = std::min<uint64_t>(arguments.top.value_or(kTopDefault), classes);
  return labels;
}

TopReport top_classes(const ProgramFile& file, uint32_t method, const Labels& labels,
                      const std::vector<HostTensor>& outputs, uint32_t runs) {
  const HostTensor& tensor = outputs[labels.output];
  const uint64_t classes = labels.names.size();
  const HostTensor form = output_form(file.program(), method, labels.output);
  TopReport report;
  report.output = file.output_name(method, labels.output);
  report.rows_per_run = element_count(form.dims) / classes;
  for (uint64_t row = 0; row < report.rows_per_run * runs; ++row) {
    std::vector<double> scores(classes);
    for (uint64_t c = 0; c < classes; ++c) scores[c] = number_at(tensor, row * classes + c);
    std::vector<uint64_t> order(classes);
    std::iota(order.begin(), order.end(), uint64_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](uint64_t a, uint64_t b) { return scores_better(scores[a], scores[b]); });
    TopClasses top{row / report.rows_per_run, row % report.rows_per_run, {}};
    for (uint64_t k = 0; k < labels.top; ++k) {
      top.classes.push_back({order[k], labels.names[order[k]], scores[order[k]]});
    }
    report.rows.push_back(std::move(top));
  }
  return report;
}

std::string to_text(const TopReport& report) {
  std::string text;
  for (const TopClasses& row : report.rows) {
    text += "top of " + printable(report.output);
    if (report.rows.size() > report.rows_per_run) text += ", run " + std::to_string(row.run);
    if (report.rows_per_run > 1) text += ", row " + std::to_string(row.row);
    text += '\n';
    for (const Class& one : row.classes) {
      char score[32];
      std::snprintf(score, sizeof score, "%12.6g", one.score);
      text += std::string(score) + "  " + printable(one.label) + " (" + std::to_string(one.index) +
              ")\n";
    }
  }
  return text;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
