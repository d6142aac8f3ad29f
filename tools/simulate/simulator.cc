// Puts itself in the place of each form: lays the step's operands in slots, runs the form there,
// and looks at what became of all bytes.
#include "tools/simulate/simulator.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/form_choice.h"
#include "core/instance.h"
#include "core/shape.h"
#include "portable_fallback/form_names.h"
#include "portable_fallback/forms.h"
#include "support/printable.h"
#include "tools/simulate/board_cpu.h"

namespace arenite::tools {
namespace {

using format::ArenaKind;
using format::ArenaRecord;

// FNV-1a over words, then over the bytes that are left.
uint64_t hash(std::span<const std::byte> bytes, uint64_t hash) {
  constexpr uint64_t kPrime = 0x100000001b3;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 32;
  }
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<uint64_t>(byte)) * kPrime;
  return hash;
}

ArenaKind kind_of(const ArenaRecord& arena) { return static_cast<ArenaKind>(arena.kind); }

}  // namespace

Simulator::Simulator(const ProgramFile& file, uint32_t method, const planner::Board& board,
                     const SimulatorOptions& options)
    : file_(file), method_(method), board_(board), options_(options) {
  if (board.memories.empty()) {
    throw InputError("board " + quote(board.name) +
                     " has no memories: expected one at least that holds arenas");
  }
  make_ops();
}

Simulator::~Simulator() = default;

CpuFeatures Simulator::features() const { return simulated_features(board_, false); }

void Simulator::make_ops() {
  for (const OpEntry& entry : all_ops()) {
    std::vector<const Form*>& list = form_lists_.emplace_back();
    for (const Form* const* form = entry.forms; *form != nullptr; ++form) {
      forms_.push_back(std::make_unique<Form>(**form));
      if (forms_.back()->run != nullptr) forms_.back()->run = run_step;
      list.push_back(forms_.back().get());
    }
    list.push_back(nullptr);
    ops_.push_back({entry.op, entry.contract, nullptr});
  }
  for (size_t i = 0; i < ops_.size(); ++i) ops_[i].forms = form_lists_[i].data();
}

void Simulator::make_memories() {
  const Program& program = *program_;
  memories_.clear();
  memory_pointers_.clear();
  spans_.clear();
  const auto add = [&](const std::string& name, uint64_t bytes, bool read_only) {
    memories_.push_back(std::make_unique<SimulatedMemory>(name, bytes, read_only));
    memory_pointers_.push_back(memories_.back().get());
  };
  for (const ArenaRecord& arena : program.arenas_of(*variant_)) {
    const auto of_device = format::is_device_arena(kind_of(arena));
    add(of_device ? "" : check_arena(file_, program, arena, board_), of_device ? 0 : arena.bytes,
        false);
    SimulatedMemory& memory = *memories_.back();
    std::ranges::fill(memory.bytes.whole_pages(), options_.poison);
    if (options_.level == Level::kWatched) memory.states.assign(arena.bytes, 0);
    spans_.push_back(of_device ? std::span<std::byte>() : memory.bytes.bytes());
  }
  const std::string flash = program_memory(board_);
  for (uint32_t i = 0; i < program.sections().size(); ++i) {
    const bool constants = format::holds_constants(program.sections()[i].kind);
    const auto bytes = constants ? program.section_bytes(i) : std::span<const std::byte>();
    add(flash, bytes.size(), true);
    std::ranges::copy(bytes, memories_.back()->bytes.bytes().begin());
  }
}

void Simulator::prepare(const Program& program, const format::VariantRecord& variant) {
  program_ = &program;
  variant_ = &variant;
  variant_number_ = static_cast<uint32_t>(&variant - program.variants().data()) -
                    program.methods()[method_].variant_first;
  slots_.reset();
  make_memories();
  Watch& watch = options_.level == Level::kWatched ? *options_.forms.watch : own_watch_;
  slots_.emplace(memory_pointers_, static_cast<uint32_t>(spans_.size()), options_.level, watch);
  lives_.emplace(program, variant);
  traffic_.assign(size_t{variant.step_count} * memories_.size(), {});
  chosen_.assign(variant.step_count, nullptr);
  writes_partly_.assign(variant.step_count, false);
  results_.clear();
}

