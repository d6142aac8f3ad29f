// Reads what generated source needs from a program's tables.
#include "planner/program/cc_model.h"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "core/instance.h"
#include "core/interface.h"
#include "core/sections.h"
#include "core/symbols.h"
#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "planner/graph/target_forms.h"
#include "planner/program/cc_names.h"
#include "portable_fallback/forms.h"
#include "support/status_text.h"

namespace arenite::planner {
namespace {

// The names that the header itself has in the model's namespace.
const std::set<std::string> kOurNames = {"Arenas",  "Instance", "inputs",   "outputs", "load",
                                         "program", "kInputs",  "kOutputs", "reset"};

bool is_of_kind(const format::ArenaRecord& arena, format::ArenaKind kind) {
  return static_cast<format::ArenaKind>(arena.kind) == kind;
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

class Reader {
 public:
  Reader(const AlignedProgram& program, const std::string& name, const Board* board)
      : program_(*program),
        names_(program_.section(format::SectionKind::kNames)),
        board_(board),
        taken_(kOurNames) {
    model_.name = name;
    model_.file = program.file();
  }

  CcModel read() {
    model_.board = board_name();
    model_.digest = program_.digest();
    model_.shares_states =
        (program_.header().required_features & format::kSharedStatesFeature) != 0;
    model_.constant_sections = constant_sections(program_);
    for (uint32_t m = 0; m < program_.methods().size(); ++m) {
      model_.methods.push_back(read_method(m));
    }
    return std::move(model_);
  }

 private:
  std::string board_name() const {
    const format::VariantRecord& variant = program_.variants()[0];
    return printable(program_.string(variant.board_offset, variant.board_bytes));
  }

  CcMethod read_method(uint32_t m) {
    const format::MethodRecord& record = program_.methods()[m];
    CcMethod method;
    method.name = program_.string(record.name_offset, record.name_bytes);
    method.id = new_identifier(method.name, taken_);
    method.method = m;
    method.variant = record.variant_count - 1;
    const format::VariantRecord& variant =
        program_.variants()[record.variant_first + method.variant];
    for (const format::ArenaRecord& arena : program_.arenas_of(variant)) {
      method.arenas.push_back({arena_of(method, arena), arena.bytes});
    }
    add_forms(variant);
    method.has_predicates = !program_.predicates().empty();
    method.has_symbols = !program_.symbolic_variants().empty();
    method.frame_words = frame_words(program_, record.variant_first + method.variant);
    check_symbols(method, variant);
    method.interface = interface_digest(program_, record, variant);
    std::set<std::string> inputs, outputs;
    const auto input_values = program_.inputs_of(record, variant);
    for (uint32_t i = 0; i < input_values.size(); ++i) {
      method.inputs.push_back(
          tensor(variant, input_values[i], input_name(names_, m, i), "input", inputs));
      method.inputs.back().symbol_dims = symbol_dims(m, variant, input_values[i]);
      method.inputs.back().quantization = quantization_of(m, i);
      method.has_states |= method.inputs.back().state;
      method.states_grow |= method.inputs.back().state && method.inputs.back().symbolic;
    }
    const auto output_values = program_.outputs_of(record, variant);
    for (uint32_t i = 0; i < output_values.size(); ++i) {
      method.outputs.push_back(
          tensor(variant, output_values[i], output_name(names_, m, i), "output", outputs));
      const auto io = static_cast<uint32_t>(input_values.size()) + i;
      method.outputs.back().quantization = quantization_of(m, io);
      method.outputs.back().counted_dims =
          counted_dims(program_, m, i, method.outputs.back().dims.size());
    }
    return method;
  }

  std::optional<format::QuantizationRecord> quantization_of(uint32_t method, uint32_t io) const {
    const format::QuantizationRecord* record = program_.quantization_of(method, io);
    return record == nullptr ? std::nullopt : std::optional(*record);
  }

  // Sizes that runs choose may be none that the planned form takes; then a reference must be there.
  void add_forms(const format::VariantRecord& variant) {
    const Bindings bindings = program_.bindings_of(variant);
    const bool exact = (variant.flags & format::kExactForms) != 0;
    const bool sizes_differ = !program_.symbolic_variants().empty();
    uint32_t index = 0;
    for (const format::StepRecord& record : program_.steps_of(variant)) {
      const Step step(bindings, record, index++);
      if (step.where() == format::Where::kView) continue;
      CcForms& forms = model_.forms[step.op()];
      if (step.where() != format::Where::kCpu) continue;  // a device runs it
      forms.always.insert(record.form);
      if (exact) continue;
      const DType type = arenite::type_of(step, contract_of(step.op()));
      const uint8_t reference = reference_form({all_ops()}, step, type).number;
      const FormRow planned = form_row(step.op(), record.form);
      if (planned.types == 0 || sizes_differ) {
        forms.always.insert(reference);
      } else {
        forms.without_features.insert(reference);
        forms.features |= planned.needs;
      }
    }
  }

  // Methods share memories, as they never run at the same time; each keeps its own states, unless
  // these lie in one arena too.
  int arena_of(const CcMethod& method, const format::ArenaRecord& record) {
    if (is_of_kind(record, format::ArenaKind::kCaller)) return -1;
    const std::string memory(program_.string(record.name_offset, record.name_bytes));
    const bool states = is_of_kind(record, format::ArenaKind::kState);
    auto found = std::ranges::find_if(model_.arenas, [&](const CcArena& arena) {
      return arena.states == states && arena.memory == memory && (!states || model_.shares_states);
    });
    if (found == model_.arenas.end()) {
      const bool alone = model_.shares_states || program_.methods().size() == 1;
      const std::string id = !states ? memory : (alone ? "" : method.id + "_") + memory + "_states";
      model_.arenas.push_back(new_arena(memory, id));
      model_.arenas.back().states = states;
      found = model_.arenas.end() - 1;
    }
    found->bytes = std::max(found->bytes, record.bytes);
    found->alignment = std::max(found->alignment, record.alignment);
    return static_cast<int>(found - model_.arenas.begin());
  }

  CcArena new_arena(const std::string& memory, const std::string& id) {
    CcArena arena;
    arena.memory = memory;
    arena.id = new_identifier(id, arena_ids_);
    arena.type = arena.id;
    arena.type[0] = upper(arena.type[0]);
    arena.region = "ARENITE_";
    for (const char c : id == memory ? arena.id : identifier(memory)) arena.region += upper(c);
    if (board_ != nullptr) {
      for (const BoardMemory& known : board_->memories) {
        if (known.memory.name != memory || known.memory.base == 0) continue;
        if (known.memory.size_bytes == memory::kUnbounded) continue;
        arena.base = known.memory.base;
        arena.memory_bytes = known.memory.size_bytes;
      }
    }
    return arena;
  }

  CcTensor tensor(const format::VariantRecord& variant, uint32_t value,
                  std::optional<std::string_view> name, const char* otherwise,
                  std::set<std::string>& taken) const {
    const format::ValueRecord& record = program_.values_of(variant)[value];
    CcTensor tensor;
    tensor.name = name.value_or("");
    tensor.id = new_identifier(tensor.name.empty() ? otherwise : tensor.name, taken);
    tensor.dtype = static_cast<DType>(record.dtype);
    const auto dims = program_.shapes().subspan(record.shape, record.rank);
    tensor.dims.assign(dims.begin(), dims.end());
    for (const uint32_t dim : tensor.dims) tensor.elements *= dim;
    const format::SymbolicVariantRecord* symbolic = symbolic_of(variant);
    for (uint32_t d = 0; symbolic != nullptr && d < record.rank; ++d) {
      tensor.symbolic |= expression_of(program_, *symbolic, record.shape + d) != kNoIndex;
    }
    const format::ArenaRecord arena = program_.arenas_of(variant)[record.place];
    tensor.lent = is_of_kind(arena, format::ArenaKind::kCaller);
    tensor.state = is_of_kind(arena, format::ArenaKind::kState);
    return tensor;
  }

  // Shows that the tables of symbols can be followed.
  void check_symbols(const CcMethod& method, const format::VariantRecord& variant) const {
    std::vector<uint32_t> frame(method.frame_words);
    LoadOptions options;
    options.method = method.method;
    options.variant = method.variant;
    options.frame = frame;
    options.states = &kGrowingStates;
    Bindings bindings = program_.bindings_of(variant);
    uint32_t at = kNoIndex;
    const Code code = kSymbols.bind(program_, options, options.frame, bindings, at);
    if (code != Code::kOk) {
      throw InputError("program file: symbols: " + status_text({code, kNoIndex, at}));
    }
  }

  const format::SymbolicVariantRecord* symbolic_of(const format::VariantRecord& variant) const {
    return symbolic_variant(program_, variant);
  }

  std::vector<SymbolDim> symbol_dims(uint32_t method, const format::VariantRecord& variant,
                                     uint32_t value) const {
    const format::ValueRecord& record = program_.values_of(variant)[value];
    const format::SymbolicVariantRecord* symbolic = symbolic_of(variant);
    std::vector<SymbolDim> dims;
    for (uint32_t d = 0; symbolic != nullptr && d < record.rank; ++d) {
      const uint32_t index = symbol_of(program_, *symbolic, record.shape + d);
      if (index == kNoIndex) continue;
      const format::SymbolRecord& symbol = symbols_of(program_, method)[index];
      dims.push_back({d, std::string(program_.string(symbol.name_offset, symbol.name_bytes)),
                      symbol.least, symbol.most});
    }
    return dims;
  }

  const Program& program_;
  const std::span<const std::byte> names_;
  const Board* board_;
  std::set<std::string> taken_, arena_ids_;
  CcModel model_;
};

}  // namespace

std::set<uint8_t> CcForms::all() const {
  std::set<uint8_t> numbers = always;
  numbers.insert(without_features.begin(), without_features.end());
  return numbers;
}

uint32_t CcModel::frame_words() const {
  uint32_t words = 0;
  for (const CcMethod& method : methods) words = std::max(words, method.frame_words);
  return words;
}

size_t CcModel::arenas_of_methods() const {
  size_t count = 1;
  for (const CcMethod& method : methods) count = std::max(count, method.arenas.size());
  return count;
}

std::string dims_list(const CcTensor& tensor) {
  std::string text;
  for (const uint32_t dim : tensor.dims) text += (text.empty() ? "" : ", ") + std::to_string(dim);
  return text;
}

const char* type_name(Op op) {
  switch (op) {
#define ARENITE_OP(number, name, Type, family, set) \
  case Op::k##Type:                                 \
    return #Type;
#include "schema/ops.def"
  }
  return nullptr;
}

CcElement cc_element(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return {"kFloat32", "float"};
    case DType::kUint8:
      return {"kUint8", "std::uint8_t"};
    case DType::kInt8:
      return {"kInt8", "std::int8_t"};
    case DType::kUint16:
      return {"kUint16", "std::uint16_t"};
    case DType::kInt16:
      return {"kInt16", "std::int16_t"};
    case DType::kInt32:
      return {"kInt32", "std::int32_t"};
    case DType::kInt64:
      return {"kInt64", "std::int64_t"};
    case DType::kBool:
      return {"kBool", "bool"};
    case DType::kFloat16:
      return {"kFloat16", "std::uint16_t"};
    case DType::kFloat64:
      return {"kFloat64", "double"};
    case DType::kUint32:
      return {"kUint32", "std::uint32_t"};
    case DType::kUint64:
      return {"kUint64", "std::uint64_t"};
    case DType::kBfloat16:
      return {"kBfloat16", "std::uint16_t"};
    case DType::kNone:
      break;
  }
  return {"kNone", "unsigned char"};
}

std::string scale_text(const format::QuantizationRecord& quantization) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9ef",
                static_cast<double>(std::bit_cast<float>(quantization.scale)));
  return text;
}

CcModel cc_model(const AlignedProgram& program, const std::string& name, const Board* board) {
  return Reader(program, name, board).read();
}

std::string placed_symbol(const CcModel& model, const CcArena& arena) {
  return "arenite_" + model.name + "_" + arena.id + "_is_placed_by_" + model.name + "_ld";
}

std::string arena_section(const CcModel& model, const CcArena& arena) {
  return ".bss.arenite." + model.name + "." + arena.id;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
