// Walks variants step by step; adds values, shapes and constants to the tables on first use.
#include "planner/program/tables.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

#include "core/assert.h"
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/twins.h"
#include "planner/graph/graph.h"
#include "planner/program/certificate.h"
#include "planner/program/constants_section.h"
#include "planner/program/dispatch_counts.h"
#include "planner/program/word_pool.h"
#include "planner/steps/lower/lower.h"
#include "planner/steps/variant/halves.h"

namespace arenite::planner {
namespace {

using format::ValueKind;
using format::ValueRecord;

// Features that a reader must know to read such an operand.
uint32_t features_of(const Strided& form) {
  switch (form.layout) {
    case Layout::kPacked4:
      return format::kPacked4Feature;
    case Layout::kBlocked:
      return format::kBlockedFeature;
    default:
      return 0;
  }
}

// The stored constants: the pool's that are used, in its order, and what operands make of them.
class ConstantTable {
 public:
  ConstantTable(const std::vector<PlannedMethod>& methods, const ConstantPool& pool,
                ProgramTables& tables)
      : pool_(pool), tables_(tables), offset_(pool.entries().size(), kNoIndex) {
    std::vector<bool> used(pool.entries().size());
    for (const PlannedMethod& method : methods) {
      for (const PlannedState& state : method.states) {
        if (state.initial.has_value()) used[state.initial->index] = true;
      }
      for (const PlannedVariant& variant : method.variants) {
        for (const ScheduledStep& step : variant.plan.steps) {
          for (const std::optional<Operand>& operand : step.inputs) {
            if (operand.has_value() && operand->constant) used[operand->index] = true;
          }
        }
      }
    }
    ConstantsSection section(tables);
    section_ = section.index();
    for (size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) continue;
      offset_[i] = section.add(pool.entries()[i].bytes, pool.entries()[i].over_read_bytes);
    }
    section.finish();
  }

  // The operand word of a constant; `shape` has its dims and strides.
  uint32_t operand(const Operand& operand, uint32_t shape) {
    return format::kConstantBit | add(operand, shape, operand_bytes(operand, pool_));
  }

  // The index of the constant that a state begins with: its elements, and nothing beyond them.
  uint32_t initial(const Operand& operand, uint32_t shape) {
    return add(operand, shape, pool_.entries()[operand.index].bytes.size());
  }

 private:
  uint32_t add(const Operand& operand, uint32_t shape, uint64_t bytes) {
    format::ConstantRecord record{};
    describe(record, operand.dtype, operand.form);
    tables_.required_features |= features_of(operand.form);
    record.place = section_;
    record.shape = shape;
    record.offset = offset_[operand.index] +
                    static_cast<uint32_t>(operand.form.offset * element_bytes(operand.dtype));
    record.bytes = static_cast<uint32_t>(bytes);
    const auto [it, added] = known_.emplace(
        std::tuple(record.dtype, record.rank, record.layout, shape, record.offset, record.bytes),
        static_cast<uint32_t>(tables_.constants.size()));
    if (added) tables_.constants.push_back(record);
    return it->second;
  }

  const ConstantPool& pool_;
  ProgramTables& tables_;
  uint8_t section_ = 0;
  std::vector<uint32_t> offset_;  // in the section, by index in the pool
  std::map<std::tuple<uint8_t, uint8_t, uint8_t, uint32_t, uint32_t, uint32_t>, uint32_t> known_;
};

// The patches of a variant, in the order in which programs have them.
class PatchList {
 public:
  // `variant`: what the expressions belong to, so that words of several variants are stored apart.
  explicit PatchList(uint32_t variant) : variant_(variant) {}

  // Stores the words, and notes which of them follow from which expressions: none where the list is
  // empty.
  uint32_t add(WordPool& pool, format::PatchTarget target, const std::vector<uint32_t>& words,
               const std::vector<uint32_t>& expressions) {
    if (expressions.empty()) return pool.add(words);
    std::vector<uint32_t> meaning = expressions;
    meaning.push_back(variant_);
    const uint32_t first = pool.add(words, meaning);
    for (uint32_t i = 0; i < expressions.size(); ++i) add(target, first + i, expressions[i]);
    return first;
  }

  void add(format::PatchTarget target, uint32_t index, uint32_t expression) {
    if (expression != kFixedWord) {
      patches_[{static_cast<uint32_t>(target), index}] = expression;
    }
  }