const StepTraffic& Simulator::traffic(uint32_t step, uint32_t memory) const {
  return traffic_[size_t{step} * memories_.size() + memory];
}

void Simulator::fill(uint32_t memory, ByteRange bytes, std::byte with, ByteState state) {
  SimulatedMemory& to = *memories_[memory];
  std::ranges::fill(to.bytes.bytes().subspan(bytes.begin, bytes.end - bytes.begin), with);
  if (to.states.empty()) return;
  std::fill(to.states.begin() + static_cast<ptrdiff_t>(bytes.begin),
            to.states.begin() + static_cast<ptrdiff_t>(bytes.end), static_cast<uint8_t>(state));
}

// Poison everywhere but where inputs and states are. The proof of loading used arenas, too.
void Simulator::begin_run(const Instance& instance) {
  fault_.reset();
  lives_->restart();
  next_step_ = 0;
  std::vector<std::vector<ByteRange>> inputs(spans_.size());
  for (uint32_t i = 0; i < program_->methods()[method_].input_count; ++i) {
    const Tensor tensor = instance.input_tensor(i);
    if (tensor.data == nullptr) continue;
    for (const ByteRange& run : element_runs(tensor)) {
      inputs[tensor.record->place].push_back(
          {tensor.record->offset + run.begin, tensor.record->offset + run.end});
    }
  }
  const auto arenas = program_->arenas_of(*variant_);
  for (uint32_t m = 0; m < spans_.size(); ++m) {
    if (spans_[m].empty()) continue;
    SimulatedMemory& memory = *memories_[m];
    if (kind_of(arenas[m]) == ArenaKind::kState) {
      std::ranges::fill(memory.states, static_cast<uint8_t>(ByteState::kHolds));
      memory.touched_end = spans_[m].size();
      continue;
    }
    std::ranges::fill(memory.states, static_cast<uint8_t>(ByteState::kHolds));
    for (const ByteRange& range : subtract({0, spans_[m].size()}, inputs[m])) {
      fill(m, range, options_.poison, ByteState::kNothing);
    }
    for (const ByteRange& range : inputs[m]) {
      memory.touched_end = std::max(memory.touched_end, range.end);
    }
  }
}

void Simulator::end_run(const Instance&) {
  slots_->clear();
  if (fault_) throw SimulatedFault(file_.name(), board_.name, *fault_);
}

Status Simulator::run_step(const Step& step, const Platform& platform) {
  auto* machine = static_cast<Machine*>(platform.context);
  return static_cast<Simulator*>(machine)->simulate(step);
}

// As the instance has chosen it.
const Form* Simulator::choose(const Step& step) const {
  const FormTask task = form_task(step.bindings(), *program_, *variant_, ops_, features());
  return FormChoice(task).choose(*find_op(ops_, step.op()), step);
}

const Form& Simulator::code_of(const Form& form) const {
  const OpTable ops = options_.forms.ops.empty() ? all_ops() : options_.forms.ops;
  return *find_form(*find_op(ops, form.op), form.number);
}

// States, and what a caller lends, stay as they are.
void Simulator::advance(uint32_t step) {
  const auto arenas = program_->arenas_of(*variant_);
  lives_->advance(step, [&](uint32_t arena, ByteRange bytes) {
    if (kind_of(arenas[arena]) != ArenaKind::kHost) return;
    fill(arena, bytes, options_.poison, ByteState::kNothing);
  });
}

