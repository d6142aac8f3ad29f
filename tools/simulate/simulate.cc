// Runs twice where accesses are not heard of: what follows from bytes that no operand has differs.
#include "tools/simulate/simulate.h"

#include <algorithm>

#include "planner/steps/decide/costs.h"
#include "portable_fallback/form_names.h"
#include "portable_fallback/forms.h"
#include "support/printable.h"
#include "support/progress.h"
#include "tools/simulate/board_cpu.h"
#include "tools/simulate/device_machine.h"
#include "tools/simulate/extents.h"
#include "tools/simulate/load_watched_forms.h"
#include "tools/simulate/predict.h"
#include "tools/simulate/simulator.h"

namespace arenite::tools {
namespace {

// A runner on a simulator of its own.
struct Simulated {
  Simulated(const ProgramFile& file, const planner::Board& board, const std::string& method,
            const SimulatorOptions& options)
      : simulator(file, file.find_method(method), board, options),
        runner(file, options_for(board, method, &simulator), nullptr) {}

  static RunnerOptions options_for(const planner::Board& board, const std::string& method,
                                   Machine* machine) {
    RunnerOptions options;
    options.device = parse_device("cpu");
    options.board = board.name;
    options.method = method;
    options.machine = machine;
    return options;
  }

  Simulator simulator;
  Runner runner;
};

SimulatorOptions watched_options() {
  return {.level = Level::kWatched, .forms = load_watched_forms()};
}

// A second run, in which all that no step's operands have is other than in the first: finds steps
// that read it. Such a step may also have left a part of its results as it was; only watched forms
// tell.
void expect_same_results(const ProgramFile& file, const planner::Board& board,
                         const BoundInputs& inputs, const std::string& method, Simulated& first) {
  constexpr std::byte kOtherPoison{0x3c};  // inverted, it is not the first one either
  Simulated second(file, board, method, {.poison = kOtherPoison, .inverts = true});
  second.simulator.expect_results(&first.simulator);
  run_bound(second.runner, inputs);
  const auto memories = first.simulator.memories();
  for (size_t m = 0; m < memories.size(); ++m) {
    memories[m]->touched_end =
        std::max(memories[m]->touched_end, second.simulator.memories()[m]->touched_end);
  }
  const std::optional<Fault>& differs = second.simulator.differs();
  if (!differs) return;
  if (has_watched_forms()) {
    Simulated watched(file, board, method, watched_options());
    run_bound(watched.runner, inputs);
    if (watched.simulator.writes_partly(differs->step)) return;
  }
  throw SimulatedFault(file.name(), board.name, *differs);
}

std::vector<std::string> arena_names(const Instance& instance) {
  std::vector<std::string> names;
  const Program& program = instance.program();
  for (const format::ArenaRecord& arena : program.arenas_of(instance.variant())) {
    names.emplace_back(program.string(arena.name_offset, arena.name_bytes));
  }
  return names;
}

void add_states(const Instance& instance, uint32_t method, Simulation& all) {
  all.states = moves_of_states(instance, method, arena_names(instance));
  for (const SimulatedMoves& moved : all.states) add_moves(all.memories, moved);
}

Simulation describe_run(const ProgramFile& file, const planner::Board& board, uint32_t runs,
                        bool counted, Simulated& run) {
  Simulation all;
  all.board = board.name;
  all.counted = counted;
  const Simulator& simulator = run.simulator;
  const auto memories = simulator.memories();
  for (uint32_t m = 0; m < simulator.arena_count(); ++m) {
    SimulatedArena arena{.memory = memories[m]->name,
                         .planned_bytes = memories[m]->bytes.bytes().size(),
                         .touched_bytes = memories[m]->touched_end};
    for (const planner::BoardMemory& memory : board.memories) {
      const bool limited = memory.memory.size_bytes != arenite::memory::kUnbounded;
      if (memory.memory.name == arena.memory && limited) arena.memory_bytes = memory.full_bytes();
    }
    all.arenas.push_back(std::move(arena));
  }
  const Instance& instance = run.runner.instance();
  const auto records = instance.program().steps_of(instance.variant());
  all.predicted_us = 0;
  for (StepRow& row : step_table(file, run.runner.method(), run.runner.variant())) {
    SimulatedStep step{.row = std::move(row), .form = {}, .predicted_us = {}, .moved = {}};
    const uint32_t index = step.row.index;
    if (const Form* form = simulator.chosen()[index]; form != nullptr) {
      const FormNames* names = find_form_names(form->op, form->number);
      if (names != nullptr) step.form = names->key;
      step.predicted_us =
          predicted_us(board, Step(instance.bindings(), records[index], index), step.form);
      if (!step.predicted_us) all.predicted_us.reset();
      if (all.predicted_us) *all.predicted_us += *step.predicted_us;
    }
    for (uint32_t m = 0; m < memories.size(); ++m) {
      const StepTraffic& moved = simulator.traffic(step.row.index, m);
      add_moves(step.moved,
                {memories[m]->name, moved.read_bytes / runs, moved.written_bytes / runs});
    }
    for (const SimulatedMoves& moved : step.moved) add_moves(all.memories, moved);
    all.steps.push_back(std::move(step));
  }
  if (counted) add_states(instance, run.runner.method(), all);
  return all;
}

// As board files name an operator's shaders: "Conv.vulkan".
std::string shaders_name(Op op) {
  return planner::option_name(**find_op(all_ops(), op)->forms, format::Where::kVulkan);
}

// What the costs say of the steps, of shaders and transfers too, and the extents of their operands.
Simulation describe_device_run(const planner::Board& board, const DeviceMachine& machine,
                               const ProgramFile& file, bool counted, const Runner& runner) {
  Simulation all;
  all.board = board.name;
  all.counted = all.by_extents = counted;
  all.predicted_us = 0;
  const Instance& instance = runner.instance();
  const auto records = instance.program().steps_of(instance.variant());
  // Constants are read from the device's copy.
  const MemoryNames on_device{.arenas = arena_names(instance), .constants = "device constants"};
  MemoryNames on_cpu = on_device;
  on_cpu.constants = program_memory(board);
  for (StepRow& row : step_table(file, runner.method(), runner.variant())) {
    const Step step(instance.bindings(), records[row.index], row.index);
    SimulatedStep one{.row = std::move(row), .form = {}, .predicted_us = {}, .moved = {}};
    if (step.where() == format::Where::kTransfer) {
      one.form = "transfer";
      one.predicted_us = predicted_transfer_us(board, one.row.bytes / 2);
    } else {
      one.form = step.where() == format::Where::kVulkan ? shaders_name(step.op())
                                                        : machine.form_name(step);
      one.predicted_us = predicted_us(board, step, one.form);
    }
    if (!one.predicted_us) all.predicted_us.reset();
    if (all.predicted_us) *all.predicted_us += *one.predicted_us;
    if (counted) {
      one.moved = extents_of(step, step.where() == format::Where::kCpu ? on_cpu : on_device);
    }
    for (const SimulatedMoves& moved : one.moved) add_moves(all.memories, moved);
    all.steps.push_back(std::move(one));
  }
  if (counted) add_states(instance, runner.method(), all);
  return all;
}

// The Vulkan variant. Arenas of the CPU have just the planned bytes.
SimulatedRun run_on_device(const ProgramFile& file, const planner::Board& board,
                           const BoundInputs& inputs, const SimulateOptions& options) {
  DeviceMachine machine(file, board);
  RunnerOptions how;
  how.device = parse_device("vulkan");
  how.board = board.name;
  how.method = options.method;
  how.machine = &machine;
  Runner runner(file, how, options.vulkan);
  RepeatOptions often;
  often.least = often.most = options.repeat;
  Repeated repeated = repeat(runner, inputs, often, nullptr);
  SimulatedRun result;
  result.info = runner.info();
  result.simulation = describe_device_run(board, machine, file, options.count_memory, runner);
  result.simulation.device = options.vulkan->name();
  result.outputs = std::move(repeated.outputs);
  result.times = repeated.times;
  return result;
}

}  // namespace

VulkanHostOptions simulated_device(const planner::Board& board, const DeviceChoice& device) {
  const std::optional<Capabilities> limits = planner::vulkan_of(board);
  if (!limits) {
    throw InputError("--device " + device.text + ": board " + quote(board.name) +
                     " has no \"vulkan\", expected --device cpu or none");
  }
  VulkanHostOptions options = vulkan_options(device, "");
  options.limits = limits;
  if (!options.device.empty()) return options;
  std::string problem;
  const std::vector<VulkanDeviceLine> devices = list_vulkan_devices(problem);
  const auto software = std::ranges::find_if(
      devices, [](const VulkanDeviceLine& line) { return line.software && line.problem.empty(); });
  if (software == devices.end()) {
    throw RunError("--device " + device.text +
                   ": a simulated device runs on a Vulkan driver in software, and there is none " +
                   "here" + (problem.empty() ? "" : ": " + problem) +
                   "; install one (mesa-vulkan-drivers), or name another by --device vulkan:NAME");
  }
  options.device = std::to_string(software - devices.begin());
  return options;
}

SimulatedRun simulate(const ProgramFile& file, const planner::Board& board,
                      const BoundInputs& inputs, const SimulateOptions& options) {
  if (options.vulkan != nullptr) return run_on_device(file, board, inputs, options);
  SimulatorOptions how;
  if (options.count_memory) how = watched_options();
  Simulated run(file, board, options.method, how);
  Progress progress("simulation", options.repeat);
  RepeatOptions often;
  often.least = often.most = options.repeat;
  Repeated repeated = repeat(run.runner, inputs, often, [&progress] { progress.advance(); });
  if (!options.count_memory) expect_same_results(file, board, inputs, options.method, run);
  SimulatedRun result;
  result.simulation = describe_run(file, board, std::max(1u, inputs.runs * options.repeat),
                                   options.count_memory, run);
  result.info = run.runner.info();
  result.outputs = std::move(repeated.outputs);
  result.times = repeated.times;
  return result;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