  // Adds the tables' records of a variant whose values and steps are there.
  void store(const std::vector<format::ExpressionRecord>& expressions,
             ProgramTables& tables) const {
    if (patches_.empty()) return;
    format::SymbolicVariantRecord record{};
    record.variant = variant_;
    record.expression_first = static_cast<uint32_t>(tables.expressions.size());
    record.expression_count = static_cast<uint32_t>(expressions.size());
    record.patch_first = static_cast<uint32_t>(tables.patches.size());
    record.patch_count = static_cast<uint32_t>(patches_.size());
    record.shape_words = static_cast<uint32_t>(tables.shapes.size());
    tables.expressions.insert(tables.expressions.end(), expressions.begin(), expressions.end());
    for (const auto& [place, expression] : patches_) {
      tables.patches.push_back({place.first, place.second, expression});
      if (place.first == static_cast<uint32_t>(format::PatchTarget::kAttribute)) {
        record.attribute_words = static_cast<uint32_t>(tables.attributes.size());
      }
    }
    tables.symbolic_variants.push_back(record);
    tables.required_features |= format::kDimsFeature;
  }

 private:
  uint32_t variant_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> patches_;  // by target and index
};

struct Context {
  ProgramTables& tables;
  ConstantTable& constants;
  const ConstantPool& pool;
  WordPool shapes, attributes;
  PatchList patches{0};  // of the variant at hand
};

// The value records of one variant: its storages, then every other form a step needs.
class ValueTable {
 public:
  ValueTable(Context& context, const Schedule& plan, const SymbolicSchedule& symbolic)
      : context_(context), plan_(plan), of_storage_(plan.storages.size()) {
    std::vector<uint32_t> order(plan.storages.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<bool> given(plan.storages.size());
    for (const uint32_t r : plan.inputs) given[r] = true;
    const auto birth = [&](uint32_t r) {
      return given[r] ? 0 : plan.storages[r].lifetime.first + 1;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return birth(a) < birth(b); });
    std::vector<bool> is_input;
    for (const uint32_t r : order) {
      const Storage& storage = plan.storages[r];
      const bool is_fixed = r >= symbolic.storages.size();
      ValueRecord record =
          described(storage.dtype, storage.form, is_fixed ? SymbolicForm() : symbolic.storages[r]);
      record.kind = static_cast<uint8_t>(ValueKind::kArena);
      record.place = static_cast<uint8_t>(storage.arena);
      record.offset = storage.offset;
      record.bytes = static_cast<uint32_t>(storage.bytes);
      record.first_step = storage.lifetime.first;
      record.last_step = storage.lifetime.last;
      record.below_or_root = kNoIndex;
      record.yields = storage.yields ? 1 : 0;
      if (storage.yields) context.tables.required_features |= format::kOverlapFeature;
      of_storage_[r] = add(record, storage.name);
      is_input.push_back(given[r]);
    }
    certify(records_, is_input);
  }

  uint32_t of_storage(uint32_t storage) const { return of_storage_[storage]; }

  // The word of an operand. `written_at`: the step of which the operand is an output.
  uint32_t of_operand(const Operand& operand, const SymbolicForm& symbolic,
                      uint32_t written_at = kNoIndex) {
    if (operand.constant) {
      return context_.constants.operand(operand, shape_of(operand.form, symbolic));
    }
    ValueRecord record = described(operand.dtype, operand.form, symbolic);
    context_.tables.required_features |= features_of(operand.form);
    const uint64_t begin = operand.form.offset * element_bytes(operand.dtype);
    const Storage& storage = plan_.storages[operand.index];
    const uint32_t root = of_storage_[operand.index];
    const uint32_t first = written_at != kNoIndex ? written_at : storage.lifetime.first;
    if (record.shape == records_[root].shape && record.rank == records_[root].rank &&
        record.layout == records_[root].layout && record.dtype == records_[root].dtype &&
        begin == 0 && symbolic.offset_bytes == kFixedWord && first == storage.lifetime.first) {
      return root;
    }
    record.bytes = static_cast<uint32_t>(operand_bytes(operand, context_.pool));
    record.kind = static_cast<uint8_t>(ValueKind::kView);
    record.place = static_cast<uint8_t>(storage.arena);
    record.offset = storage.offset + static_cast<uint32_t>(begin);
    // A part that a step writes is born then, even if the other parts were born before.
    record.first_step = first;
    record.last_step = storage.lifetime.last;
    record.below_or_root = root;
    const Key key{record.offset,        record.bytes,      record.dtype,
                  record.rank,          record.layout,     record.shape,
                  record.below_or_root, record.first_step, symbolic.offset_bytes};
    const auto [it, added] = known_.emplace(key, static_cast<uint32_t>(records_.size()));
    if (added) {
      add(record, storage.name);
      context_.patches.add(format::PatchTarget::kValueOffset, it->second, symbolic.offset_bytes);
    }
    return it->second;
  }

