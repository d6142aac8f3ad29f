// Runs inputs whose outputs are known on a board, and goes on behind those at which it fails.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/io/difference.h"
#include "tools/target/target.h"

namespace arenite::tools {

struct ExpectedOutput {
  uint32_t output = 0;
  HostTensor tensor;
};

struct Vector {
  std::string name;
  TargetTask task;
  std::vector<ExpectedOutput> expected;
};

// The test vectors that a program has in itself, of all methods. Throws InputError where one does
// not fit its method.
std::vector<Vector> bundled_vectors(const ProgramFile& file);

struct VectorResult {
  std::string name, method;
  std::string error;  // why it has no outputs; empty: it has
  struct Output {
    std::string name;
    Difference difference;
  };
  std::vector<Output> outputs;
  uint64_t clock = 0;  // of the run: instructions in the emulator, else nanoseconds

  bool passed() const;
  // What is wrong; empty where it passed.
  std::string why() const;
};

// Runs each of them, as the program stands just loaded, and compares as `arenite run --expect`
// does. A board that fails is started again for the next. `after` sees each result. Throws
// InputError as TargetSession does.
void run_vectors(const planner::Board& board, const ProgramFile& file,
                 std::span<const Vector> vectors, const std::optional<Tolerance>& tolerance,
                 const TargetOptions& options,
                 const std::function<void(const VectorResult& result)>& after);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
