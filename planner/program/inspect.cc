// Reads everything a program file says.
#include "planner/program/inspect.h"

#include <array>
#include <bit>

#include "core/checksum.h"
#include "core/range.h"
#include "core/sections.h"
#include "core/symbols.h"
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/twins.h"
#include "planner/graph/names.h"
#include "support/cpu_features.h"

namespace arenite::planner {
namespace {

using format::SectionKind;

template <typename Kind, size_t N>
std::string name_in(const std::array<const char*, N>& names, Kind kind) {
  const auto number = static_cast<size_t>(kind);
  if (number < N && names[number] != nullptr) return names[number];
  return "kind " + std::to_string(number);
}

constexpr std::array<const char*, 8> kSectionNames = {
    nullptr,     "constants",          "names", "source_map", "test_vectors",
    "signature", "external_constants", "counts"};
constexpr std::array<const char*, 6> kArenaNames = {"host",     "device", "upload",
                                                    "readback", "caller", "state"};
constexpr std::array<const char*, 2> kValueNames = {"arena", "view"};
constexpr std::array<const char*, 3> kLayoutNames = {"strided", "panel16", "packed4"};

std::string layout_text(const format::ElementsRecord& record, std::span<const uint32_t> strides) {
  if (record.layout != static_cast<uint8_t>(Layout::kBlocked) || strides.empty()) {
    return name_in(kLayoutNames, record.layout);
  }
  const Blocks blocks = blocks_of_word(blocks_word(strides.data(), record.rank));
  return "blocks " + std::to_string(blocks.n) + "x" + std::to_string(blocks.k) + " of " +
         std::to_string(blocks.bits) + " bits";
}

constexpr std::array<const char*, kCapabilityCount> kCapabilityNames = {
    nullptr,
#define ARENITE_CAPABILITY(number, name, Name, optional, words) #name,
#include "schema/capabilities.def"
};

constexpr std::array<const char*, 3> kBindingNames = {nullptr, "storage_buffer", "uniform_buffer"};

std::vector<std::string> layout_bindings(uint32_t layout) {
  std::vector<std::string> bindings;
  for (; layout != 0; layout >>= 4) bindings.push_back(name_in(kBindingNames, layout & 15u));
  return bindings;
}

constexpr const char* kShaderNames[] = {
#define ARENITE_SHADER(number, name, Type, buffers) #name,
#include "kernels/shaders.def"
};

std::string shader_name(const Step& step) {
  if (step.where() != format::Where::kVulkan) return {};
  const DispatchRow* row = find_row(step);
  return row == nullptr ? "" : kShaderNames[static_cast<uint32_t>(shader_of(*row, step))];
}

class Inspector {
 public:
  explicit Inspector(const Program& program)
      : program_(program),
        names_(program.section(SectionKind::kNames)),
        source_map_(program.section(SectionKind::kSourceMap)),
        vectors_(program.section(SectionKind::kTestVectors)) {}

  ProgramInfo run() const {
    const format::Header& header = program_.header();
    ProgramInfo info;
    info.bytes = header.file_bytes;
    info.digest = program_.digest();
    info.version = header.version;
    info.min_reader = header.min_reader;
    info.required_features = header.required_features;
    info.optional_features = header.optional_features;
    info.plan_bytes = header.plan_bytes;
    info.constants = static_cast<uint32_t>(program_.constants().size());
    for (const format::ConstantFileRecord& file : program_.constant_files()) {
      info.constant_file = text(file.name_offset, file.name_bytes);
    }
    for (uint32_t i = 0; i < program_.sections().size(); ++i) {
      const format::SectionRecord& section = program_.sections()[i];
      // A section that is not here, or has no checksum, cannot be found wrong.
      const bool checked = section.kind != static_cast<uint32_t>(SectionKind::kSignature) &&
                           program_.section_bytes(i).size() == section.bytes;
      const uint32_t found = checked ? checksum(program_.section_bytes(i)) : section.checksum;
      info.sections.push_back({name_in(kSectionNames, section.kind), section.offset, section.bytes,
                               section.checksum, found, found == section.checksum});
    }
    for (uint32_t m = 0; m < program_.methods().size(); ++m) info.methods.push_back(method(m));
    return info;
  }

 private:
  std::string text(uint32_t offset, uint32_t bytes) const {
    return std::string(program_.string(offset, bytes));
  }

