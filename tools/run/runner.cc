// Chooses a variant, loads it, runs it, and moves to a later one when the device is lost.
#include "tools/run/runner.h"

#include <algorithm>
#include <cstring>

#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "support/printable.h"
#include "support/suggest.h"
#include "support/word_errors.h"
#include "tools/run/device_error.h"
#include "tools/run/dim_ranges.h"
#include "tools/run/status_text.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

using format::ArenaKind;
using format::ArenaRecord;
using format::MethodRecord;
using format::VariantRecord;
using format::Where;

// A variant that needs a device: it has an arena the CPU does not own.
bool needs_vulkan(const Program& program, const VariantRecord& variant) {
  const auto arenas = program.arenas_of(variant);
  return std::any_of(arenas.begin(), arenas.end(), [](const ArenaRecord& arena) {
    return format::is_device_arena(static_cast<ArenaKind>(arena.kind));
  });
}

// What forms of a variant may need here. Where no other form may take a planned one's place, that
// of a microcontroller runs in plain C++.
CpuFeatures cpu_features_for(const VariantRecord& variant) {
  const bool exact = (variant.flags & format::kExactForms) != 0;
  return host_cpu_features() | (exact ? kEmulatedCpuFeatures : 0);
}

// Whether a CPU with these features has what a variant requires of it.
bool cpu_meets(const Program& program, const VariantRecord& variant, CpuFeatures features,
               std::string& reason) {
  const Capabilities have{{}, features};
  CpuFeatures missing = 0;
  bool met = true;
  for (const format::RequirementRecord& need : program.requirements_of(variant)) {
    if (need.id < kFirstCpuFeatureId || have.meets(need.id, need.minimum)) continue;
    if (need.id - kFirstCpuFeatureId < 32) missing |= 1u << (need.id - kFirstCpuFeatureId);
    reason = "this CPU lacks what the variant needs: " + cpu_features_text(missing);
    met = false;
  }
  return met;
}

// A method's variant.
const VariantRecord& variant_of(const ProgramFile& file, uint32_t method, uint32_t variant) {
  const Program& program = file.program();
  return program.variants()[program.methods()[method].variant_first + variant];
}

}  // namespace

RunInfo info_of_variant(const ProgramFile& file, uint32_t method, uint32_t variant) {
  const Program& program = file.program();
  const VariantRecord& record = variant_of(file, method, variant);
  RunInfo info;
  info.board = file.board_name(program.methods()[method].variant_first + variant);
  for (const format::StepRecord& step : program.steps_of(record)) {
    info.counts.add(static_cast<Where>(step.where));
  }
  for (const ArenaRecord& arena : program.arenas_of(record)) {
    info.arenas.push_back(
        {std::string(program.string(arena.name_offset, arena.name_bytes)), arena.bytes});
  }
  return info;
}

bool host_cpu_meets(const ProgramFile& file, uint32_t method, uint32_t variant) {
  std::string reason;
  const VariantRecord& record = variant_of(file, method, variant);
  return cpu_meets(file.program(), record, cpu_features_for(record), reason);
}

Runner::Runner(const ProgramFile& file, const RunnerOptions& options, VulkanHost* vulkan)
    : file_(file), options_(options), vulkan_(vulkan), method_(file.find_method(options.method)) {
  check_board();
  check_states();
  load_as_asked();
}

Runner::~Runner() {
  // The instance detaches from its task before the task goes.
  instance_.reset();
  task_.reset();
}

void Runner::check_board() const {
  const MethodRecord& method = file_.program().methods()[method_];
  std::vector<std::string> boards;
  for (uint32_t v = 0; v < method.variant_count; ++v) {
    const std::string board = file_.board_name(method.variant_first + v);
    if (options_.board.empty() || board == options_.board) return;
    if (std::ranges::find(boards, board) == boards.end()) boards.push_back(board);
  }
  throw WordError(file_.name() + ": method " + quote(file_.method_name(method_)) +
                      " has no variant for board '" + options_.board + "', expected " +
                      listed(boards) + did_you_mean(options_.board, boards),
                  options_.board, boards);
}

