// Maps memories and slots once for all cases of a size.
#include "tests/simulate/simulated.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <span>

#include <gtest/gtest.h>

#include "core/pauses.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "tests/ops/harness.h"
#include "tools/simulate/load_watched_forms.h"

namespace arenite::tools {

using ops_test::CaseStep;
using ops_test::OpCase;

namespace {

constexpr uint64_t kMargin = 64;  // of each memory, beside the operand

const WatchedForms& watched() {
  static const WatchedForms forms = load_watched_forms();
  return forms;
}

// Tests compile at -O0, where an algorithm is a call or two for each byte.
void copy(std::span<const std::byte> from, std::span<std::byte> to) {
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

}  // namespace

// Memories of one size and slots over them. To map them takes longer than most forms run, so each
// number and size of memories is mapped once, for one case at a time.
struct Room {
  Room(size_t count, uint64_t bytes)
      : memories(make(count, bytes)),
        pointers(pointers_to(memories)),
        slots(pointers, static_cast<uint32_t>(count), Level::kWatched, *watched().watch) {}

  using Memories = std::vector<std::unique_ptr<SimulatedMemory>>;
  static Memories make(size_t count, uint64_t bytes) {
    Memories all;
    while (all.size() < count) {
      all.push_back(std::make_unique<SimulatedMemory>("memory", bytes, false));
    }
    return all;
  }
  static std::vector<SimulatedMemory*> pointers_to(const Memories& memories) {
    std::vector<SimulatedMemory*> all;
    for (const auto& memory : memories) all.push_back(memory.get());
    return all;
  }