  MethodInfo method(uint32_t m) const {
    const format::MethodRecord& record = program_.methods()[m];
    const format::VariantRecord& first = program_.variants()[record.variant_first];
    MethodInfo info;
    info.name = text(record.name_offset, record.name_bytes);
    const auto inputs = program_.inputs_of(record, first);
    for (uint32_t i = 0; i < inputs.size(); ++i) {
      info.inputs.push_back(tensor(first, inputs[i], input_name(names_, m, i)));
    }
    const auto outputs = program_.outputs_of(record, first);
    for (uint32_t i = 0; i < outputs.size(); ++i) {
      info.outputs.push_back(tensor(first, outputs[i], output_name(names_, m, i)));
      TensorInfo& output = info.outputs.back();
      output.counted_dims = counted_dims(program_, m, i, output.dims.size());
    }
    for (const format::QuantizationRecord& q : program_.quantization()) {
      if (q.method != m) continue;
      TensorInfo& io =
          q.io < inputs.size() ? info.inputs[q.io] : info.outputs[q.io - inputs.size()];
      io.quantization = {std::bit_cast<float>(q.scale), q.zero_point};
    }
    for (const format::StateRecord& state : program_.states()) {
      if (state.method == m && state.input < inputs.size()) {
        info.inputs[state.input].state = state.output;
      }
    }
    for (const format::SymbolRecord& symbol : symbols_of(program_, m)) {
      // A loader refuses a name that lies outside.
      const bool named =
          within(symbol.name_offset, symbol.name_bytes, program_.count(format::Table::kStrings));
      info.symbols.push_back(
          {named ? text(symbol.name_offset, symbol.name_bytes) : "", symbol.least, symbol.most});
    }
    info.test_vectors = test_vector_count(vectors_, m);
    for (uint32_t v = 0; v < record.variant_count; ++v) info.variants.push_back(variant(m, v));
    return info;
  }

  TensorInfo tensor(const format::VariantRecord& variant, uint32_t value,
                    std::optional<std::string_view> name) const {
    const format::ValueRecord& record = program_.values_of(variant)[value];
    const auto dims = program_.shapes().subspan(record.shape, record.rank);
    return {std::string(name.value_or("")),
            dtype_name(static_cast<DType>(record.dtype)),
            {dims.begin(), dims.end()},
            std::nullopt,
            -1,
            {}};
  }

  VariantInfo variant(uint32_t m, uint32_t v) const {
    const format::MethodRecord& method = program_.methods()[m];
    const format::VariantRecord& record = program_.variants()[method.variant_first + v];
    VariantInfo info;
    info.board = text(record.board_offset, record.board_bytes);
    info.reserves_fallback = (record.flags & format::kReservesFallback) != 0;
    info.exact_forms = (record.flags & format::kExactForms) != 0;
    info.threads_max = record.threads_max;
    for (const format::RequirementRecord& requirement : program_.requirements_of(record)) {
      const char* feature = cpu_feature_name(requirement.id - kFirstCpuFeatureId);
      info.requirements.push_back(
          {feature != nullptr ? feature : name_in(kCapabilityNames, requirement.id),
           requirement.minimum});
    }
    info.device = "cpu";
    for (const format::ArenaRecord& arena : program_.arenas_of(record)) {
      info.arenas.push_back({text(arena.name_offset, arena.name_bytes),
                             name_in(kArenaNames, arena.kind), arena.bytes, arena.alignment});
      if (format::is_device_arena(static_cast<format::ArenaKind>(arena.kind))) {
        info.device = "vulkan";
      }
    }
    info.dispatches = record.dispatches;
    info.pipelines = record.pipelines;
    info.parameter_bytes = record.parameter_bytes;
    for (const format::DescriptorSetRecord& sets : program_.descriptor_sets_of(record)) {
      info.descriptor_sets.push_back({layout_bindings(sets.layout), sets.count});
    }
    const auto inputs = program_.inputs_of(method, record);
    const auto outputs = program_.outputs_of(method, record);
    info.inputs.assign(inputs.begin(), inputs.end());
    info.outputs.assign(outputs.begin(), outputs.end());
    add_values(m, v, record, info);
    for (uint32_t s = 0; s < record.step_count; ++s) {
      add_step(method.variant_first + v, record, s, info);
    }
    info.quantized = count_quantized(program_, record);
    for (const format::SymbolicVariantRecord& symbolic : program_.symbolic_variants()) {
      if (symbolic.variant != method.variant_first + v) continue;
      info.symbolic = {symbolic.expression_count, symbolic.patch_count,
                       4 * uint64_t{frame_words(program_, symbolic.variant)}};
    }
    return info;
  }

