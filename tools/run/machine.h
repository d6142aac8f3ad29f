// Memory and CPU that a runner's steps use in place of this machine's own.
#pragma once

#include <cstdint>
#include <span>

#include "core/form.h"
#include "core/program.h"

namespace arenite {
class Instance;
}

namespace arenite::tools {

// Belongs to one runner, which it outlives.
class Machine {
 public:
  virtual ~Machine() = default;

  // What its CPU has: forms are chosen by it. Asked before prepare().
  virtual CpuFeatures features() const = 0;
  // A variant is about to be loaded. Throws InputError where the machine cannot hold it.
  virtual void prepare(const Program& program, const format::VariantRecord& variant) = 0;
  // Memory for each arena of the variant, and the operators with forms that run here; the platform
  // that they are given has the machine for its context, and one thread. Valid until prepare() is
  // called again.
  virtual std::span<const std::span<std::byte>> arenas() = 0;
  virtual OpTable ops() = 0;
  // Inputs are written: a run begins; and it has ended, well or not. Throws RunError.
  virtual void begin_run(const Instance& instance) = 0;
  virtual void end_run(const Instance& instance) = 0;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
