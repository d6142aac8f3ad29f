// --labels and --top: the best classes of an output, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/arenite/options.h"
#include "tools/run/runner.h"

namespace arenite::tools {

struct LabelArguments {
  std::string file;  // FILE or OUTPUT=FILE
  std::optional<uint64_t> top;
};

// --labels and --top.
void add_labels(Options& options, LabelArguments& arguments);

// Labels and the output whose classes they are.
struct Labels {
  uint32_t output = 0;
  uint64_t top = 0;  // at most the number of labels
  std::vector<std::string> names;
};
// One label a line of a text file, empty lines at its end left out. An output's classes are its
// last dimension that is not 1. Without OUTPUT= it is the only output, or the only one with so many
// classes. Nothing where no labels are asked for. Throws InputError, also where their number is not
// that of the classes.
std::optional<Labels> read_labels(const ProgramFile& file, uint32_t method,
                                  const LabelArguments& arguments);

struct Class {
  uint64_t index = 0;
  std::string label;
  double score = 0;
};
// The best classes of one run; of one row of them where an output has several.
struct TopClasses {
  uint64_t run = 0, row = 0;
  std::vector<Class> classes;  // best first; of equal scores the first class; NaN last
};
struct TopReport {
  std::string output;
  std::vector<TopClasses> rows;
  uint64_t rows_per_run = 1;
};
TopReport top_classes(const ProgramFile& file, uint32_t method, const Labels& labels,
                      const std::vector<HostTensor>& outputs, uint32_t runs);

std::string to_text(const TopReport& report);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
