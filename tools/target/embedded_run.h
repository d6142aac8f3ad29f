// Runs one program as firmware that holds only this program.
#pragma once

#include "tools/target/embedded_image.h"
#include "tools/target/target.h"

namespace arenite::tools {

struct EmbeddedResult {
  TargetResult run;  // load_instructions are the counter's
  ImageParts parts;
};

// Builds the image where it is not there yet, and does the task on it in one process of the board's
// emulator. Throws InputError where the board has no emulator or no counter, or the program is not
// one that such an image runs; RunError where anything on the board fails.
EmbeddedResult run_embedded(const planner::Board& board, const ProgramFile& file,
                            const TargetTask& task, bool without_verifier,
                            const TargetOptions& options = {});

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