// Whether its states may lie where those of another runner do.
void Runner::check_states() const {
  if (options_.states == nullptr) return;
  for (uint32_t i = 0; i < input_count(); ++i) {
    const auto ranges = input_ranges(file_.program(), method_, i);
    const bool grows = std::ranges::any_of(
        ranges, [](const DimRange& range) { return range.least != range.most; });
    if (file_.state_of(method_, i) == nullptr || !grows) continue;
    throw InputError(file_.name() + ": method " + quote(file_.method_name(method_)) + ": state " +
                     quote(file_.input_name(method_, i)) +
                     " grows, so that only one session can have it: expected a session of the "
                     "method with states of its own");
  }
}

void Runner::load_as_asked() {
  const DeviceChoice& device = options_.device;
  std::string reasons;
  if (load_first(0, device.kind, reasons)) {
    if (!reasons.empty()) info_.fell_back = reasons;
    return;
  }
  const std::string method = file_.name() + ": method " + quote(file_.method_name(method_));
  if (device.kind == DeviceKind::kAuto) {
    throw RunError(method + ": none of its variants can be used here: " + reasons);
  }
  const bool vulkan = device.kind == DeviceKind::kVulkan;
  if (reasons.empty()) {
    reasons = std::string("the program has no ") + (vulkan ? "Vulkan" : "CPU") + " variant" +
              (options_.board.empty() ? "" : " for board " + quote(options_.board));
  }
  if (!device.allow_fallback) {
    throw DeviceError(method + " cannot be run on --device " + device.text + ": " + reasons +
                          "; with --allow-fallback it would be run on " +
                          (vulkan ? "the CPU" : "Vulkan"),
                      device.text);
  }
  std::string others;
  if (!load_first(0, vulkan ? DeviceKind::kCpu : DeviceKind::kVulkan, others)) {
    throw RunError(method + ": none of its variants can be used here: " + reasons + "; " + others);
  }
  info_.fell_back = reasons;
}

// Loads the first variant from `first` on that is of the kind and can be used. False, with the
// reasons of all that can't, when there is none; there may be reasons though one was loaded.
bool Runner::load_first(uint32_t first, DeviceKind kind, std::string& reasons) {
  const Program& program = file_.program();
  const MethodRecord& method = program.methods()[method_];
  for (uint32_t v = first; v < method.variant_count; ++v) {
    const uint32_t index = method.variant_first + v;
    const std::string board = file_.board_name(index);
    if (!options_.board.empty() && board != options_.board) continue;
    if (options_.states != nullptr && board != options_.states->board()) continue;
    const bool vulkan = needs_vulkan(program, program.variants()[index]);
    if (kind != DeviceKind::kAuto && vulkan != (kind == DeviceKind::kVulkan)) continue;
    std::string reason;
    if (try_load(v, reason)) {
      fill_info(v);
      return true;
    }
    reasons += (reasons.empty() ? "" : "; ") + reason;
  }
  return false;
}

CpuFeatures Runner::features_for(const VariantRecord& variant) const {
  return options_.machine != nullptr ? options_.machine->features() : cpu_features_for(variant);
}

// Makes as many threads as the variant's CPU steps can use; a machine has one of its own.
void Runner::make_threads(const VariantRecord& variant) {
  const auto steps = file_.program().steps_of(variant);
  const bool computes = std::any_of(steps.begin(), steps.end(), [](const format::StepRecord& step) {
    return static_cast<Where>(step.where) == Where::kCpu;
  });
  const uint32_t wanted = options_.machine != nullptr ? 1 : options_.threads;
  const uint32_t count = computes ? thread_count(wanted, variant.threads_max) : 1;
  if (threads_ == nullptr || threads_->pool().threads() != count) {
    threads_ = std::make_unique<Threads>(count, options_.profiler);
    platform_ = threads_->platform();
    platform_.pauses = pauses_;
  }
  if (options_.machine == nullptr) return;
  platform_.context = options_.machine;
  platform_.parallel_for = nullptr;
}

