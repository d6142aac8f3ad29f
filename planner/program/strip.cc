// Copies the tables with new indices, and leaves out what no variant of the board refers to.
#include "planner/program/strip.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/range.h"
#include "core/sections.h"
#include "core/symbols.h"
#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "planner/program/aligned_program.h"
#include "planner/program/check.h"
#include "planner/program/constants_section.h"
#include "planner/program/sections.h"
#include "planner/program/word_pool.h"
#include "portable_fallback/forms.h"
#include "support/suggest.h"
#include "support/word_errors.h"

namespace arenite::planner {
namespace {

using format::SectionKind;

std::vector<uint32_t> words(std::span<const uint32_t> table, uint32_t first, uint32_t count) {
  const auto part = table.subspan(first, count);
  return {part.begin(), part.end()};
}

class Stripper {
 public:
  Stripper(const Program& from, const std::string& board)
      : from_(from),
        board_(board),
        shapes_(to_.shapes),
        attributes_(to_.attributes),
        names_(from.section(SectionKind::kNames)),
        source_map_(from.section(SectionKind::kSourceMap)) {}

  ProgramTables run() {
    to_.required_features = from_.header().required_features;
    to_.optional_features = from_.header().optional_features;
    keep_symbolic_words();
    add_external_constants();
    for (uint32_t m = 0; m < from_.methods().size(); ++m) add_method(m);
    if (to_.symbolic_variants.empty()) to_.required_features &= ~uint32_t{format::kDimsFeature};
    if (to_.predicates.empty()) to_.required_features &= ~uint32_t{format::kPredicatesFeature};
    const bool is_cut = std::ranges::any_of(to_.steps, [](const format::StepRecord& step) {
      return (step.flags & format::kBeginsStretch) != 0;
    });
    if (!is_cut) to_.required_features &= ~uint32_t{format::kCutsFeature};
    to_.quantization = {from_.quantization().begin(), from_.quantization().end()};
    for (format::StateRecord state : from_.states()) {
      if (state.initial != kNoIndex) state.initial = add_constant(state.initial);
      to_.states.push_back(state);
    }
    if (!external()) store_constants();
    if (!names_.empty()) {
      to_.sections.push_back({SectionKind::kNames, names_section(method_names_)});
    }
    if (!source_map_.empty()) {
      to_.sections.push_back({SectionKind::kSourceMap, source_map_section(step_nodes_)});
    }
    // Sections of methods as a whole stay as they are. A signature would no longer be right.
    for (uint32_t s = 0; s < from_.sections().size(); ++s) {
      const auto kind = static_cast<SectionKind>(from_.sections()[s].kind);
      if (kind != SectionKind::kTestVectors && kind != SectionKind::kCounts) continue;
      const auto bytes = from_.section_bytes(s);
      to_.sections.push_back({kind, {bytes.begin(), bytes.end()}});
    }
    return std::move(to_);
  }

 private:
  std::string_view board_of(const format::VariantRecord& v) const {
    return from_.string(v.board_offset, v.board_bytes);
  }

  [[noreturn]] void fail_no_variant(const format::MethodRecord& method) const {
    std::set<std::string> boards;
    for (uint32_t v = 0; v < method.variant_count; ++v) {
      boards.emplace(printable(board_of(from_.variants()[method.variant_first + v])));
    }
    const std::vector<std::string> known(boards.begin(), boards.end());
    throw WordError("method " + printable(from_.string(method.name_offset, method.name_bytes)) +
                        " was not planned for board " + printable(board_) + ", expected " +
                        listed(known) + did_you_mean(board_, known),
                    std::string(board_), known);
  }

  void add_method(uint32_t m) {
    const format::MethodRecord& method = from_.methods()[m];
    format::MethodRecord record = method;
    const TextRange name = add_text(to_, from_.string(method.name_offset, method.name_bytes));
    record.name_offset = name.offset;
    record.name_bytes = name.bytes;
    record.variant_first = static_cast<uint32_t>(to_.variants.size());
    MethodNames names;
    for (uint32_t i = 0; i < method.input_count; ++i) {
      names.inputs.emplace_back(input_name(names_, m, i).value_or(""));
    }
    for (uint32_t i = 0; i < method.output_count; ++i) {
      names.outputs.emplace_back(output_name(names_, m, i).value_or(""));
    }
    for (format::SymbolRecord symbol : symbols_of(from_, m)) {
      const TextRange text = add_text(to_, from_.string(symbol.name_offset, symbol.name_bytes));
      symbol.name_offset = text.offset;
      symbol.name_bytes = text.bytes;
      to_.symbols.push_back(symbol);
    }
    for (uint32_t v = 0; v < method.variant_count; ++v) {
      const uint32_t variant = method.variant_first + v;
      if (board_of(from_.variants()[variant]) != board_) continue;
      add_variant(method, variant);
      std::vector<std::string> values;
      for (uint32_t i = 0; i < from_.variants()[variant].value_count; ++i) {
        values.emplace_back(value_name(names_, m, v, i).value_or(""));
      }
      names.variant_values.push_back(std::move(values));
    }
    record.variant_count = static_cast<uint32_t>(to_.variants.size()) - record.variant_first;
    if (record.variant_count == 0) fail_no_variant(method);
    to_.methods.push_back(record);
    method_names_.push_back(std::move(names));
  }

