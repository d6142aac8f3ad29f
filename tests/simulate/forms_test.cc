// Every form on every case of its operator, in slots: what it should do is no fault. Then the same
// run is made wrong, in the ways that a kernel can be: it must be caught, and at the right operand.
//
//   one element beyond       an operand ends an element earlier than the form thinks
//   another operand          what the form takes for an output is an input
//   after its life           an input holds nothing any more
//   an element too near      output 0 overlaps an input at less than its safe distance
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "ops/contracts.h"
#include "portable_fallback/form_names.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "tests/ops/case_step.h"
#include "tests/ops/case_test.h"
#include "tests/ops/harness.h"
#include "tools/simulate/load_watched_forms.h"
#include "tools/simulate/operand_slots.h"

namespace arenite::tools {
namespace {

using ops_test::CaseStep;
using ops_test::OpCase;

constexpr uint64_t kMargin = 64;  // of each memory, beside the operand

const WatchedForms& watched() {
  static const WatchedForms forms = load_watched_forms();
  return forms;
}

// Tests compile at -O0, where an algorithm is a call or two for each byte.
void copy(std::span<const std::byte> from, std::span<std::byte> to) {
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

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

// A case's step whose operands lie in memories of their own, but for one input that lies in that of
// output 0 at a distance. It lasts until the next one is made.
class Simulated {
 public:
  Simulated(CaseStep& from, const Form& form, std::optional<uint32_t> shared = std::nullopt,
            int64_t distance = 0);

  // The form's facts come from the plain forms, its code is watched.
  const Form& code() const { return *find_form(*find_op(watched().ops, form_.op), form_.number); }
  const Step& laid() const { return *laid_; }
  Step step() const { return {bindings_, record_, 0}; }
  OperandSlots& slots() { return room_->slots; }
  SimulatedMemory& memory_of(const LaidOperand& operand) {
    return *room_->memories[operand.memory];
  }
  CaughtRun run() { return room_->slots.run(code(), *laid_); }

 private:
  void place_values(CaseStep& from, std::optional<uint32_t> shared, int64_t distance);
  void add_scratch();
  void copy_contents(CaseStep& from);

  const Form& form_;
  format::StepRecord record_;
  std::vector<format::ValueRecord> values_;
  std::vector<uint32_t> shapes_, words_, attributes_;
  std::vector<uint64_t> memory_bytes_;  // of each value and of scratch
  std::vector<std::byte*> arenas_;
  Bindings bindings_;
  Room* room_ = nullptr;
  std::optional<Step> laid_;
};

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

std::vector<OpCase> all_layouts(const OpCase& c) {
  std::vector<OpCase> all = ops_test::other_layouts(c);
  for (OpCase& blocked : ops_test::other_blocks(c)) all.push_back(std::move(blocked));
  all.push_back(c);
  return all;
}

// All forms that take a case: its reference, and special ones that run here.
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

// What was caught of a form, over all its cases.
struct Caught {
  uint32_t cases = 0, inputs_beyond = 0, outputs_beyond = 0, others = 0, dead = 0;
  uint32_t near = 0;  // inputs that lay too near
};

bool is_at(const CaughtRun& run, FaultKind kind, const LaidOperand& operand) {
  return run.access && run.access->fault == kind && run.access->slot == operand.slot;
}

// An operand ends one element earlier. Forms write all elements of their outputs; of inputs there
// are some that nothing follows from.
void end_earlier(CaseStep& from, const Form& form, uint32_t at, Caught& caught) {
  Simulated simulated(from, form);
  const LaidOperand operand = simulated.slots().operands()[at];
  if (operand.scratch || operand.runs.empty()) return;
  const Tensor tensor = simulated.step().operand(operand.operand);
  WatchedSlot& slot = simulated.slots().slots()[operand.slot];
  if (slot.end - slot.begin < element_bytes(tensor.dtype())) return;
  slot.end -= tensor.layout() == Layout::kStrided ? element_bytes(tensor.dtype()) : 1;
  slot.states_end = std::min(slot.states_end, slot.end);
  const uint64_t end = slot.end;
  const CaughtRun run = simulated.run();
  if (run.access) {
    EXPECT_TRUE(is_at(run, FaultKind::kOutside, operand)) << text_of(run.access);
    EXPECT_GE(run.access->offset, end);
    EXPECT_EQ(run.access->writes, operand.written);
  }
  (operand.written ? caught.outputs_beyond : caught.inputs_beyond) += run.access ? 1u : 0u;
}

// Output 0 is taken for an input.
void write_an_input(CaseStep& from, const Form& form, Caught& caught) {
  Simulated simulated(from, form);
  const auto operands = simulated.slots().operands();
  const auto output = std::ranges::find_if(
      operands, [](const LaidOperand& one) { return one.written && !one.scratch; });
  if (output == operands.end() || output->runs.empty()) return;
  WatchedSlot& slot = simulated.slots().slots()[output->slot];
  slot.written = false;
  slot.read = true;
  const CaughtRun run = simulated.run();
  if (!run.status.ok()) return;
  // Some write all of another output first, and some read what they wrote.
  EXPECT_TRUE(run.access.has_value());
  if (!run.access) return;
  EXPECT_TRUE(is_at(run, FaultKind::kReadOnly, *output)) << text_of(run.access);
  ++caught.others;
}

// An input is no longer alive.
void kill_input(CaseStep& from, const Form& form, uint32_t at, Caught& caught) {
  Simulated simulated(from, form);
  const LaidOperand operand = simulated.slots().operands()[at];
  if (operand.written || operand.runs.empty()) return;
  std::ranges::fill(simulated.memory_of(operand).states, uint8_t{0});
  const CaughtRun run = simulated.run();
  if (!run.access) return;
  EXPECT_TRUE(is_at(run, FaultKind::kNothing, operand)) << text_of(run.access);
  ++caught.dead;
}

// Output 0 lies at the safe distance before an input, and then an element nearer. Behind its start
// nothing need be wrong: a form may read all before it writes.
void overlap(CaseStep& from, const Form& form, uint32_t input, Caught& caught) {
  const Bindings bindings = from.bindings();
  const Step step(bindings, from.record(), 0);
  if (form.safe_distance == nullptr || !step.has_input(input)) return;
  if (step.elements(input).bytes == 0) return;
  const uint64_t distance = form.safe_distance(step, input);
  if (distance == kNoOverlap) return;
  const CaughtRun good = Simulated(from, form, input, static_cast<int64_t>(distance)).run();
  EXPECT_FALSE(good.access) << "at the safe distance: " << text_of(good.access);
  const uint64_t unit = element_bytes(step.dtype(input));
  Simulated near(from, form, input, static_cast<int64_t>(distance) - static_cast<int64_t>(unit));
  const CaughtRun run = near.run();
  if (distance < unit && !run.access) return;
  const auto operands = near.slots().operands();
  const auto operand = std::ranges::find(operands, input, &LaidOperand::operand);
  EXPECT_TRUE(is_at(run, FaultKind::kOverwritten, *operand))
      << "input " << input << ", distance " << distance << ": " << text_of(run.access);
  ++caught.near;
}

// What no layout changes is tried `wholly` in one of them.
void inject_faults(CaseStep& from, const Form& form, bool wholly, Caught& caught) {
  size_t operands = 0;
  {
    Simulated simulated(from, form);
    operands = simulated.slots().operands().size();
    const CaughtRun run = simulated.run();
    EXPECT_FALSE(run.access) << text_of(run.access);
    if (run.access || !run.status.ok()) return;
  }
  ++caught.cases;
  for (uint32_t i = 0; i < from.record().input_count; ++i) overlap(from, form, i, caught);
  if (!wholly) return;
  for (uint32_t at = 0; at < operands; ++at) {
    end_earlier(from, form, at, caught);
    kill_input(from, form, at, caught);
  }
  write_an_input(from, form, caught);
}

class SimulatedForms : public ops_test::CaseTest {};

TEST_P(SimulatedForms, AreFoundWhereTheyMisbehave) {
  std::set<const Form*> seen;
  for (const OpCase& c : all_layouts(the_case())) {
    CaseStep from(c);
    for (const Form* form : forms_of(from)) {
      SCOPED_TRACE(c.name + " by " + find_form_names(form->op, form->number)->key);
      Caught caught;
      inject_faults(from, *form, seen.insert(form).second, caught);
      if (HasFailure()) return;
    }
  }
}

// Whether there are cases in which it is found in each way that any form can be wrong.
bool is_found(const Caught& caught) {
  return caught.outputs_beyond != 0 && caught.others != 0 && caught.inputs_beyond != 0 &&
         caught.dead != 0;
}

TEST(SimulatedFormsOfEachRow, AreFoundInEachWay) {
  std::map<const Form*, Caught> all;
  for (const FormNames& names : form_names()) {
    const Form* form = find_form(*find_op(all_ops(), names.op), names.number);
    const bool runs =
        form->run != nullptr && (form->needs & ~(host_cpu_features() | kEmulatedCpuFeatures)) == 0;
    if (runs) all[form];
  }
  for (const OpCase& whole : ops_test::all_cases()) {
    const auto is_missing = [&](const auto& one) {
      return one.first->op == whole.op && !is_found(one.second);
    };
    if (std::ranges::none_of(all, is_missing)) continue;
    for (const OpCase& c : all_layouts(whole)) {
      CaseStep from(c);
      for (const Form* form : forms_of(from)) {
        if (!is_found(all[form])) inject_faults(from, *form, true, all[form]);
      }
    }
  }
  uint32_t overlapped = 0;
  for (const auto& [form, caught] : all) {
    overlapped += caught.near != 0 ? 1u : 0u;
    EXPECT_TRUE(is_found(caught)) << find_form_names(form->op, form->number)->key << ": of "
                                  << caught.cases << " cases " << caught.outputs_beyond
                                  << " outputs and " << caught.inputs_beyond
                                  << " inputs beyond their ends, " << caught.others
                                  << " other operands, " << caught.dead << " dead ones, "
                                  << caught.near << " too near";
  }
  EXPECT_GE(overlapped, 100u);  // forms whose safe distance was tried
}

INSTANTIATE_TEST_SUITE_P(Ops, SimulatedForms, ops_test::every_case(), ops_test::case_name);

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
