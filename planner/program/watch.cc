// Copies one variant with transfers between its steps.
//
// Time only grows: step s becomes step s + (transfers before it), and every life keeps its order
// with every other. A value lives on to the transfer that copies it, which comes before whatever
// is written next, so that nothing takes its bytes in between and the proof of disjointness holds
// as it did. Copies lie one behind the other in an arena of their own and live to the end.
#include "planner/program/watch.h"

#include <algorithm>
#include <string>

#include "core/step.h"
#include "core/symbols.h"
#include "planner/graph/graph.h"
#include "planner/program/writer.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {
namespace {

using format::StepRecord;
using format::ValueKind;
using format::ValueRecord;
using format::Where;

template <typename View>
std::vector<typename View::value_type> copied(const View& records) {
  return {records.begin(), records.end()};
}

class Watcher {
 public:
  Watcher(const Program& program, uint32_t method, uint32_t variant,
          std::span<const Written> watched)
      : program_(program),
        method_index_(method),
        method_(program.methods()[method]),
        variant_(program.variants()[method_.variant_first + variant]),
        watched_(watched),
        to_(tables_of(program)) {}

  WatchedProgram run() {
    if (variant_.arena_count == kMaxArenas) {
      throw InputError("the program has " + std::to_string(kMaxArenas) +
                       " arenas: there is none left to watch its steps with");
    }
    keep_one_variant();
    add_steps();
    stretch_lives();
    add_copies();
    format::VariantRecord& variant = to_.variants[0];
    variant.step_count = static_cast<uint32_t>(to_.steps.size());
    variant.value_count = static_cast<uint32_t>(to_.values.size());
    variant.arena_count = static_cast<uint32_t>(to_.arenas.size());
    result_.program = write_program(to_);
    return std::move(result_);
  }

 private:
  void keep_one_variant() {
    to_.methods = {method_};
    to_.methods[0].variant_first = 0;
    to_.methods[0].variant_count = 1;
    format::VariantRecord variant = variant_;
    variant.requirement_first = variant.arena_first = variant.value_first = 0;
    variant.step_first = variant.io_first = 0;
    variant.descriptor_set_first = 0;
    to_.variants = {variant};
    to_.requirements = copied(program_.requirements_of(variant_));
    to_.arenas = copied(program_.arenas_of(variant_));
    to_.descriptor_sets = copied(program_.descriptor_sets_of(variant_));
    to_.values = copied(program_.values_of(variant_));
    to_.io = copied(
        program_.io().subspan(variant_.io_first, method_.input_count + method_.output_count));
    // Names and test vectors are of other variants too, and go by steps that are renumbered.
    std::erase_if(to_.sections, [](const SectionPayload& section) {
      return section.kind != format::SectionKind::kConstants;
    });
    std::erase_if(to_.states, [&](const auto& state) { return state.method != method_index_; });
    for (format::StateRecord& state : to_.states) state.method = 0;
    to_.steps.clear();
    to_.operands.clear();
    // All steps run: what a run leaves out is not there to be compared.
    to_.predicates.clear();
    to_.required_features &= ~uint32_t{format::kPredicatesFeature};
    keep_symbols();
  }

  // Copies have the dims of what they copy, so that they follow from symbols by the same words.
  void keep_symbols() {
    to_.symbols = copied(symbols_of(program_, method_index_));
    for (format::SymbolRecord& symbol : to_.symbols) symbol.method = 0;
    to_.symbolic_variants.clear();
    to_.expressions.clear();
    to_.patches.clear();
    to_.required_features &= ~uint32_t{format::kDimsFeature};
    const format::SymbolicVariantRecord* record = symbolic_variant(program_, variant_);
    if (record == nullptr) return;
    to_.expressions = copied(Records<format::ExpressionRecord>(
        program_.expressions().data() + record->expression_first, record->expression_count));
    to_.patches = copied(Records<format::PatchRecord>(
        program_.patches().data() + record->patch_first, record->patch_count));
    to_.symbolic_variants = {*record};
    to_.symbolic_variants[0].variant = 0;
    to_.symbolic_variants[0].expression_first = to_.symbolic_variants[0].patch_first = 0;
    to_.required_features |= format::kDimsFeature;
  }

  void add_steps() {
    size_t next = 0;
    for (uint32_t s = 0; s < variant_.step_count; ++s) {
      new_steps_.push_back(static_cast<uint32_t>(to_.steps.size()));
      add_step(program_.steps_of(variant_)[s]);
      result_.old_steps.push_back(s);
      for (; next < watched_.size() && watched_[next].step == s; ++next) {
        transfers_.push_back(static_cast<uint32_t>(to_.steps.size()));
        add_transfer(watched_[next].value, static_cast<uint32_t>(next));
        result_.old_steps.push_back(kNoIndex);
      }
    }
  }