  const std::vector<ValueRecord>& records() const { return records_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                         uint32_t, uint32_t>;

  uint32_t shape_of(const Strided& form, const SymbolicForm& symbolic) {
    return context_.patches.add(context_.shapes, format::PatchTarget::kShape, shape_words(form),
                                symbolic.shape);
  }

  ValueRecord described(DType dtype, const Strided& form, const SymbolicForm& symbolic) {
    ValueRecord record{};
    describe(record, dtype, form);
    record.shape = shape_of(form, symbolic);
    return record;
  }

  uint32_t add(const ValueRecord& record, std::string name) {
    records_.push_back(record);
    names_.push_back(std::move(name));
    return static_cast<uint32_t>(records_.size() - 1);
  }

  Context& context_;
  const Schedule& plan_;
  std::vector<uint32_t> of_storage_;
  std::vector<ValueRecord> records_;
  std::vector<std::string> names_;
  std::map<Key, uint32_t> known_;
};

void add_step(Context& context, ValueTable& values, const PlannedVariant& variant, uint32_t step) {
  const ScheduledStep& from = variant.plan.steps[step];
  static const SymbolicForm kFixedForm;
  static const SymbolicStep kFixedStep;
  const SymbolicStep& symbolic =
      variant.symbolic.empty() ? kFixedStep : variant.symbolic.steps[step];
  const auto form = [](const std::vector<SymbolicForm>& forms, size_t i) -> const SymbolicForm& {
    return i < forms.size() ? forms[i] : kFixedForm;
  };
  ProgramTables& tables = context.tables;
  if (from.inputs.size() > UINT16_MAX || from.outputs.size() > UINT8_MAX ||
      from.attributes.size() > UINT16_MAX) {
    throw InputError("node " + from.name + " has too many operands: expected at most " +
                     std::to_string(UINT16_MAX) + " inputs and " + std::to_string(UINT8_MAX) +
                     " outputs");
  }
  format::StepRecord record{};
  record.op = static_cast<uint16_t>(from.op);
  const bool cpu = from.where == format::Where::kCpu;
  record.form = cpu ? from.forms.chosen()->number : from.dispatches.form;
  record.choice = from.dispatches.choice;
  record.where = static_cast<uint8_t>(from.where) & 3u;
  uint32_t flags = 0;
  if (from.barrier_before) flags |= format::kBarrierBefore;
  if (from.serial) flags |= format::kSerial;
  if (from.begins_stretch) {
    flags |= format::kBeginsStretch;
    tables.required_features |= format::kCutsFeature;
  }
  record.flags = flags & 63u;
  record.operand_first = static_cast<uint32_t>(tables.operands.size());
  record.input_count = static_cast<uint16_t>(from.inputs.size());
  record.output_count = static_cast<uint8_t>(from.outputs.size());
  record.scratch_count = from.scratch.has_value() ? 1 : 0;
  for (size_t i = 0; i < from.inputs.size(); ++i) {
    tables.operands.push_back(from.inputs[i].has_value()
                                  ? values.of_operand(*from.inputs[i], form(symbolic.inputs, i))
                                  : kNoIndex);
  }
  // A view step writes nothing: what it gives has been there.
  const uint32_t written_at = from.where == format::Where::kView ? kNoIndex : step;
  for (size_t i = 0; i < from.outputs.size(); ++i) {
    tables.operands.push_back(
        from.outputs[i].has_value()
            ? values.of_operand(*from.outputs[i], form(symbolic.outputs, i), written_at)
            : kNoIndex);
  }
  if (from.scratch.has_value()) tables.operands.push_back(values.of_storage(*from.scratch));
  record.attribute_first = context.patches.add(context.attributes, format::PatchTarget::kAttribute,
                                               from.attributes, symbolic.attributes);
  record.attribute_words = static_cast<uint16_t>(from.attributes.size());
  tables.steps.push_back(record);
}

// One predicate for each stretch of steps with the same condition on the CPU, or on a device; views
// in between do nothing.
void add_predicates(ProgramTables& tables, const ValueTable& values, const Schedule& plan) {
  const auto variant = static_cast<uint32_t>(tables.variants.size());
  const size_t first = tables.predicates.size();
  std::map<StepCondition, size_t> open;  // the predicate that each condition's steps may join
  bool cpu = true;
  for (uint32_t s = 0; s < plan.steps.size(); ++s) {
    if (plan.steps[s].is_view()) continue;
    const bool was_cpu = cpu;
    cpu = plan.steps[s].where == format::Where::kCpu;
    if (cpu != was_cpu) open.clear();
    std::map<StepCondition, size_t> still_open;
    for (const StepCondition& condition : plan.steps[s].conditions) {
      auto found = open.find(condition);
      if (found == open.end()) {
        const uint32_t value = values.of_storage(condition.storage);
        tables.predicates.push_back(
            {variant, s, 0, value | (condition.holds ? 0 : format::kNegatedBit)});
        found = open.emplace(condition, tables.predicates.size() - 1).first;
      }
      format::PredicateRecord& predicate = tables.predicates[found->second];
      predicate.step_count = s + 1 - predicate.first_step;
      still_open.insert(*found);
    }
    open = std::move(still_open);
  }
  if (tables.predicates.size() != first) tables.required_features |= format::kPredicatesFeature;
}

// The capabilities that a device must have: the board's limits, and of the optional ones only those
// that the shader of some step needs.
Capabilities requirements_of(const PlannedVariant& variant) {
  Capabilities result = variant.requirements;
  std::fill(std::begin(result.numbers) + kFirstOptionalCapability, std::end(result.numbers), 0u);
  for (const ScheduledStep& step : variant.plan.steps) {
    if (step.where != format::Where::kVulkan) continue;
    const DispatchRow* row = find_row(step.op, step.dispatches.form);
    if (row == nullptr) continue;
    for (const DeviceNeed& need : needs_of(shader_for(row->shader, type_of(step)))) {
      uint32_t& number = result.numbers[static_cast<uint32_t>(need.capability)];
      number = std::max(number, need.minimum);
    }
  }
  return result;
}

// Whether each storage lies in an arena of its kind.
[[maybe_unused]] bool lie_in_arenas(const Schedule& plan) {
  return std::ranges::all_of(plan.storages, [&](const Storage& storage) {
    if (storage.arena >= plan.arenas.size()) return false;
    const Arena& arena = plan.arenas[storage.arena];
    return arena.kind == storage.kind && storage.offset + storage.bytes <= arena.bytes;
  });
}

// The arenas, values, steps and io words of one variant; returns the values' names.
std::vector<std::string> add_variant(Context& context, const PlannedVariant& from,
                                     const std::vector<Symbol>& symbols) {
  ARENITE_ASSERT(lie_in_arenas(from.plan));
  ProgramTables& tables = context.tables;
  format::VariantRecord record{};
  const TextRange board = add_text(tables, from.board);
  record.board_offset = board.offset;
  record.board_bytes = board.bytes;
  record.requirement_first = static_cast<uint32_t>(tables.requirements.size());
  const Capabilities required = requirements_of(from);
  for (uint32_t id = 0; id < kCapabilityCount; ++id) {
    const uint32_t minimum = required.numbers[id];
    if (from.plan.vulkan && minimum != 0) tables.requirements.push_back({id, minimum});
  }
  for (uint32_t feature = 0; feature < 32; ++feature) {
    if ((from.requirements.cpu_features >> feature & 1u) == 0) continue;
    tables.requirements.push_back({kFirstCpuFeatureId + feature, 1});
  }
  record.requirement_count =
      static_cast<uint32_t>(tables.requirements.size()) - record.requirement_first;
  record.arena_first = static_cast<uint32_t>(tables.arenas.size());
  record.arena_count = static_cast<uint32_t>(from.plan.arenas.size());
  for (const Arena& arena : from.plan.arenas) {
    const TextRange name = add_text(tables, arena.name);
    tables.arenas.push_back(
        {name.offset, name.bytes, static_cast<uint32_t>(arena.kind), arena.bytes, arena.alignment});
  }
  context.patches = PatchList(static_cast<uint32_t>(tables.variants.size()));
  ValueTable values(context, from.plan, from.symbolic);
  record.step_first = static_cast<uint32_t>(tables.steps.size());
  record.step_count = static_cast<uint32_t>(from.plan.steps.size());
  for (uint32_t s = 0; s < record.step_count; ++s) add_step(context, values, from, s);
  add_predicates(tables, values, from.plan);
  record.value_first = static_cast<uint32_t>(tables.values.size());
  record.value_count = static_cast<uint32_t>(values.records().size());
  tables.values.insert(tables.values.end(), values.records().begin(), values.records().end());
  record.descriptor_set_first = static_cast<uint32_t>(tables.descriptor_sets.size());
  record.io_first = static_cast<uint32_t>(tables.io.size());
  for (const auto* storages : {&from.plan.inputs, &from.plan.outputs}) {
    for (const uint32_t r : *storages) tables.io.push_back(values.of_storage(r));
  }
  if (from.reserves_fallback) record.flags |= format::kReservesFallback;
  if (from.exact_forms) record.flags |= format::kExactForms;
  record.threads_max = from.threads_max;
  context.patches.store(from.symbolic.expressions, tables);
  tables.variants.push_back(record);
  if (from.plan.vulkan) {
    count_dispatches(tables, static_cast<uint32_t>(tables.variants.size() - 1), symbols);
  }
  return values.names();
}

void add_states(Context& context, uint32_t method, const PlannedMethod& from) {
  for (const PlannedState& state : from.states) {
    uint32_t initial = kNoIndex;
    if (state.shared) context.tables.required_features |= format::kSharedStatesFeature;
    if (state.initial.has_value()) {
      const uint32_t shape = context.shapes.add(shape_words(state.initial->form));
      initial = context.constants.initial(*state.initial, shape);
    }
    context.tables.states.push_back({method, state.input, state.output, initial});
  }
}

// Adds scales and zero points of inputs and outputs whose integers share one scale.
void add_quantization(ProgramTables& tables, uint32_t method, const PlannedMethod& from) {
  for (uint32_t io = 0; io < from.quantization.size(); ++io) {
    const std::optional<Quantization>& given = from.quantization[io];
    const std::optional<Scaled> all = given ? given->one() : std::nullopt;
    if (!all) continue;
    tables.quantization.push_back(
        {method, io, std::bit_cast<uint32_t>(all->scale), all->zero_point});
  }
}

std::vector<StepNodes> source_nodes(const Schedule& plan) {
  std::vector<StepNodes> nodes;
  for (const ScheduledStep& step : plan.steps) nodes.push_back(step.sources);
  return nodes;
}

}  // namespace

ProgramTables make_tables(const std::vector<PlannedMethod>& methods, const ConstantPool& pool,
                          const SectionChoice& sections) {
  ProgramTables tables;
  ConstantTable constants(methods, pool, tables);
  Context context{tables, constants, pool, WordPool(tables.shapes), WordPool(tables.attributes)};
  std::vector<MethodNames> names;
  std::vector<std::vector<StepNodes>> source_map;
  std::vector<std::vector<TestVector>> vectors;
  std::vector<CountedRows> counts;
  bool any_vector = false;
  for (const PlannedMethod& method : methods) {
    const TextRange name = add_text(tables, method.name);
    tables.methods.push_back(
        {name.offset, name.bytes, static_cast<uint32_t>(tables.variants.size()),
         static_cast<uint32_t>(method.variants.size()), static_cast<uint32_t>(method.inputs.size()),
         static_cast<uint32_t>(method.outputs.size())});
    names.push_back({method.inputs, method.outputs, {}});
    for (const PlannedVariant& variant : method.variants) {
      names.back().variant_values.push_back(add_variant(context, variant, method.symbols));
      source_map.push_back(source_nodes(variant.plan));
    }
    for (const Symbol& symbol : method.symbols) {
      const TextRange text = add_text(tables, symbol.name);
      tables.symbols.push_back({static_cast<uint32_t>(tables.methods.size() - 1), text.offset,
                                text.bytes, symbol.least, symbol.most});
    }
    add_states(context, static_cast<uint32_t>(tables.methods.size() - 1), method);
    add_quantization(tables, static_cast<uint32_t>(tables.methods.size() - 1), method);
    for (const OutputCount& rows : method.output_counts) {
      counts.push_back(
          {static_cast<uint32_t>(tables.methods.size() - 1), rows.output, rows.axis, rows.count});
    }
    vectors.push_back(method.test_vectors);
    any_vector = any_vector || !method.test_vectors.empty();
  }
  using format::SectionKind;
  if (sections.names) tables.sections.push_back({SectionKind::kNames, names_section(names)});
  if (sections.source_map) {
    tables.sections.push_back({SectionKind::kSourceMap, source_map_section(source_map)});
  }
  if (any_vector) {
    tables.sections.push_back({SectionKind::kTestVectors, test_vectors_section(vectors)});
  }
  if (!counts.empty()) tables.sections.push_back({SectionKind::kCounts, counts_section(counts)});
  return tables;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