// Memory for the arenas of a variant that this machine holds; empty for those of a device.
std::vector<std::span<std::byte>> Runner::make_arenas(const VariantRecord& variant,
                                                      StateMemory* states) {
  if (options_.machine != nullptr) {
    const auto arenas = options_.machine->arenas();
    return {arenas.begin(), arenas.end()};
  }
  std::vector<std::span<std::byte>> arenas;
  for (const ArenaRecord& arena : file_.program().arenas_of(variant)) {
    if (states != nullptr && static_cast<ArenaKind>(arena.kind) == ArenaKind::kState) {
      arenas.push_back(states->arena(arena));
      continue;
    }
    if (format::is_device_arena(static_cast<ArenaKind>(arena.kind))) {
      arenas.emplace_back();
      continue;
    }
    const size_t alignment = std::max<size_t>(arena.alignment, 64);
    memory_.push_back(aligned_memory(arena.bytes, alignment));
    std::memset(memory_.back().get(), 0, arena.bytes);
    arenas.emplace_back(memory_.back().get(), arena.bytes);
  }
  return arenas;
}

bool Runner::try_load(uint32_t variant, std::string& reason) {
  const Program& program = file_.program();
  const MethodRecord& method = program.methods()[method_];
  const VariantRecord& record = program.variants()[method.variant_first + variant];
  if (!cpu_meets(program, record, features_for(record), reason)) return false;
  instance_.reset();
  task_.reset();
  memory_.clear();
  const PhaseScope phase(options_.profiler, "load");
  Backend backend;
  if (needs_vulkan(program, record)) {
    if (vulkan_ == nullptr || !vulkan_->usable(reason)) {
      if (vulkan_ == nullptr) reason = "there is no Vulkan here";
      return false;
    }
    if (!vulkan_->meets(program, record, reason)) return false;
    task_ = std::make_unique<VulkanTask>(*vulkan_, program, record, options_.profiler);
    backend = task_->backend();
  }
  make_threads(record);
  std::shared_ptr<StateMemory> states = options_.states;
  if (states == nullptr && options_.machine == nullptr && shares_states(program)) {
    states = std::make_shared<StateMemory>(program, method.variant_first + variant);
  }
  if (options_.machine != nullptr) options_.machine->prepare(program, record);
  const std::vector<std::span<std::byte>> arenas = make_arenas(record, states.get());
  LoadOptions options;
  options.method = method_;
  options.variant = variant;
  options.arenas = arenas;
  options.ops = options_.machine != nullptr ? options_.machine->ops() : all_ops();
  options.features = features_for(record);
  options.platform = &platform_;
  options.backend = task_ != nullptr ? &backend : nullptr;
  options.states = &kGrowingStates;
  options.predicates = &kPredicates;
  options.symbols = &kSymbols;
  frame_.assign(frame_words(program, method.variant_first + variant), 0);
  options.frame = frame_;
  std::vector<uint32_t> proof(record.value_count);
  options.proof = proof;
  instance_ = std::make_unique<ScopedInstance>();
  const std::vector<std::byte> before =
      states == nullptr ? std::vector<std::byte>() : states->copy();
  const Status status = instance_->load(program, options);
  if (states != nullptr) states->restore(before);
  if (status.ok()) {
    if (states != nullptr) states->add_method(program, method_, method.variant_first + variant);
    options_.states = std::move(states);
    if (task_ != nullptr) task_->attached();
    variant_ = variant;
    return true;
  }
  std::string text = status_text(status, file_, method_, variant);
  if (task_ != nullptr && status.code == Code::kUnsupported) {
    const std::string why = vulkan_->why_not(program, record, status.step);
    if (!why.empty()) text = file_.step_name(method_, variant, status.step) + ": " + why;
  }
  instance_.reset();
  if (task_ == nullptr) throw InputError(file_.name() + ": cannot be loaded: " + text);
  task_.reset();
  reason = vulkan_->name() + ": " + text;
  return false;
}

void Runner::fill_info(uint32_t variant) {
  const std::optional<std::string> fell_back = info_.fell_back;
  info_ = info_of_variant(file_, method_, variant);
  info_.fell_back = fell_back;
  info_.on_vulkan = task_ != nullptr;
  if (task_ != nullptr) info_.dispatches = task_->dispatches();
  info_.device_name = task_ != nullptr ? vulkan_->name() : "cpu";
  info_.threads = threads_->pool().threads();
  if (options_.profiler != nullptr) {
    options_.profiler->begin_variant(variant_of(file_, method_, variant).step_count, info_.threads);
  }
}

