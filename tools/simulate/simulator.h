// A board's memories and CPU on this machine: runs the steps that a runner gives it, and finds
// accesses that a step must not make.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "tools/run/machine.h"
#include "tools/run/program_file.h"
#include "tools/simulate/fault.h"
#include "tools/simulate/lives.h"
#include "tools/simulate/operand_slots.h"
#include "tools/simulate/surroundings.h"

namespace arenite::tools {

struct SimulatorOptions {
  Level level = Level::kGuards;
  std::byte poison{0xa5};   // what memory holds where nothing lives
  bool inverts = false;     // what is beside a step's operands, while it runs
  WatchedForms forms = {};  // none of Level::kGuards: all_ops()
};

// The bytes that a step moved in a memory, in all runs.
struct StepTraffic {
  uint64_t read_bytes = 0, written_bytes = 0;
};

class Simulator final : public Machine {
 public:
  // The file and the board outlive it. Throws InputError where the board has no memories.
  Simulator(const ProgramFile& file, uint32_t method, const planner::Board& board,
            const SimulatorOptions& options);
  ~Simulator() override;

  CpuFeatures features() const override;
  void prepare(const Program& program, const format::VariantRecord& variant) override;
  std::span<const std::span<std::byte>> arenas() override { return spans_; }
  OpTable ops() override { return ops_; }
  void begin_run(const Instance& instance) override;
  void end_run(const Instance& instance) override;

  // Arenas, then sections of constants.
  std::span<SimulatedMemory* const> memories() const { return memory_pointers_; }
  uint32_t arena_count() const { return static_cast<uint32_t>(spans_.size()); }
  // By step and memory; zeros where nothing is watched.
  const StepTraffic& traffic(uint32_t step, uint32_t memory) const;
  // The forms of the steps that ran, by step; null for others.
  std::span<const Form* const> chosen() const { return chosen_; }
  // Whether a run of the step, whose accesses were heard of, left elements of its outputs as they
  // were.
  bool writes_partly(uint32_t step) const { return writes_partly_[step]; }
  // Another simulator of the same runs, whose steps gave what those here must give: the first that
  // differs is kept.
  void expect_results(const Simulator* other) { other_ = other; }
  const std::optional<Fault>& differs() const { return differs_; }

 private:
  static Status run_step(const Step& step, const Platform& platform);
  Status simulate(const Step& step);
  void make_ops();
  void make_memories();
  const Form* choose(const Step& step) const;
  const Form& code_of(const Form& form) const;
  void fill(uint32_t memory, ByteRange bytes, std::byte with, ByteState state);
  void advance(uint32_t step);
  void pass_left_out(const Step& step);
  void settle(const Step& step);
  void touch(const LaidOperand& operand);
  void compare_results(const Step& step, const Form& form);
  uint64_t hash_results() const;
  Fault start_fault(FaultKind kind, const Step& step, const Form& form) const;
  void name_operand(const LaidOperand& operand, const Step& step, Fault& fault) const;
  void name_place(uint32_t memory, int64_t byte, Fault& fault) const;
  Fault fault_of(const Access& access, const Step& step, const Form& form) const;

  const ProgramFile& file_;
  uint32_t method_;
  const planner::Board& board_;
  SimulatorOptions options_;
  Watch own_watch_;  // where forms are not watched
  const Program* program_ = nullptr;
  const format::VariantRecord* variant_ = nullptr;
  uint32_t variant_number_ = 0;  // of the method
  std::vector<std::unique_ptr<SimulatedMemory>> memories_;
  std::vector<SimulatedMemory*> memory_pointers_;
  std::vector<std::span<std::byte>> spans_;
  std::optional<OperandSlots> slots_;
  std::optional<Lives> lives_;
  uint32_t next_step_ = 0;  // of the run: those before it ran or were left out
  // all_ops() whose forms run here.
  std::vector<std::unique_ptr<Form>> forms_;
  std::vector<std::vector<const Form*>> form_lists_;
  std::vector<OpEntry> ops_;
  std::vector<StepTraffic> traffic_;
  std::vector<const Form*> chosen_;
  std::vector<bool> writes_partly_;
  std::vector<uint64_t> results_;  // hashes of what steps gave, one for each time that one ran
  std::optional<Fault> fault_;
  const Simulator* other_ = nullptr;
  std::optional<Fault> differs_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
