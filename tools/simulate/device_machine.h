// The CPU beside a simulated board's Vulkan device: memory of exactly each arena's size, and the
// board's own forms.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "tools/run/machine.h"
#include "tools/run/program_file.h"
#include "tools/simulate/mapped_memory.h"

namespace arenite::tools {

// Steps are not watched: arenas that the driver owns cannot lie between guard pages.
class DeviceMachine final : public Machine {
 public:
  // Both outlive it.
  DeviceMachine(const ProgramFile& file, const planner::Board& board)
      : file_(file), board_(board) {}

  CpuFeatures features() const override;
  void prepare(const Program& program, const format::VariantRecord& variant) override;
  std::span<const std::span<std::byte>> arenas() override { return spans_; }
  OpTable ops() override;
  void begin_run(const Instance&) override {}
  void end_run(const Instance&) override {}

  // Of the form that the CPU runs a step of the prepared variant by.
  std::string form_name(const Step& step) const;

 private:
  const ProgramFile& file_;
  const planner::Board& board_;
  const Program* program_ = nullptr;
  const format::VariantRecord* variant_ = nullptr;
  std::vector<std::unique_ptr<MappedMemory>> memories_;
  std::vector<std::span<std::byte>> spans_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
