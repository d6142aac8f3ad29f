// --expect: outputs held against files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/arenite/options.h"
#include "tools/io/difference.h"
#include "tools/run/runner.h"

namespace arenite::tools {

struct ExpectArguments {
  std::vector<std::string> files;  // NAME=FILE, or FILE where the method has one output
  std::string tolerance;           // as given
};

// --expect and --tolerance.
void add_expect(Options& options, ExpectArguments& arguments);
// --tolerance alone.
void add_tolerance(Options& options, std::string& tolerance);

// The expected elements of one output.
struct Expectation {
  uint32_t output = 0;
  std::string file;
  HostTensor tensor;
};
// Reads the files; raw ones take the output's type and dims, stacked where the inputs are. Throws
// InputError, also for a tolerance that nothing is compared with.
std::vector<Expectation> read_expectations(const ProgramFile& file, uint32_t method,
                                           const ExpectArguments& arguments,
                                           const BoundInputs& inputs);

struct ExpectLine {
  std::string output, file;
  Difference difference;
};
std::vector<ExpectLine> check_expectations(const ProgramFile& file, uint32_t method,
                                           const std::vector<Expectation>& expectations,
                                           const std::vector<HostTensor>& outputs,
                                           const std::optional<Tolerance>& tolerance);

// "logits: as expected in a.npy (max abs ..., max rel ...)", or what differs.
std::string to_text(const ExpectLine& line);
bool all_agree(const std::vector<ExpectLine>& lines);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
