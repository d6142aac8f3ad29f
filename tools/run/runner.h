// Runs one method of a program on this machine: picks device and variant, and falls back when it
// must.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/instance.h"
#include "core/step_counts.h"
#include "support/aligned_memory.h"
#include "tools/io/tensor.h"
#include "tools/run/device.h"
#include "tools/run/machine.h"
#include "tools/run/program_file.h"
#include "tools/run/state_memory.h"
#include "tools/run/threads.h"
#include "tools/run/vulkan_host.h"
#include "tools/run/vulkan_task.h"

namespace arenite::tools {

// It ran and failed: a device error, an index out of range. Exit status 1.
struct RunError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A step of a variant could not be carried out.
struct StepError : RunError {
  StepError(const std::string& message, uint32_t which) : RunError(message), step(which) {}
  uint32_t step;
};

// A call inside the run ended it (Runner::set_pauses).
struct RunCancelled : RunError {
  using RunError::RunError;
};

struct RunnerOptions {
  DeviceChoice device;
  std::string board;             // only variants planned for it; empty: all
  uint32_t threads = 1;          // at most, as the variant may allow fewer; or kAutoThreads
  std::string method;            // empty: the first
  Profiler* profiler = nullptr;  // outlives the runner; null: nothing is measured
  // Of a runner of the same file, whose methods share states: this one's lie there too, and the two
  // run one at a time. Null: memory of its own.
  std::shared_ptr<StateMemory> states = {};
  // Null: this machine.
  Machine* machine = nullptr;
};

struct RunInfo {
  bool on_vulkan = false;
  std::string device_name;
  std::string board;
  uint32_t threads = 1;  // of the CPU's steps
  StepCounts counts;
  uint32_t dispatches = 0;  // vkCmdDispatch calls that are recorded
  // Of the last run, which may leave some of the dispatches out.
  uint32_t submissions = 0, dispatches_run = 0;
  // Why a variant that the program prefers, or the device that was asked for, is not used.
  std::optional<std::string> fell_back;
  struct Arena {
    std::string name;
    uint32_t bytes;
  };
  std::vector<Arena> arenas;
};

// What a program says of a variant (of the method): board, steps and arenas.
RunInfo info_of_variant(const ProgramFile& file, uint32_t method, uint32_t variant);
// Whether the CPU of this machine has what a variant requires of one.
bool host_cpu_meets(const ProgramFile& file, uint32_t method, uint32_t variant);

class Runner {
 public:
  // `file` and `vulkan` outlive the runner; a null `vulkan` means that this machine has none.
  // Throws InputError where there is no variant for the board, RunError where none can be used: of
  // those for the device that was named, unless the choice allows to fall back to others.
  Runner(const ProgramFile& file, const RunnerOptions& options, VulkanHost* vulkan);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // One run. Inputs in the method's order, of the method's types and dims (see bind_inputs), which
  // set the sizes that a run may choose; nothing is read where one is a state. When the device is
  // lost and the program was planned with --fallback reserve, the next variant runs the same
  // inputs, with the states as they were. Throws RunError; states are then as before.
  std::vector<HostTensor> run(std::span<const HostTensor> inputs);
  // The same without reading outputs, for timing.
  void execute(std::span<const HostTensor> inputs);
  // Runs at most `steps` steps at a time, to show that a run can be cut into pieces with the same
  // result.
  std::vector<HostTensor> run_in_pieces(std::span<const HostTensor> inputs, uint32_t steps);
  // One run, a step at a time, a stretch of device steps as one: `after` sees the instance behind
  // each, and the (first) step. Throws RunError, also for a lost device.
  std::vector<HostTensor> run_by_steps(
      std::span<const HostTensor> inputs,
      const std::function<void(const Instance& instance, uint32_t step)>& after);

  // Calls inside the steps of further runs, which end with RunCancelled where a call says so; null:
  // none. It outlives them.
  void set_pauses(Pauses* pauses);

  // The numbers of the method's symbols (tools/run/dim_ranges.h), until a run has inputs of other
  // dims. Throws RunError, and nothing has changed.
  void set_symbols(std::span<const uint32_t> numbers);
  // Gives an input these dims, by the symbols that they are; other inputs and outputs follow.
  // Throws InputError where it cannot have them, and nothing has changed.
  void set_shape(uint32_t input, std::span<const uint32_t> dims);
  // The numbers that they have, once states have taken what the last run left them.
  std::vector<uint32_t> symbols();

  // Gives each state of the method what it holds before the first run.
  void reset_states();
  // The elements of each state, row-major, in the order of inputs; empty for other inputs.
  std::vector<std::vector<std::byte>> states();
  void set_states(std::span<const std::vector<std::byte>> states);
  // Where its states lie, for runners of other methods; null where methods share none.
  const std::shared_ptr<StateMemory>& state_memory() const { return options_.states; }

  uint32_t method() const { return method_; }
  uint32_t variant() const { return variant_; }  // relative to the method
  const Instance& instance() const { return *instance_; }
  const RunInfo& info() const { return info_; }
  const ProgramFile& file() const { return file_; }
  uint32_t input_count() const;
  uint32_t output_count() const;

 private:
  void check_board() const;
  void check_states() const;
  void load_as_asked();
  bool load_first(uint32_t first, DeviceKind kind, std::string& reasons);
  bool try_load(uint32_t variant, std::string& reason);
  CpuFeatures features_for(const format::VariantRecord& variant) const;
  std::vector<std::span<std::byte>> make_arenas(const format::VariantRecord& variant,
                                                StateMemory* states);
  void make_threads(const format::VariantRecord& variant);
  void fill_info(uint32_t variant);
  // Throws RunError for an error.
  void expect_ok(const Status& status) const;
  [[noreturn]] void fail(const Status& status, const std::string& more = "") const;
  void settle_states();
  [[noreturn]] void fail_dims(uint32_t input, const HostTensor& found) const;
  void set_sizes(std::span<const HostTensor> inputs);
  void write_inputs(std::span<const HostTensor> inputs);
  std::vector<HostTensor> read_outputs() const;
  void move_to_cpu(Status status);
  void recover(Status status, std::span<const HostTensor> inputs);
  Status run_instance();

  const ProgramFile& file_;
  RunnerOptions options_;
  VulkanHost* vulkan_;
  uint32_t method_;
  uint32_t variant_ = 0;  // relative to the method
  std::unique_ptr<Threads> threads_;
  Platform platform_;
  Pauses* pauses_ = nullptr;
  RunInfo info_;
  std::vector<AlignedMemory> memory_;
  std::vector<uint32_t> frame_;  // what follows from symbols
  std::unique_ptr<VulkanTask> task_;
  std::unique_ptr<ScopedInstance> instance_;
};

// Checks `given` (by input index; empty slots are missing) against the method: names what is
// missing or has the wrong type or shape. Returns how many runs they ask for: 1, or N when each has
// one more leading dimension N (`stacked` is then true).
struct BoundInputs {
  std::vector<HostTensor> tensors;  // by input index; without elements for a state
  bool stacked = false;
  uint32_t runs = 1;
  bool reset_each = false;  // states before each run, not only before the first
};
BoundInputs bind_inputs(const ProgramFile& file, uint32_t method,
                        std::vector<std::optional<HostTensor>> given);
BoundInputs bind_inputs(const Runner& runner, std::vector<std::optional<HostTensor>> given);

// Resets the states and runs them all; with `stacked`, outputs have the leading dimension too, and
// all rows that there may be: how many of them hold results differs from run to run.
std::vector<HostTensor> run_bound(Runner& runner, const BoundInputs& inputs);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
