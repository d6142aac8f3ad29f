// Runs programs on samples whose classes are known, and counts how often each is right.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/progress.h"
#include "tools/evaluate/labeled_samples.h"
#include "tools/run/measure.h"
#include "tools/run/runner.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {

// What a program says of one sample. Of equal scores the first class is the best; NaN is the worst.
struct Answer {
  uint64_t found = 0;  // the best class
  double score = 0;    // its element of the output, or what that stands for where it has a scale
  uint64_t rank = 0;   // of the sample's class; 0 is the best
  double label_score = 0;
};

// How often a class is the label, the program's answer, and both.
struct ClassCounts {
  uint64_t labeled = 0, found = 0, right = 0;
};

struct EvaluatedProgram {
  std::string program;     // as given
  std::string output;      // whose elements are the scores
  std::string input;       // and what is fed
  bool quantized = false;  // the input's integers are made of floats, by its scale
  uint64_t classes = 0;    // of the output
  RunInfo info;
  RunTimes times;               // a run's, but for reading the sample
  std::vector<Answer> answers;  // by sample

  // Samples whose class is among the `top` best.
  uint64_t right(uint64_t top) const;
};

struct Evaluation {
  LabeledSamples data;  // a file that holds several samples is there for each of them
  std::vector<EvaluatedProgram> programs;

  // Whether classes were numbered by their sorted names, and another order would make a program
  // right at least twice as often: then the order of the model's classes is another.
  bool order_looks_wrong() const;
  bool differs(size_t sample) const;  // in the best classes of the programs
  std::vector<ClassCounts> class_counts(const EvaluatedProgram& program) const;
  // The number of samples by label and best class; pairs without samples are left out.
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> confusion(
      const EvaluatedProgram& program) const;
};

struct ProgramToEvaluate {
  const ProgramFile* file = nullptr;
  std::string name;
  uint32_t output = 0;
};

// Runs every program on every sample, with its states reset. An input of integers that a scale
// makes of floats is quantized (to nearest, halves to even) where another program takes floats, so
// that the same options make the inputs of all. Throws InputError for a program with several
// inputs, an output with several rows of classes, and labels without an element.
Evaluation evaluate(std::span<const ProgramToEvaluate> programs, LabeledSamples data,
                    const RunnerOptions& options, VulkanHost* vulkan, const InputReader& read,
                    Progress& progress);

// The number of an output's classes: its last dimension that is not 1.
uint64_t class_count(const HostTensor& form);
// Whether a score is better; any is better than NaN.
bool scores_better(double a, double b);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