  void add_variant(const format::MethodRecord& method, uint32_t index) {
    const format::VariantRecord& from = from_.variants()[index];
    format::VariantRecord record = from;
    const TextRange board = add_text(to_, board_of(from));
    record.board_offset = board.offset;
    record.board_bytes = board.bytes;
    record.requirement_first = static_cast<uint32_t>(to_.requirements.size());
    for (const auto& requirement : from_.requirements_of(from)) {
      to_.requirements.push_back(requirement);
    }
    record.arena_first = static_cast<uint32_t>(to_.arenas.size());
    for (format::ArenaRecord arena : from_.arenas_of(from)) {
      const TextRange name = add_text(to_, from_.string(arena.name_offset, arena.name_bytes));
      arena.name_offset = name.offset;
      arena.name_bytes = name.bytes;
      to_.arenas.push_back(arena);
    }
    record.value_first = static_cast<uint32_t>(to_.values.size());
    for (const format::ValueRecord& value : from_.values_of(from)) add_value(value);
    record.step_first = static_cast<uint32_t>(to_.steps.size());
    step_nodes_.emplace_back();
    for (uint32_t s = 0; s < from.step_count; ++s) add_step(index, s);
    record.descriptor_set_first = static_cast<uint32_t>(to_.descriptor_sets.size());
    for (const auto& sets : from_.descriptor_sets_of(from)) to_.descriptor_sets.push_back(sets);
    for (format::PredicateRecord predicate : from_.predicates()) {
      if (predicate.variant != index) continue;
      predicate.variant = static_cast<uint32_t>(to_.variants.size());
      to_.predicates.push_back(predicate);
    }
    for (const format::SymbolicVariantRecord& symbolic : from_.symbolic_variants()) {
      if (symbolic.variant == index) add_symbolic(symbolic);
    }
    record.io_first = static_cast<uint32_t>(to_.io.size());
    const auto io = from_.io().subspan(from.io_first, method.input_count + method.output_count);
    to_.io.insert(to_.io.end(), io.begin(), io.end());
    to_.variants.push_back(record);
  }

  // Words that follow from symbols stay where they are, for variants that stay: those of the
  // variant that uses most of them come first.
  void keep_symbolic_words() {
    for (const format::SymbolicVariantRecord& symbolic : from_.symbolic_variants()) {
      if (board_of(from_.variants()[symbolic.variant]) != board_) continue;
      kept_shape_words_ = std::max(kept_shape_words_, symbolic.shape_words);
      kept_attribute_words_ = std::max(kept_attribute_words_, symbolic.attribute_words);
    }
    to_.shapes = words(from_.shapes(), 0, kept_shape_words_);
    to_.attributes = words(from_.attributes(), 0, kept_attribute_words_);
  }

  void add_symbolic(const format::SymbolicVariantRecord& from) {
    format::SymbolicVariantRecord record = from;
    record.variant = static_cast<uint32_t>(to_.variants.size());
    record.expression_first = static_cast<uint32_t>(to_.expressions.size());
    record.patch_first = static_cast<uint32_t>(to_.patches.size());
    for (uint32_t i = 0; i < from.expression_count; ++i) {
      to_.expressions.push_back(from_.expressions()[from.expression_first + i]);
    }
    for (uint32_t i = 0; i < from.patch_count; ++i) {
      to_.patches.push_back(from_.patches()[from.patch_first + i]);
    }
    to_.symbolic_variants.push_back(record);
  }

  // The new index of words of shapes.
  uint32_t shape_words(uint32_t first, uint32_t count) {
    if (kept_shape_words_ != 0 && within(first, count, kept_shape_words_)) return first;
    return shapes_.add(words(from_.shapes(), first, count));
  }
  uint32_t attribute_words(uint32_t first, uint32_t count) {
    if (kept_attribute_words_ != 0 && within(first, count, kept_attribute_words_)) return first;
    return attributes_.add(words(from_.attributes(), first, count));
  }