  Memories memories;
  std::vector<SimulatedMemory*> pointers;
  OperandSlots slots;
};

// With a memory for each of these numbers of bytes, whose bytes hold nothing.
Room& cleared_room(std::span<const uint64_t> sizes) {
  static std::map<std::pair<size_t, uint64_t>, std::unique_ptr<Room>> rooms;
  const uint64_t bytes = std::bit_ceil(std::max(*std::ranges::max_element(sizes), page_bytes()));
  std::unique_ptr<Room>& room = rooms[{sizes.size(), bytes}];
  if (!room) room = std::make_unique<Room>(sizes.size(), bytes);
  room->slots.clear();
  for (size_t m = 0; m < sizes.size(); ++m) {
    SimulatedMemory& memory = *room->memories[m];
    memory.states.assign(sizes[m], 0);
    std::memset(memory.bytes.bytes().data(), 0xff, pages_of(0, sizes[m]).end);
  }
  return *room;
}

Simulated::Simulated(CaseStep& from, const Form& form, std::optional<uint32_t> shared,
                     int64_t distance)
    : form_(form), record_(from.record()) {
  record_.flags = format::kSerial;
  record_.operand_first = 0;
  attributes_.assign(from.attributes().begin(), from.attributes().end());
  words_.assign(from.operands().begin(), from.operands().end());
  place_values(from, shared, distance);
  bindings_.attributes = attributes_.data();
  bindings_.shapes = shapes_.data();
  bindings_.values = values_.data();
  bindings_.operands = words_.data();
  add_scratch();
  room_ = &cleared_room(memory_bytes_);
  for (const auto& memory : room_->memories) arenas_.push_back(memory->bytes.bytes().data());
  bindings_.arenas = arenas_.data();
  copy_contents(from);
  laid_ = slots().lay(step(), form.over_read_bytes != 0);
  for (const LaidOperand& operand : slots().operands()) {
    if (operand.written) continue;
    for (const ByteRange& run : operand.runs) {
      std::memset(memory_of(operand).states.data() + run.begin, static_cast<int>(ByteState::kHolds),
                  run.end - run.begin);
    }
  }
}

void Simulated::place_values(CaseStep& from, std::optional<uint32_t> shared, int64_t distance) {
  const uint32_t output = words_[record_.input_count];
  // Of the memory that is shared: bytes before the output, and before the input.
  const auto before_output = static_cast<uint64_t>(std::max<int64_t>(0, -distance));
  const auto before_input = static_cast<uint64_t>(std::max<int64_t>(0, distance));
  uint64_t room = 0;
  if (shared) room = before_input + from.value(words_[*shared]).bytes;
  for (const uint32_t word : words_) {
    if (word == kNoIndex) continue;
    format::ValueRecord value = from.value(word);
    const bool follows = shared && word == words_[*shared];
    const uint64_t before = shared && word == output ? before_output : (follows ? before_input : 0);
    memory_bytes_.push_back(2 * kMargin +
                            std::max<uint64_t>(before + value.bytes, word == output ? room : 0));
    value.place = static_cast<uint8_t>(follows ? output : word);
    value.offset = static_cast<uint32_t>(kMargin + before);
    value.shape = static_cast<uint32_t>(shapes_.size());
    const auto shape = from.shape(word);
    shapes_.insert(shapes_.end(), shape.begin(), shape.end());
    values_.push_back(value);
  }
}

void Simulated::add_scratch() {
  if (form_.scratch == nullptr) return;
  const uint64_t bytes = scratch_bytes(form_.scratch(step()), 1);
  memory_bytes_.push_back(bytes);
  format::ValueRecord value{};
  value.dtype = static_cast<uint8_t>(DType::kUint8);
  value.place = static_cast<uint8_t>(memory_bytes_.size() - 1);
  value.bytes = static_cast<uint32_t>(bytes);
  words_.push_back(static_cast<uint32_t>(values_.size()));
  values_.push_back(value);
  record_.scratch_count = 1;
  bindings_.values = values_.data();
  bindings_.operands = words_.data();
}

// An input that lies where the output does comes last.
void Simulated::copy_contents(CaseStep& from) {
  for (const bool shares : {false, true}) {
    for (const uint32_t word : from.operands()) {
      if (word == kNoIndex || (values_[word].place != word) != shares) continue;
      const format::ValueRecord& value = from.value(word);
      copy(from.arena().subspan(value.offset, value.bytes),
           {arenas_[values_[word].place] + values_[word].offset, value.bytes});
    }
  }
}

const Form& Simulated::code() const {
  return *find_form(*find_op(watched().ops, form_.op), form_.number);
}

OperandSlots& Simulated::slots() { return room_->slots; }

SimulatedMemory& Simulated::memory_of(const LaidOperand& operand) {
  return *room_->memories[operand.memory];
}

CaughtRun Simulated::run(bool cut) {
  Pauses pauses{.call = [](void*) { return true; }};
  Platform platform;
  if (cut) platform.pauses = &pauses;
  return slots().run(code(), *laid_, platform);
}

std::vector<const Form*> forms_of(CaseStep& from) {
  const Bindings bindings = from.bindings();
  const Step step(bindings, from.record(), 0);
  const DType type = type_of(step, *find_contract(step.op()));
  std::vector<const Form*> forms = {ops_test::reference_of(step)};
  for (const Form* form : ops_test::special_forms_that_run(step.op(), host_cpu_features())) {
    const bool takes = has(form->types, type) && reads_weights(*form, step) &&
                       (form->accepts == nullptr || form->accepts(step));
    if (takes) forms.push_back(form);
  }
  return forms;
}

std::string text_of(const std::optional<Access>& access) {
  if (!access) return "no fault";
  return "fault " + std::to_string(static_cast<int>(access->fault)) + " in slot " +
         std::to_string(access->slot) + ", offset " + std::to_string(access->offset);
}

bool is_at(const CaughtRun& run, FaultKind kind, const LaidOperand& operand) {
  return run.access && run.access->fault == kind && run.access->slot == operand.slot;
}

namespace {

// Nothing where the form may not overlap the input.
std::optional<int64_t> distance_of(CaseStep& from, const Form& form, uint32_t input) {
  const Bindings bindings = from.bindings();
  const Step step(bindings, from.record(), 0);
  if (form.safe_distance == nullptr || !step.has_input(input)) return {};
  if (step.elements(input).bytes == 0) return {};
  const uint64_t distance = form.safe_distance(step, input);
  return distance == kNoOverlap ? std::nullopt : std::optional(static_cast<int64_t>(distance));
}

}  // namespace

void expect_safe_distance(CaseStep& from, const Form& form, uint32_t input) {
  const auto distance = distance_of(from, form, input);
  if (!distance) return;
  for (const bool cut : {false, true}) {
    const CaughtRun run = Simulated(from, form, input, *distance).run(cut);
    EXPECT_FALSE(run.access) << "input " << input << " at the safe distance " << *distance
                             << (cut ? ", cut: " : ": ") << text_of(run.access);
  }
}

bool expect_tight_distance(CaseStep& from, const Form& form, uint32_t input) {
  const auto distance = distance_of(from, form, input);
  if (!distance) return false;
  const auto unit = static_cast<int64_t>(
      element_bytes(static_cast<DType>(from.value(from.operands()[input]).dtype)));
  Simulated near(from, form, input, *distance - unit);
  const CaughtRun run = near.run(true);
  if (*distance < unit && !run.access) return false;
  const auto operands = near.slots().operands();
  const auto operand = std::ranges::find(operands, input, &LaidOperand::operand);
  EXPECT_TRUE(is_at(run, FaultKind::kOverwritten, *operand))
      << "input " << input << ", distance " << *distance << ": " << text_of(run.access);
  return true;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