// The steps before this one that the run left out, as their condition does not hold: others read
// what these have not written, and choose something else by the same condition.
void Simulator::pass_left_out(const Step& step) {
  const auto steps = program_->steps_of(*variant_);
  for (; next_step_ < step.index(); ++next_step_) {
    const Step left_out(step.bindings(), steps[next_step_], next_step_);
    if (left_out.where() != format::Where::kCpu) continue;
    advance(next_step_);
    for (uint32_t i = 0; i < left_out.output_count(); ++i) {
      const Tensor tensor = left_out.output(i);
      std::vector<uint8_t>& states = memories_[tensor.record->place]->states;
      if (states.empty()) continue;
      for (const ByteRange& run : element_runs(tensor)) {
        std::fill_n(states.begin() + static_cast<ptrdiff_t>(tensor.record->offset + run.begin),
                    run.end - run.begin, static_cast<uint8_t>(ByteState::kHolds));
      }
    }
  }
  ++next_step_;
}

Status Simulator::simulate(const Step& step) {
  pass_left_out(step);
  advance(step.index());
  const Form& form = *choose(step);
  const Step laid = slots_->lay(step, form.over_read_bytes != 0);
  std::optional<Surroundings> around;
  if (options_.level == Level::kGuards) {
    around.emplace(memory_pointers_, slots_->operands(), options_.inverts);
  }
  const CaughtRun run = slots_->run(code_of(form), laid);
  std::optional<Surroundings::Change> stray;
  if (around) stray = around->settle();
  if (run.access) {
    fault_ = fault_of(*run.access, step, form);
  } else if (stray) {
    fault_ = start_fault(FaultKind::kStray, step, form);
    fault_->writes = true;
    name_place(stray->memory, static_cast<int64_t>(stray->byte), *fault_);
  }
  if (fault_) return error(Code::kCancelled, step.index());
  if (!run.status.ok()) return run.status;
  settle(step);
  chosen_[step.index()] = &form;
  if (options_.level == Level::kGuards) compare_results(step, form);
  return run.status;
}

// Takes note of what the step moved; its outputs hold something from now on, and its scratch does
// not.
void Simulator::settle(const Step& step) {
  for (const LaidOperand& operand : slots_->operands()) {
    if (operand.written) touch(operand);
    WatchedSlot& slot = slots_->slots()[operand.slot];
    StepTraffic& moved = traffic_[size_t{step.index()} * memories_.size() + operand.memory];
    moved.read_bytes += std::exchange(slot.read_bytes, 0);
    moved.written_bytes += std::exchange(slot.written_bytes, 0);
    if (operand.scratch) {
      fill(operand.memory, operand.bytes, options_.poison, ByteState::kNothing);
      continue;
    }
    std::vector<uint8_t>& states = memories_[operand.memory]->states;
    if (!operand.written || states.empty()) continue;
    for (const ByteRange& run : operand.runs) {
      for (uint64_t i = run.begin; i < run.end; ++i) {
        if (states[i] == static_cast<uint8_t>(ByteState::kWritten)) {
          states[i] = static_cast<uint8_t>(ByteState::kHolds);
        } else {
          writes_partly_[step.index()] = true;
        }
      }
    }
  }
}

// The bytes of an operand that are no longer poison were touched.
void Simulator::touch(const LaidOperand& operand) {
  SimulatedMemory& memory = *memories_[operand.memory];
  uint64_t end = operand.bytes.end;
  if (options_.level == Level::kWatched) {
    const WatchedSlot& slot = slots_->slots()[operand.slot];
    end = slot.write_end == 0 ? 0 : slot.write_end - slots_->addresses().front_bytes();
  } else {
    const auto bytes = memory.bytes.bytes();
    while (end > memory.touched_end && end > operand.bytes.begin &&
           bytes[end - 1] == options_.poison) {
      --end;
    }
    if (end == operand.bytes.begin) return;
  }
  memory.touched_end = std::max(memory.touched_end, end);
}

void Simulator::compare_results(const Step& step, const Form& form) {
  const size_t at = results_.size();
  results_.push_back(hash_results());
  if (other_ == nullptr || differs_ || at >= other_->results_.size()) return;
  if (results_[at] != other_->results_[at]) {
    differs_ = start_fault(FaultKind::kDepends, step, form);
  }
}