  // Fills in the facts that values and constants share.
  template <typename Record>
  ValueInfo described(const Record& record) const {
    ValueInfo value;
    value.dtype = dtype_name(static_cast<DType>(record.dtype));
    const auto dims = program_.shapes().subspan(record.shape, record.rank);
    const auto strides = program_.shapes().subspan(record.shape + record.rank, record.rank);
    value.layout = layout_text(record, strides);
    value.dims.assign(dims.begin(), dims.end());
    value.strides.assign(strides.begin(), strides.end());
    value.offset = record.offset;
    value.bytes = record.bytes;
    return value;
  }

  // The place of a constant in the variant's list.
  int64_t constant(uint32_t index, VariantInfo& info) const {
    const std::string place = "constant " + std::to_string(index);
    for (size_t i = info.values.size(); i-- > 0 && info.values[i].kind == "constant";) {
      if (info.values[i].place == place) return static_cast<int64_t>(i);
    }
    ValueInfo value = described(program_.constants()[index]);
    value.kind = "constant";
    value.place = place;
    info.values.push_back(std::move(value));
    return static_cast<int64_t>(info.values.size() - 1);
  }

  void add_values(uint32_t m, uint32_t v, const format::VariantRecord& variant,
                  VariantInfo& info) const {
    const auto values = program_.values_of(variant);
    for (uint32_t i = 0; i < values.size(); ++i) {
      const format::ValueRecord& record = values[i];
      ValueInfo value = described(record);
      value.name = value_name(names_, m, v, i).value_or("");
      value.kind = name_in(kValueNames, record.kind);
      const ArenaInfo& arena = info.arenas[record.place];
      value.place = (arena.kind == "state" ? "states in " : "") + arena.name;
      value.first_step = record.first_step;
      value.last_step = record.last_step;
      value.yields = record.yields != 0;
      if (format::is_view(record)) value.root = record.below_or_root;
      info.values.push_back(std::move(value));
    }
  }

  void add_step(uint32_t variant_index, const format::VariantRecord& variant, uint32_t s,
                VariantInfo& info) const {
    const format::StepRecord& record = program_.steps_of(variant)[s];
    StepInfo step;
    step.op = op_name(static_cast<Op>(record.op));
    const char* where = text_of(static_cast<format::Where>(record.where));
    step.where = where != nullptr ? where : "kind " + std::to_string(record.where);
    step.form = record.form;
    step.choice = record.choice;
    step.shader = shader_name(Step(program_.bindings_of(variant), record, s));
    step.barrier_before = (record.flags & format::kBarrierBefore) != 0;
    step.begins_stretch = (record.flags & format::kBeginsStretch) != 0;
    step.serial = (record.flags & format::kSerial) != 0;
    for (const format::PredicateRecord& predicate : program_.predicates()) {
      const bool inside = predicate.variant == variant_index && s >= predicate.first_step &&
                          s - predicate.first_step < predicate.step_count;
      const uint32_t condition = predicate.condition & ~format::kNegatedBit;
      // A loader refuses a condition that names no value.
      if (!inside || condition >= variant.value_count) continue;
      step.conditions.push_back({condition, (predicate.condition & format::kNegatedBit) == 0});
    }
    step.dispatches = record.dispatches;
    const auto operands = program_.operands().subspan(record.operand_first);
    const auto number = [&](uint32_t i) {
      if (operands[i] == kNoIndex) return int64_t{-1};
      return format::is_constant(operands[i]) ? constant(format::constant_index(operands[i]), info)
                                              : int64_t{operands[i]};
    };
    uint32_t next = 0;
    for (uint32_t i = 0; i < record.input_count; ++i) step.inputs.push_back(number(next++));
    for (uint32_t i = 0; i < record.output_count; ++i) step.outputs.push_back(number(next++));
    if (record.scratch_count != 0) step.scratch = number(next);
    const auto attributes =
        program_.attributes().subspan(record.attribute_first, record.attribute_words);
    step.attributes.assign(attributes.begin(), attributes.end());
    while (const auto node = source_node(source_map_, variant_index, s,
                                         static_cast<uint32_t>(step.nodes.size()))) {
      step.nodes.emplace_back(*node);
    }
    info.counts.add(static_cast<format::Where>(record.where));
    info.steps.push_back(std::move(step));
  }

  const Program& program_;
  const std::span<const std::byte> names_, source_map_, vectors_;
};

}  // namespace

ProgramInfo read_info(const Program& program) { return Inspector(program).run(); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