uint32_t Runner::input_count() const { return file_.program().methods()[method_].input_count; }
uint32_t Runner::output_count() const { return file_.program().methods()[method_].output_count; }

void Runner::expect_ok(const Status& status) const {
  if (!status.ok()) fail(status);
}

void Runner::fail(const Status& status, const std::string& more) const {
  const std::string text =
      file_.name() + ": " + status_text(status, file_, method_, variant_) + more;
  if (status.step != kNoIndex) throw StepError(text, status.step);
  throw RunError(text);
}

void Runner::settle_states() { expect_ok(instance_->settle_states()); }

std::vector<uint32_t> Runner::symbols() {
  settle_states();
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < symbols_of(file_.program(), method_).size(); ++i) {
    numbers.push_back(instance_->symbol(i));
  }
  return numbers;
}

// Sizes that are set already cost nothing but a look at the dims.
void Runner::set_sizes(std::span<const HostTensor> inputs) {
  settle_states();
  const auto is_set = [&](uint32_t i) {
    const Tensor now = instance_->input_tensor(i);
    return inputs[i].dims.empty() ||
           std::ranges::equal(inputs[i].dims, std::span(now.dims, now.rank()));
  };
  const auto first_unset = [&] {
    uint32_t i = 0;
    while (i < inputs.size() && is_set(i)) ++i;
    return i;
  };
  if (first_unset() == inputs.size()) return;
  const std::vector<uint32_t> numbers = symbols_for(file_, method_, inputs, symbols());
  if (!numbers.empty()) set_symbols(numbers);
  // What no symbol is may follow from others.
  const uint32_t i = first_unset();
  if (i != inputs.size()) fail_dims(i, inputs[i]);
}

void Runner::fail_dims(uint32_t input, const HostTensor& found) const {
  const Tensor now = instance_->input_tensor(input);
  throw InputError("input " + quote(file_.input_name(method_, input)) + ": expected " +
                   describe(now.dtype(), std::vector<uint32_t>(now.dims, now.dims + now.rank())) +
                   ", which follows from the sizes of other inputs and of states; found " +
                   describe(found.dtype, found.dims));
}

void Runner::set_shape(uint32_t input, std::span<const uint32_t> dims) {
  const Status status = instance_->set_shape(input, dims);
  if (status.code == Code::kBadShape) {
    fail_dims(input, {instance_->input_tensor(input).dtype(), {dims.begin(), dims.end()}, {}});
  }
  expect_ok(status);
}

void Runner::set_symbols(std::span<const uint32_t> numbers) {
  Status status = instance_->set_symbols(numbers);
  if (status.code == Code::kDeviceLost || status.code == Code::kDeviceError) {
    move_to_cpu(status);
    status = instance_->set_symbols(numbers);
  }
  expect_ok(status);
  if (task_ != nullptr) info_.dispatches = task_->dispatches();
}

void Runner::write_inputs(std::span<const HostTensor> inputs) {
  const PhaseScope phase(options_.profiler, "set inputs");
  set_sizes(inputs);
  for (uint32_t i = 0; i < input_count(); ++i) {
    if (file_.state_of(method_, i) != nullptr) continue;
    const std::span<std::byte> to = instance_->input(i);
    if (to.size() < inputs[i].bytes.size()) {
      throw std::logic_error("input bytes");
    }
    if (!inputs[i].bytes.empty()) {
      std::memcpy(to.data(), inputs[i].bytes.data(), inputs[i].bytes.size());
    }
  }
}

void Runner::set_pauses(Pauses* pauses) {
  pauses_ = platform_.pauses = pauses;
  instance_->set_pauses(pauses);
}

void Runner::reset_states() { expect_ok(instance_->reset_states()); }

std::vector<std::vector<std::byte>> Runner::states() {
  settle_states();
  std::vector<std::vector<std::byte>> states(input_count());
  for (uint32_t i = 0; i < states.size(); ++i) {
    if (file_.state_of(method_, i) == nullptr) continue;
    const std::span<const std::byte> from = instance_->input(i);
    states[i].assign(from.begin(), from.end());
  }
  return states;
}

