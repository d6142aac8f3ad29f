// The steps of a variant as tables of times show them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/run/program_file.h"

namespace arenite::tools {

struct StepRow {
  uint32_t index = 0;  // in the variant
  std::string name;    // the model's nodes, "Conv_3 + Relu_4"; else what the step makes
  std::string op;      // as in schema/ops.def
  std::string where;   // "cpu", "vulkan" or "transfer"
  uint64_t bytes = 0;  // of the values it reads and writes, each once; scratch not counted
};

// All but the views, which do nothing. `variant` is relative to the method.
std::vector<StepRow> step_table(const ProgramFile& file, uint32_t method, uint32_t variant);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
