// Gives each operand a slot. Operands that overlap what the step writes share one where nobody
// hears of accesses, so that copies between them go in the order that their places ask for.
#include "tools/simulate/operand_slots.h"

#include <algorithm>

#include "core/shape.h"

namespace arenite::tools {
namespace {

// Slots are places of operands, which are bytes: those of single operands, then one of each memory
// for those that share one.
constexpr uint32_t kOwnSlots = 200;

uint64_t largest(std::span<SimulatedMemory* const> memories) {
  uint64_t bytes = 1;
  for (const SimulatedMemory* memory : memories) {
    bytes = std::max<uint64_t>(bytes, memory->bytes.bytes().size());
  }
  return bytes;
}

bool overlap(const ByteRange& a, const ByteRange& b) { return a.begin < b.end && b.begin < a.end; }

// Whether the reference compares addresses of its input and its output, to copy what is elsewhere.
bool compares_places(Op op) { return op == Op::kScatterElements || op == Op::kScatterND; }

}  // namespace

OperandSlots::OperandSlots(std::span<SimulatedMemory* const> memories, uint32_t arena_count,
                           Level level, Watch& watch)
    : memories_(memories),
      arena_count_(arena_count),
      level_(level),
      watch_(watch),
      slots_(kOwnSlots + static_cast<uint32_t>(memories.size()), largest(memories)),
      watched_(slots_.count()),
      elements_(slots_.count()),
      shown_whole_(slots_.count(), kNoIndex) {
  arenas_.resize(slots_.count());
  sections_.resize(slots_.count());
  for (uint32_t slot = 0; slot < slots_.count(); ++slot) {
    arenas_[slot] = slots_.memory_at(slot);
    sections_[slot] = slots_.memory_at(slot);
  }
}

uint32_t OperandSlots::memory_of(const Step& step, uint32_t word) const {
  const uint32_t place = elements_of(step.bindings(), word).place;
  return format::is_constant(word) ? arena_count_ + place : place;
}

void OperandSlots::place(const Step& step, uint32_t operand) {
  const uint32_t word = step.operand_words()[operand];
  if (word == kNoIndex) return;
  LaidOperand laid{.operand = operand, .word = word};
  laid.memory = memory_of(step, word);
  laid.written = operand >= step.input_count();
  laid.scratch = step.has_scratch() && operand == step.scratch_operand();
  const Tensor tensor = step.operand(operand);
  laid.runs = laid.scratch ? std::vector<ByteRange>{{0, tensor.bytes()}} : element_runs(tensor);
  for (ByteRange& run : laid.runs) {
    run.begin += tensor.record->offset;
    run.end += tensor.record->offset;
  }
  std::erase_if(laid.runs, [](const ByteRange& run) { return run.begin == run.end; });
  laid.bytes = {tensor.record->offset, tensor.record->offset};
  if (!laid.runs.empty()) laid.bytes = {laid.runs.front().begin, laid.runs.back().end};
  operands_.push_back(std::move(laid));
}

uint32_t OperandSlots::choose_slot(const Step& step, const LaidOperand& operand) const {
  const uint32_t shared = kOwnSlots + operand.memory;
  if (operand.operand >= kOwnSlots) return shared;
  const bool apart = level_ == Level::kWatched && !compares_places(step.op());
  if (apart) return operand.operand;
  const bool overlaps = std::ranges::any_of(operands_, [&](const LaidOperand& other) {
    return other.operand != operand.operand && other.memory == operand.memory &&
           (other.written || operand.written) && overlap(other.bytes, operand.bytes);
  });
  return overlaps ? shared : operand.operand;
}

// Maps its pages, or all there are.
void OperandSlots::show(const LaidOperand& operand, bool writable) {
  SimulatedMemory& memory = *memories_[operand.memory];
  if (level_ == Level::kWatched) {
    if (shown_whole_[operand.slot] == operand.memory) return;
    const uint64_t most = pages_of(0, largest(memories_)).end;
    if (shown_whole_[operand.slot] != kNoIndex) slots_.unmap(operand.slot, {0, most});
    slots_.map(operand.slot, memory.bytes, {0, memory.bytes.whole_pages().size()},
               !memory.read_only);
    shown_whole_[operand.slot] = operand.memory;
    return;
  }
  const uint64_t end = operand.bytes.begin + elements_of(bindings_, words_[operand.operand]).bytes;
  const PageRange pages = pages_of(operand.bytes.begin, std::max(end, operand.bytes.end));
  const PageRange there = {pages.begin,
                           std::min<uint64_t>(pages.end, memory.bytes.whole_pages().size())};
  slots_.map(operand.slot, memory.bytes, there, writable);
  mappings_.push_back({operand.slot, there});
}

void OperandSlots::set_slot(const LaidOperand& operand, uint64_t readable_end) {
  if (operand.bytes.begin == operand.bytes.end) return;
  WatchedSlot& slot = watched_[operand.slot];
  SimulatedMemory& memory = *memories_[operand.memory];
  const uint64_t front = slots_.front_bytes();
  const bool first = slot.begin == slot.end;
  const uint64_t end =
      operand.written ? operand.bytes.end : std::max(readable_end, operand.bytes.end);
  slot.begin =
      first ? operand.bytes.begin + front : std::min(slot.begin, operand.bytes.begin + front);
  slot.end = first ? end + front : std::max(slot.end, end + front);
  // Scratch may be read before it is written, where nothing follows from it: products with 0.
  const uint64_t states_end = operand.scratch ? 0 : operand.bytes.end + front;
  slot.states_end = std::max(first ? 0 : slot.states_end, states_end);
  slot.written = slot.written || operand.written;
  slot.read = slot.read || !operand.written;
  slot.memory = memory.bytes.bytes().data() - front;
  slot.states = memory.states.empty() ? nullptr : memory.states.data() - front;
  slot.elements = nullptr;
}

// Says which bytes are elements where some between them are not.
void OperandSlots::mark_elements(uint32_t at) {
  WatchedSlot& slot = watched_[at];
  const auto is_here = [at](const LaidOperand& operand) { return operand.slot == at; };
  const auto count = std::ranges::count_if(operands_, is_here);
  const auto one = std::ranges::find_if(operands_, is_here);
  if (count == 1 && one->runs.size() <= 1) return;
  if (slot.begin == slot.end) return;
  std::vector<uint8_t>& elements = elements_[at];
  elements.assign(slot.end - slot.begin, 0);
  const auto mark = [&](uint64_t begin, uint64_t end) {
    std::fill(elements.begin() + static_cast<ptrdiff_t>(begin),
              elements.begin() + static_cast<ptrdiff_t>(end), uint8_t{1});
  };
  const uint64_t base = slot.begin - slots_.front_bytes();
  for (const LaidOperand& operand : operands_) {
    if (!is_here(operand)) continue;
    for (const ByteRange& run : operand.runs) mark(run.begin - base, run.end - base);
  }
  if (slot.states_end > slot.begin) mark(slot.states_end - slot.begin, slot.end - slot.begin);
  slot.elements = elements.data() - slot.begin;
}

void OperandSlots::take_watch() {
  watch_.base = reinterpret_cast<uintptr_t>(slots_.base());
  watch_.bytes = slots_.bytes();
  watch_.slot_bits = slots_.slot_bits();
  watch_.slots = watched_.data();
  watch_.fail = [](const Access& access) { fail_here(access); };
}

Step OperandSlots::lay(const Step& step, bool over_reads) {
  clear();
  take_watch();
  for (uint32_t i = 0; i < step.operand_count(); ++i) place(step, i);
  bindings_ = step.bindings();
  record_ = step.record();
  words_.assign(step.operand_words(), step.operand_words() + step.operand_count());
  values_.clear();
  constants_.clear();
  for (LaidOperand& operand : operands_) {
    operand.slot = choose_slot(step, operand);
    const auto place = static_cast<uint8_t>(operand.slot);
    if (format::is_constant(operand.word)) {
      words_[operand.operand] = format::kConstantBit | static_cast<uint32_t>(constants_.size());
      constants_.push_back(step.bindings().constants[format::constant_index(operand.word)]);
      constants_.back().place = place;
    } else {
      words_[operand.operand] = static_cast<uint32_t>(values_.size());
      values_.push_back(step.bindings().values[operand.word]);
      values_.back().place = place;
    }
  }
  bindings_.values = values_.data();
  bindings_.constants = constants_.data();
  bindings_.operands = words_.data();
  bindings_.arenas = arenas_.data();
  bindings_.sections = sections_.data();
  record_.operand_first = 0;
  for (const LaidOperand& operand : operands_) {
    const Tensor tensor = step.operand(operand.operand);
    const uint64_t value_end = uint64_t{tensor.record->offset} + tensor.bytes();
    set_slot(operand, over_reads && !operand.written ? value_end : 0);
  }
  for (const LaidOperand& operand : operands_) {
    if (level_ == Level::kWatched) mark_elements(operand.slot);
    show(operand, watched_[operand.slot].written);
  }
  return {bindings_, record_, step.index()};
}

void OperandSlots::clear() {
  for (const Mapping& mapping : mappings_) slots_.unmap(mapping.slot, mapping.pages);
  mappings_.clear();
  for (const LaidOperand& operand : operands_) watched_[operand.slot] = {};
  operands_.clear();
}

CaughtRun OperandSlots::run(const Form& form, const Step& laid, const Platform& platform) {
  return run_caught(watch_, [&] { return form.run(laid, platform); });
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