  void add_step(StepRecord step) {
    const auto where = static_cast<Where>(step.where);
    if (where == Where::kVulkan || where == Where::kTransfer) step.flags |= format::kBarrierBefore;
    const uint32_t count = uint32_t{step.input_count} + step.output_count + step.scratch_count;
    const auto operands = program_.operands().subspan(step.operand_first, count);
    step.operand_first = static_cast<uint32_t>(to_.operands.size());
    to_.operands.insert(to_.operands.end(), operands.begin(), operands.end());
    to_.steps.push_back(step);
  }

  void add_transfer(uint32_t value, uint32_t number) {
    StepRecord step{};
    step.op = static_cast<uint16_t>(Op::kCopy);
    step.where = static_cast<uint8_t>(Where::kTransfer);
    step.flags = format::kBarrierBefore;
    step.operand_first = static_cast<uint32_t>(to_.operands.size());
    step.input_count = step.output_count = 1;
    to_.operands.push_back(value);
    to_.operands.push_back(variant_.value_count + number);
    to_.steps.push_back(step);
  }

  void stretch_lives() {
    const auto last_step = static_cast<uint32_t>(to_.steps.size()) - 1;
    for (ValueRecord& value : to_.values) {
      value.first_step = new_steps_[value.first_step];
      const bool to_the_end = value.last_step + 1 == variant_.step_count;
      value.last_step = to_the_end ? last_step : new_steps_[value.last_step];
    }
    for (size_t i = 0; i < watched_.size(); ++i) {
      ValueRecord& value = to_.values[watched_[i].value];
      value.last_step = std::max(value.last_step, transfers_[i]);
      if (!format::is_view(value)) continue;
      ValueRecord& root = to_.values[value.below_or_root];
      root.last_step = std::max(root.last_step, transfers_[i]);
    }
  }

  void add_copies() {
    const TextRange name = add_text(to_, "watched");
    const auto arena = static_cast<uint32_t>(to_.arenas.size());
    uint64_t end = 0;
    uint32_t below = kNoIndex;
    for (size_t i = 0; i < watched_.size(); ++i) {
      ValueRecord copy = to_.values[watched_[i].value];
      // Elsewhere within kDeviceAlignment than what it copies: a backend that works on outputs in
      // place, where transfers gain nothing, leaves this one as it is.
      const uint64_t wanted = (uint64_t{copy.offset} + kDeviceAlignment / 4) % kDeviceAlignment;
      const uint64_t offset =
          end + (wanted + kDeviceAlignment - end % kDeviceAlignment) % kDeviceAlignment;
      end = offset + copy.bytes;
      if (end + kDeviceAlignment > UINT32_MAX) {
        throw InputError("what is to be watched takes more than 4 GiB");
      }
      copy.kind = static_cast<uint8_t>(ValueKind::kArena);
      copy.yields = 0;
      copy.place = static_cast<uint8_t>(arena);
      copy.offset = static_cast<uint32_t>(offset);
      copy.first_step = transfers_[i];
      copy.last_step = static_cast<uint32_t>(to_.steps.size()) - 1;
      copy.below_or_root = below;
      const auto index = static_cast<uint32_t>(to_.values.size());
      if (copy.bytes != 0) below = index;
      result_.copies.push_back(index);
      to_.values.push_back(copy);
    }
    if (watched_.empty()) return;
    const uint64_t bytes = (end + kDeviceAlignment - 1) / kDeviceAlignment * kDeviceAlignment;
    to_.arenas.push_back({name.offset, name.bytes,
                          static_cast<uint32_t>(format::ArenaKind::kReadback),
                          static_cast<uint32_t>(bytes), kDeviceAlignment});
  }

  const Program& program_;
  const uint32_t method_index_;
  const format::MethodRecord& method_;
  const format::VariantRecord& variant_;
  const std::span<const Written> watched_;
  ProgramTables to_;
  WatchedProgram result_;
  std::vector<uint32_t> new_steps_;  // by old step
  std::vector<uint32_t> transfers_;  // by what is watched
};

}  // namespace

WatchedProgram watch(const Program& program, uint32_t method, uint32_t variant,
                     std::span<const Written> watched) {
  return Watcher(program, method, variant, watched).run();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