  // The new index of a constant. One in another file stays where it is; bytes that others share are
  // stored once, when all are known.
  uint32_t add_constant(uint32_t index) {
    const auto [it, added] =
        constant_index_.emplace(index, static_cast<uint32_t>(to_.constants.size()));
    if (added) {
      format::ConstantRecord constant = from_.constants()[index];
      constant.shape = shape_words(constant.shape, 2u * constant.rank);
      if (external()) {
        constant.place = static_cast<uint8_t>(external_sections_.at(constant.place));
      }
      to_.constants.push_back(constant);
    }
    return it->second;
  }

  bool external() const { return !from_.constant_files().empty(); }

  void add_external_constants() {
    for (uint32_t s = 0; s < from_.sections().size(); ++s) {
      const format::SectionRecord& record = from_.sections()[s];
      if (record.kind != static_cast<uint32_t>(SectionKind::kExternalConstants)) continue;
      external_sections_[s] = static_cast<uint32_t>(to_.sections.size());
      to_.sections.push_back({SectionKind::kExternalConstants, {}, record});
    }
    for (format::ConstantFileRecord file : from_.constant_files()) {
      const TextRange name = add_text(to_, from_.string(file.name_offset, file.name_bytes));
      file.name_offset = name.offset;
      file.name_bytes = name.bytes;
      to_.constant_files.push_back(file);
    }
  }

  void add_value(format::ValueRecord value) {
    value.shape = shape_words(value.shape, 2u * value.rank);
    to_.values.push_back(value);
  }

  void store_constants() {
    constexpr uint32_t kAlignment = format::kSegmentAlignment;
    std::vector<format::ConstantRecord*> order;
    for (format::ConstantRecord& constant : to_.constants) order.push_back(&constant);
    std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
      return std::tie(a->place, a->offset) < std::tie(b->place, b->offset);
    });
    ConstantsSection section(to_);
    for (size_t first = 0; first < order.size();) {
      // Constants that follow each other in less than the distance at which another one could
      // begin.
      const uint32_t from = order[first]->place;
      const uint32_t begin = order[first]->offset / kAlignment * kAlignment;
      uint32_t end = begin;
      size_t last = first;
      for (; last < order.size() && order[last]->place == from; ++last) {
        const bool apart =
            order[last]->offset >= (uint64_t{end} + kAlignment - 1) / kAlignment * kAlignment;
        if (last != first && apart) break;
        end = std::max(end, order[last]->offset + order[last]->bytes);
      }
      const uint32_t to = section.add(from_.section_bytes(from).subspan(begin, end - begin), 0);
      for (; first < last; ++first) {
        order[first]->place = section.index();
        order[first]->offset += to - begin;
      }
    }
    section.finish();
  }

  void add_step(uint32_t variant, uint32_t index) {
    format::StepRecord step = from_.steps_of(from_.variants()[variant])[index];
    const uint32_t count = uint32_t{step.input_count} + step.output_count + step.scratch_count;
    const auto operands = from_.operands().subspan(step.operand_first, count);
    step.operand_first = static_cast<uint32_t>(to_.operands.size());
    for (const uint32_t operand : operands) {
      const bool constant = operand != kNoIndex && format::is_constant(operand);
      to_.operands.push_back(constant ? format::kConstantBit |
                                            add_constant(format::constant_index(operand))
                                      : operand);
    }
    step.attribute_first = attribute_words(step.attribute_first, step.attribute_words);
    to_.steps.push_back(step);
    StepNodes nodes;
    while (const auto node =
               source_node(source_map_, variant, index, static_cast<uint32_t>(nodes.size()))) {
      nodes.emplace_back(*node);
    }
    step_nodes_.back().push_back(std::move(nodes));
  }

  const Program& from_;
  const std::string& board_;
  ProgramTables to_;
  WordPool shapes_, attributes_;
  uint32_t kept_shape_words_ = 0, kept_attribute_words_ = 0;
  const std::span<const std::byte> names_, source_map_;
  std::map<uint32_t, uint32_t> constant_index_;
  std::map<uint32_t, uint32_t> external_sections_;  // new index by old
  std::vector<MethodNames> method_names_;
  std::vector<std::vector<StepNodes>> step_nodes_;
};

}  // namespace

std::vector<std::byte> strip(std::span<const std::byte> file, const std::string& board,
                             std::span<const std::byte> constants) {
  const AlignedProgram program(file, constants);
  // Shows first that the program is sound: everything below follows its indices blindly.
  try {
    check_program(*program, {all_ops()});
  } catch (const std::logic_error& error) {
    throw InputError(std::string("program file: ") + error.what());
  }
  return write_program(Stripper(*program, board).run());
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