uint64_t Simulator::hash_results() const {
  uint64_t all = 0;
  for (const LaidOperand& operand : slots_->operands()) {
    if (!operand.written || operand.scratch) continue;
    const auto bytes = memories_[operand.memory]->bytes.bytes();
    for (const ByteRange& run : operand.runs) {
      all = hash(bytes.subspan(run.begin, run.end - run.begin), all);
    }
  }
  return all;
}

Fault Simulator::start_fault(FaultKind kind, const Step& step, const Form& form) const {
  Fault fault;
  fault.kind = kind;
  fault.step = step.index();
  fault.step_name = file_.step_name(method_, variant_number_, step.index());
  const FormNames* names = find_form_names(form.op, form.number);
  fault.form = names != nullptr ? names->key : "form " + std::to_string(form.number);
  return fault;
}

void Simulator::name_operand(const LaidOperand& operand, const Step& step, Fault& fault) const {
  const uint32_t inputs = step.input_count();
  fault.operand = operand.scratch   ? "scratch"
                  : operand.written ? "output " + std::to_string(operand.operand - inputs)
                                    : "input " + std::to_string(operand.operand);
  fault.operand_name = file_.value_name(method_, variant_number_, operand.word);
  fault.operand_begin = operand.bytes.begin;
  fault.operand_end = operand.bytes.end;
}

void Simulator::name_place(uint32_t memory, int64_t byte, Fault& fault) const {
  const SimulatedMemory& there = *memories_[memory];
  fault.memory = there.name;
  fault.byte = byte;
  fault.memory_bytes = there.bytes.bytes().size();
  if (byte < 0 || static_cast<uint64_t>(byte) >= fault.memory_bytes) return;
  const auto at = static_cast<uint64_t>(byte);
  if (memory < spans_.size()) {
    const uint32_t owner = lives_->owner(memory, at);
    if (owner != kNoIndex) fault.owner = file_.value_name(method_, variant_number_, owner);
    return;
  }
  const auto& constants = program_->constants();
  for (uint32_t i = 0; i < constants.size(); ++i) {
    if (constants[i].place != memory - spans_.size() || at < constants[i].offset ||
        at - constants[i].offset >= constants[i].bytes) {
      continue;
    }
    fault.owner = file_.value_name(method_, variant_number_, format::kConstantBit | i);
    return;
  }
}

// The operand of the slot; of several one that is read or written so, the last before the byte.
Fault Simulator::fault_of(const Access& access, const Step& step, const Form& form) const {
  Fault fault = start_fault(access.fault, step, form);
  fault.writes = access.writes;
  const int64_t byte =
      static_cast<int64_t>(access.offset) - static_cast<int64_t>(slots_->addresses().front_bytes());
  const LaidOperand* found = nullptr;
  for (const LaidOperand& operand : slots_->operands()) {
    if (operand.slot != access.slot) continue;
    const bool before = static_cast<int64_t>(operand.bytes.begin) <= byte;
    const bool likelier =
        found != nullptr && operand.written == access.writes &&
        (found->written != access.writes || (before && operand.bytes.begin >= found->bytes.begin));
    if (found == nullptr || likelier) found = &operand;
  }
  if (found == nullptr) {
    fault.memory = "no memory";
    return fault;
  }
  const auto is_of = [&](const LaidOperand& operand) {
    return operand.slot == access.slot && byte >= static_cast<int64_t>(operand.bytes.begin) &&
           byte < static_cast<int64_t>(operand.bytes.end);
  };
  // The page lets it be read.
  if (options_.level == Level::kGuards && std::ranges::any_of(slots_->operands(), is_of)) {
    fault.kind = FaultKind::kReadOnly;
    fault.writes = true;
  }
  name_operand(*found, step, fault);
  name_place(found->memory, byte, fault);
  return fault;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