void Runner::set_states(std::span<const std::vector<std::byte>> states) {
  for (uint32_t i = 0; i < states.size(); ++i) {
    const std::span<std::byte> to = instance_->input(i);
    if (states[i].empty() || file_.state_of(method_, i) == nullptr) continue;
    if (states[i].size() != to.size()) throw std::logic_error("state bytes");
    std::memcpy(to.data(), states[i].data(), to.size());
  }
}

std::vector<HostTensor> Runner::read_outputs() const {
  const PhaseScope phase(options_.profiler, "read outputs");
  std::vector<HostTensor> outputs;
  for (uint32_t i = 0; i < output_count(); ++i) {
    const Tensor tensor = instance_->output_tensor(i);
    HostTensor output{tensor.dtype(), {tensor.dims, tensor.dims + tensor.rank()}, {}};
    const size_t bytes = static_cast<size_t>(element_count(tensor)) * element_bytes(tensor.dtype());
    const std::span<const std::byte> from = instance_->output(i).first(bytes);
    output.bytes.assign(from.begin(), from.end());
    outputs.push_back(std::move(output));
  }
  return outputs;
}

// Throws, unless the failure is a lost device and the program was planned to survive it.
void Runner::move_to_cpu(Status status) {
  const std::string text = status_text(status, file_, method_, variant_);
  const bool device = status.code == Code::kDeviceLost || status.code == Code::kDeviceError;
  const bool reserved = (instance_->variant().flags & format::kReservesFallback) != 0;
  if (status.code == Code::kCancelled) throw RunCancelled(file_.name() + ": " + text);
  if (!device || task_ == nullptr) fail(status);
  if (!reserved) {
    fail(status, "; the program was planned with --fallback none, so it is not run again");
  }
  const std::vector<uint32_t> numbers = symbols();
  const std::vector<std::vector<std::byte>> kept = states();
  std::string others;
  if (!load_first(variant_ + 1, DeviceKind::kCpu, others)) {
    fail(status, "; " + (others.empty() ? "there is no CPU variant after it" : others));
  }
  if (!numbers.empty()) set_symbols(numbers);
  set_states(kept);
  info_.fell_back = text;
}

void Runner::recover(Status status, std::span<const HostTensor> inputs) {
  move_to_cpu(status);
  execute(inputs);
}

void Runner::execute(std::span<const HostTensor> inputs) {
  write_inputs(inputs);
  const Status status = run_instance();
  if (!status.ok()) recover(status, inputs);
}

// Takes note of what the device was given.
Status Runner::run_instance() {
  const uint32_t submissions = task_ != nullptr ? task_->submissions() : 0;
  const uint32_t dispatches = task_ != nullptr ? task_->dispatches_run() : 0;
  if (options_.machine != nullptr) options_.machine->begin_run(*instance_);
  const Status status = instance_->run();
  if (options_.machine != nullptr) options_.machine->end_run(*instance_);
  if (task_ == nullptr) return status;
  info_.submissions = task_->submissions() - submissions;
  info_.dispatches_run = task_->dispatches_run() - dispatches;
  return status;
}

std::vector<HostTensor> Runner::run(std::span<const HostTensor> inputs) {
  if (options_.profiler != nullptr) options_.profiler->begin_run();
  execute(inputs);
  std::vector<HostTensor> outputs = read_outputs();
  if (options_.profiler != nullptr) options_.profiler->end_run();
  return outputs;
}

std::vector<HostTensor> Runner::run_in_pieces(std::span<const HostTensor> inputs, uint32_t steps) {
  write_inputs(inputs);
  for (;;) {
    const Result<RunState> state = instance_->run_steps(steps);
    if (!state.ok()) {
      recover(state.status(), inputs);
      break;
    }
    if (*state == RunState::kDone) break;
  }
  return read_outputs();
}

std::vector<HostTensor> Runner::run_by_steps(
    std::span<const HostTensor> inputs,
    const std::function<void(const Instance& instance, uint32_t step)>& after) {
  write_inputs(inputs);
  const auto run_steps = [&](uint32_t count) {
    const Result<RunState> state = instance_->run_steps(count);
    if (state.ok()) return *state == RunState::kMore;
    fail(state.status());
  };
  // None: goes past views, and past what is left out.
  for (bool more = run_steps(0); more;) {
    const uint32_t step = instance_->next_step();
    more = run_steps(1);
    after(*instance_, step);
  }
  return read_outputs();
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
