// What `arenite run` is asked for.
#pragma once

#include <cstdint>
#include <string>

#include "tools/arenite/expect.h"
#include "tools/arenite/input_files.h"
#include "tools/arenite/labels.h"
#include "tools/arenite/model_options.h"
#include "tools/run/sources.h"

namespace arenite::tools {

struct RunCommand {
  std::string program;
  std::string board;
  InputArguments inputs;
  std::string output_dir;
  ExpectArguments expect;
  LabelArguments labels;
  std::string device = "auto";
  std::string method;
  std::string pipeline_cache;
  bool allow_fallback = false;
  std::string threads = "auto";
  uint32_t repeat = 1;
  bool reset_each = false;
  bool profile = false;
  std::string trace;
  std::string report;  // with `count_memory`
  bool simulate = false;
  bool count_memory = false;
  ModelOptions model;  // with `simulate`
  bool json = false;
};

// The files that a run reads.
Sources sources_of(const RunCommand& command);

// `arenite run --simulate`. The exit status.
int run_simulated(const RunCommand& command);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
