// Checks the tables of symbols, evaluates expressions in stored order, and writes their results
// over the words that kernels read.
#include "core/symbols.h"

#include "core/growth.h"
#include "core/instance.h"
#include "core/range.h"
#include "core/refusal.h"
#include "core/shape.h"
#include "core/state.h"
#include "core/symbol_frame.h"
#include "core/verify.h"

namespace arenite {
namespace {

using format::ExpressionKind;
using format::ExpressionRecord;
using format::PatchRecord;
using format::PatchTarget;
using format::SymbolicVariantRecord;
using format::SymbolRecord;
using format::Table;
using format::ValueRecord;

constexpr uint32_t kMostResult = 0x7fffffffu;

uint32_t variant_index(const Program& program, const format::VariantRecord& variant) {
  return static_cast<uint32_t>(&variant - program.variants().data());
}

// The first patch of so high a target and index, which rise; the number of patches where all are
// lower.
uint32_t lower_bound(Records<PatchRecord> patches, PatchTarget target, uint32_t index) {
  const auto number = static_cast<uint32_t>(target);
  uint32_t first = 0;
  for (auto count = static_cast<uint32_t>(patches.size()); count != 0;) {
    const uint32_t half = count / 2;
    const PatchRecord& patch = patches[first + half];
    if (patch.target < number || (patch.target == number && patch.index < index)) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

// The result of an operation on results: more than kMostResult where it has none. Only a product
// can leave 32 bits.
uint32_t apply(ExpressionKind kind, uint32_t a, uint32_t b) {
  switch (kind) {
    case ExpressionKind::kConstant:
    case ExpressionKind::kSymbol:
      break;
    case ExpressionKind::kAdd:
      return a + b;
    case ExpressionKind::kSubtract:
      return a - b;  // below 0 it wraps round, beyond the most
    case ExpressionKind::kMultiply: {
      const uint64_t product = uint64_t{a} * b;
      return product > kMostResult ? kNoIndex : static_cast<uint32_t>(product);
    }
    case ExpressionKind::kDivide:
      return b == 0 ? kNoIndex : a / b;
    case ExpressionKind::kCeilDivide:
      return b == 0 ? kNoIndex : (a + b - 1) / b;
    case ExpressionKind::kMaximum:
      return a > b ? a : b;
    case ExpressionKind::kMinimum:
      return a < b ? a : b;
  }
  return kNoIndex;
}

class SymbolCheck : public Refusal {
 public:
  // `growth`: null where dims of states must not follow from symbols.
  explicit SymbolCheck(const Program& program, const GrowthFunctions* growth = nullptr)
      : program_(program), growth_(growth) {}

  // The tables of all variants.
  bool tables();
  // Checks one variant, whose records check_records has accepted.
  bool variant(const format::VariantRecord& variant, const SymbolicVariantRecord& record);

 private:
  bool inside(uint32_t first, uint32_t count, Table table) const {
    return within(first, count, program_.count(table));
  }
  bool symbols();
  uint32_t symbol_count(uint32_t variant);
  bool expressions(const SymbolicVariantRecord& record);
  bool patches(const SymbolicVariantRecord& record);
  bool states(const format::VariantRecord& variant, const SymbolicVariantRecord& record);
  bool is_patched(const SymbolicVariantRecord& record, const ValueRecord& value) const;

  const Program& program_;
  const GrowthFunctions* const growth_;
  // The method that the last variant belongs to, its first symbol, and how many it has.
  uint32_t method_ = 0, first_symbol_ = 0, symbols_ = 0;
};

bool SymbolCheck::symbols() {
  uint32_t index = 0, method = 0;
  for (const SymbolRecord& symbol : program_.symbols()) {
    if (symbol.method < method || symbol.method >= program_.methods().size() ||
        !inside(symbol.name_offset, symbol.name_bytes, Table::kStrings)) {
      return refuse(Code::kBadIndex, index);
    }
    if (symbol.least > symbol.most || symbol.most > kMostResult) {
      return refuse(Code::kBadValue, index);
    }
    method = symbol.method;
    ++index;
  }
  return true;
}

// Counts the symbols of a variant's method. Variants rise from call to call, so that all calls
// together are linear.
uint32_t SymbolCheck::symbol_count(uint32_t variant) {
  const auto in_method = [&](const format::MethodRecord& method) {
    return variant - method.variant_first < method.variant_count;
  };
  const Records<SymbolRecord> all = program_.symbols();
  while (!in_method(program_.methods()[method_])) ++method_;
  while (first_symbol_ < all.size() && all[first_symbol_].method < method_) {
    ++first_symbol_;
    symbols_ = 0;
  }
  while (first_symbol_ + symbols_ < all.size() && all[first_symbol_ + symbols_].method == method_) {
    ++symbols_;
  }
  return symbols_;
}

bool SymbolCheck::expressions(const SymbolicVariantRecord& record) {
  const uint32_t symbols = symbol_count(record.variant);
  for (uint32_t i = 0; i < record.expression_count; ++i) {
    const uint32_t index = record.expression_first + i;
    const ExpressionRecord& e = program_.expressions()[index];
    const auto kind = static_cast<ExpressionKind>(e.kind);
    if (e.kind > static_cast<uint32_t>(ExpressionKind::kMinimum) ||
        (kind <= ExpressionKind::kSymbol && e.b != 0)) {
      return refuse(Code::kBadValue, index);
    }
    const bool good = kind == ExpressionKind::kConstant ||
                      (kind == ExpressionKind::kSymbol ? e.a < symbols : e.a < i && e.b < i);
    if (!good) {
      return refuse(Code::kBadIndex, index);
    }
  }
  return true;
}

bool SymbolCheck::patches(const SymbolicVariantRecord& record) {
  const format::VariantRecord& variant = program_.variants()[record.variant];
  const ValueRecord* values = program_.values_of(variant).data();
  uint32_t index = record.patch_first;
  const PatchRecord* before = nullptr;
  for (const PatchRecord& patch : patches_of(program_, record)) {
    const bool rises = before == nullptr || before->target < patch.target ||
                       (before->target == patch.target && before->index < patch.index);
    before = &patch;
    bool good = false;
    switch (static_cast<PatchTarget>(patch.target)) {
      case PatchTarget::kShape:
        good = patch.index < record.shape_words;
        break;
      case PatchTarget::kAttribute:
        good = patch.index < record.attribute_words;
        break;
      case PatchTarget::kValueOffset:
        good = patch.index < variant.value_count && format::is_view(values[patch.index]);
        break;
    }
    if (!rises || !good || patch.expression >= record.expression_count) {
      return refuse(Code::kBadIndex, index);
    }
    ++index;
  }
  return true;
}

bool SymbolCheck::tables() {
  const bool announced = (program_.header().required_features & format::kDimsFeature) != 0;
  if (announced == program_.symbolic_variants().empty()) {
    return refuse(Code::kBadValue);
  }
  if (!symbols()) {
    return false;
  }
  uint32_t index = 0, variant = 0, expression_end = 0, patch_end = 0;
  for (const SymbolicVariantRecord& record : program_.symbolic_variants()) {
    if (record.variant < variant || record.variant >= program_.variants().size() ||
        record.expression_first < expression_end || record.patch_first < patch_end ||
        !inside(record.expression_first, record.expression_count, Table::kExpressions) ||
        !inside(record.patch_first, record.patch_count, Table::kPatches) ||
        record.shape_words > program_.count(Table::kShapes) ||
        record.attribute_words > program_.count(Table::kAttributes)) {
      return refuse(Code::kBadIndex, index);
    }
    if (!expressions(record) || !patches(record)) {
      return false;
    }
    variant = record.variant + 1;
    expression_end = record.expression_first + record.expression_count;
    patch_end = record.patch_first + record.patch_count;
    ++index;
  }
  return true;
}

// Whether some dim or stride of a value is patched.
bool SymbolCheck::is_patched(const SymbolicVariantRecord& record, const ValueRecord& value) const {
  const Records<PatchRecord> patches = patches_of(program_, record);
  return lower_bound(patches, PatchTarget::kShape, value.shape) !=
         lower_bound(patches, PatchTarget::kShape, value.shape + 2u * value.rank);
}

// Without growth a state stays what it is when symbols change. Records that name none are refused
// elsewhere.
bool SymbolCheck::states(const format::VariantRecord& variant,
                         const SymbolicVariantRecord& record) {
  if (growth_ != nullptr) {
    uint32_t at = 0;
    return growth_->check(program_, variant, record, at) || refuse(Code::kBadValue, at);
  }
  const uint32_t index = method_of(program_, record.variant);
  const format::MethodRecord& method = program_.methods()[index];
  const ValueRecord* values = program_.values_of(variant).data();
  const uint32_t* io = program_.io().data() + variant.io_first;
  for (const format::StateRecord& state : program_.states()) {
    if (state.method != index || !names_io(state, method)) {
      continue;
    }
    const uint32_t input = io[state.input];
    const uint32_t output =
        state.output == kNoIndex ? input : io[method.input_count + state.output];
    for (const uint32_t value : {input, output}) {
      if (is_patched(record, values[value])) {
        return refuse(Code::kBadValue, value);
      }
    }
  }
  return true;
}

bool SymbolCheck::variant(const format::VariantRecord& variant,
                          const SymbolicVariantRecord& record) {
  const auto copied = [&](const format::ElementsRecord& elements) {
    return within(elements.shape, 2u * elements.rank, record.shape_words);
  };
  uint32_t index = 0;
  for (const ValueRecord& value : program_.values_of(variant)) {
    if (!copied(value)) {
      return refuse(Code::kBadIndex, index);
    }
    ++index;
  }
  for (const format::StepRecord& step : program_.steps_of(variant)) {
    if (record.attribute_words != 0 &&
        !within(step.attribute_first, step.attribute_words, record.attribute_words)) {
      return refuse(Code::kBadIndex, step.attribute_first);
    }
    for (uint32_t k = 0; k < step.input_count; ++k) {
      const uint32_t operand = program_.operands()[step.operand_first + k];
      if (operand != kNoIndex && format::is_constant(operand) &&
          !copied(program_.constants()[format::constant_index(operand)])) {
        return refuse(Code::kBadIndex, operand);
      }
    }
  }
  return states(variant, record);
}

Status bind_frame(const Program& program, const LoadOptions& options, std::span<uint32_t> memory,
                  Bindings& bindings) {
  const uint32_t index = program.methods()[options.method].variant_first + options.variant;
  const format::VariantRecord& variant = program.variants()[index];
  const SymbolicVariantRecord* record = symbolic_variant(program, index);
  SymbolCheck check(program, options.states != nullptr ? options.states->growth : nullptr);
  if (!check.tables() || (record != nullptr && !check.variant(variant, *record))) {
    return check.status();
  }
  if (record == nullptr) {
    return ok_status();
  }
  if (memory.size() < frame_words(program, index)) {
    return error(Code::kArenaTooSmall);
  }
  const Records<SymbolRecord> symbols = symbols_of(program, options.method);
  SymbolFrame frame(program, *record, static_cast<uint32_t>(symbols.size()), memory.data());
  for (uint32_t i = 0; i < symbols.size(); ++i) {
    frame.numbers()[i] = symbols[i].most;
  }
  frame.bind(variant, bindings);
  ARENITE_TRY(frame.evaluate(frame.numbers()));
  return frame.compare();
}

Code bind(const Program& program, const LoadOptions& options, std::span<uint32_t> frame,
          Bindings& bindings, uint32_t& at) {
  const Status status = bind_frame(program, options, frame, bindings);
  at = status.value;
  return status.code;
}

// Whether a value whose dims, strides or offset changed lies in its storage with all its elements.
// Its type, its bytes and the dims that it had before have been checked.
Code fault_of(const Bindings& bindings, const ValueRecord& v) {
  const uint32_t bytes = element_bytes(static_cast<DType>(v.dtype));
  const bool view = format::is_view(v);
  if (!holds_elements(v, bindings.shapes + v.shape, bytes, !view)) {
    return Code::kBadValue;
  }
  if (!view) {
    return Code::kOk;
  }
  if ((v.offset & (bytes - 1)) != 0) {
    return Code::kBadAlignment;
  }
  const ValueRecord& root = bindings.values[v.below_or_root];
  const bool inside =
      v.offset >= root.offset && within(v.offset - root.offset, v.bytes, root.bytes);
  return inside ? Code::kOk : Code::kBadRange;
}

Status expect_dims(const Tensor& tensor, std::span<const uint32_t> dims) {
  for (uint32_t d = 0; d < dims.size(); ++d) {
    if (tensor.dims[d] != dims[d]) {
      return error(Code::kBadShape, d);
    }
  }
  return ok_status();
}

}  // namespace

uint32_t result_of(const ExpressionRecord& e, const uint32_t* numbers, const uint32_t* results) {
  const auto kind = static_cast<ExpressionKind>(e.kind);
  uint32_t result = kNoIndex;
  if (kind == ExpressionKind::kConstant) {
    result = e.a;
  } else if (kind == ExpressionKind::kSymbol) {
    result = numbers[e.a];
  } else if (results[e.a] <= kMostResult && results[e.b] <= kMostResult) {
    result = apply(kind, results[e.a], results[e.b]);
  }
  return result > kMostResult ? kNoIndex : result;
}

uint32_t method_of(const Program& program, uint32_t variant) {
  uint32_t index = 0;
  for (const format::MethodRecord& method : program.methods()) {
    if (variant - method.variant_first < method.variant_count) {
      break;
    }
    ++index;
  }
  return index;
}

const SymbolicVariantRecord* symbolic_variant(const Program& program, uint32_t variant) {
  for (const SymbolicVariantRecord& record : program.symbolic_variants()) {
    if (record.variant == variant) {
      return &record;
    }
  }
  return nullptr;
}

uint32_t expression_of(const Program& program, const SymbolicVariantRecord& record,
                       uint32_t shape_word) {
  const Records<PatchRecord> patches = patches_of(program, record);
  const uint32_t at = lower_bound(patches, PatchTarget::kShape, shape_word);
  const bool found = at != patches.size() && patches[at].index == shape_word &&
                     patches[at].target == static_cast<uint32_t>(PatchTarget::kShape);
  return found ? patches[at].expression : kNoIndex;
}

uint32_t symbol_of(const Program& program, const SymbolicVariantRecord& record,
                   uint32_t shape_word) {
  const uint32_t expression = expression_of(program, record, shape_word);
  if (expression == kNoIndex) {
    return kNoIndex;
  }
  const ExpressionRecord& e = program.expressions()[record.expression_first + expression];
  return e.kind == static_cast<uint32_t>(ExpressionKind::kSymbol) ? e.a : kNoIndex;
}

Status check_symbols(const Program& program) {
  SymbolCheck check(program);
  check.tables();
  return check.status();
}

Records<SymbolRecord> symbols_of(const Program& program, uint32_t method) {
  const Records<SymbolRecord> all = program.symbols();
  // Halves [first, first + count): symbols rise by their methods.
  const SymbolRecord* first = all.begin();
  for (size_t count = all.size(); count != 0;) {
    const size_t half = count / 2;
    if (first[half].method < method) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  const SymbolRecord* end = first;
  while (end != all.end() && end->method == method) ++end;
  return {first, static_cast<size_t>(end - first)};
}

uint32_t frame_words(const Program& program, uint32_t variant) {
  const SymbolicVariantRecord* record = symbolic_variant(program, variant);
  // Programs that name more are refused when they are loaded.
  if (record == nullptr || variant >= program.variants().size() ||
      !within(record->patch_first, record->patch_count, program.count(Table::kPatches)) ||
      record->expression_count > program.count(Table::kExpressions) ||
      record->shape_words > program.count(Table::kShapes) ||
      record->attribute_words > program.count(Table::kAttributes)) {
    return 0;
  }
  const auto symbols =
      static_cast<uint32_t>(symbols_of(program, method_of(program, variant)).size());
  uint32_t words =
      2 * symbols + record->expression_count + record->shape_words + record->attribute_words;
  if (moves_views(patches_of(program, *record))) {
    words += program.variants()[variant].value_count * uint32_t{sizeof(ValueRecord) / 4};
  }
  return words;
}

// Proves what load proved of this variant and what new words may have changed: where elements lie,
// and the steps, inputs and outputs. Which bytes values own, and when, has not changed.
Status Instance::prove_again(bool& planned) const {
  const auto count = variant_->value_count;
  for (uint32_t i = 0; i < count; ++i) {
    const Code code = fault_of(bindings_, bindings_.values[i]);
    if (code != Code::kOk) {
      return error(code, i);
    }
  }
  for (const format::StepRecord& step : program_->steps_of(*variant_)) {
    for (uint32_t k = 0; k < step.input_count; ++k) {
      const uint32_t operand = bindings_.operands[step.operand_first + k];
      if (operand == kNoIndex || !format::is_constant(operand)) {
        continue;
      }
      const format::ConstantRecord& c = bindings_.constants[format::constant_index(operand)];
      const uint32_t bytes = element_bytes(static_cast<DType>(c.dtype));
      if (!holds_elements(c, bindings_.shapes + c.shape, bytes, false)) {
        return error(Code::kBadValue, operand);
      }
    }
  }
  format::VariantRecord steps_alone = *variant_;
  steps_alone.value_count = 0;
  const FormTask forms = form_task(bindings_, *program_, *variant_, ops_, features_);
  return verification_->variant({program_, method_, &steps_alone, &forms}, {}, planned);
}

// Gives the symbols these numbers; the input, if there is one, must have these dims then.
Status Instance::change_symbols(std::span<const uint32_t> numbers, const Tensor* input,
                                std::span<const uint32_t> dims) {
  const uint32_t index = variant_index(*program_, *variant_);
  const Records<SymbolRecord> symbols = symbols_of(*program_, method_of(*program_, index));
  if (numbers.size() != symbols.size()) {
    return error(Code::kBadIndex);
  }
  bool same = true;
  for (uint32_t i = 0; i < symbols.size(); ++i) {
    if (numbers[i] < symbols[i].least || numbers[i] > symbols[i].most) {
      return error(Code::kSymbolOutOfRange, i);
    }
    same = same && numbers[i] == symbol(i);
  }
  if (same) {
    return input != nullptr ? expect_dims(*input, dims) : ok_status();
  }
  const SymbolicVariantRecord* record = symbolic_variant(*program_, index);
  // Without the verifier, steps keep the forms of a plan that was proved with these for all
  // numbers.
  const bool has_forms = verification_ != nullptr || (variant_->flags & format::kExactForms) != 0;
  const bool fits_backend = !attached_ || backend_.resize != nullptr;
  if (record == nullptr || !fits_backend || !has_forms) {
    return error(Code::kUnsupported);
  }
  SymbolFrame frame =
      SymbolFrame::of(*program_, *record, static_cast<uint32_t>(symbols.size()), bindings_);
  bool planned = true;
  bool resized = false;
  Status status = frame.evaluate(numbers.data());
  if (status.ok()) {
    frame.patch();
    if (input != nullptr) {
      status = expect_dims(*input, dims);
    }
    if (status.ok() && verification_ != nullptr) {
      status = prove_again(planned);
    }
    if (status.ok() && attached_) {
      resized = true;
      status = backend_.resize(backend_.context);
    }
  }
  if (!status.ok()) {
    // These had results before.
    (void)frame.evaluate(frame.numbers());
    frame.patch();
    if (resized) {
      // A backend that cannot even go back says so when it is to run.
      (void)backend_.resize(backend_.context);
    }
    return status;
  }
  for (uint32_t i = 0; i < symbols.size(); ++i) {
    frame.numbers()[i] = numbers[i];
  }
  planned_ = planned;
  next_step_ = 0;
  return ok_status();
}

Status Instance::set_symbols(std::span<const uint32_t> numbers) {
  if (program_ == nullptr) {
    return error(Code::kNotLoaded);
  }
  return grows_ ? states_->growth->set(*this, numbers) : change_symbols(numbers, nullptr, {});
}

Status Instance::set_shape(uint32_t input, std::span<const uint32_t> dims) {
  if (program_ == nullptr) {
    return error(Code::kNotLoaded);
  }
  if (input >= method_->input_count) {
    return error(Code::kBadIndex, input);
  }
  ARENITE_TRY(settle_states());
  const Tensor tensor = io_tensor(false, input);
  if (dims.size() != tensor.rank()) {
    return error(Code::kBadShape,
                 dims.size() < tensor.rank() ? static_cast<uint32_t>(dims.size()) : tensor.rank());
  }
  const uint32_t index = variant_index(*program_, *variant_);
  const SymbolicVariantRecord* record = symbolic_variant(*program_, index);
  if (record == nullptr) {
    return expect_dims(tensor, dims);
  }
  const auto count =
      static_cast<uint32_t>(symbols_of(*program_, method_of(*program_, index)).size());
  SymbolFrame frame = SymbolFrame::of(*program_, *record, count, bindings_);
  for (uint32_t i = 0; i < count; ++i) {
    frame.wanted()[i] = frame.numbers()[i];
  }
  for (uint32_t d = 0; d < dims.size(); ++d) {
    const uint32_t symbol = symbol_of(*program_, *record, tensor.record->shape + d);
    if (symbol != kNoIndex) {
      frame.wanted()[symbol] = dims[d];
    }
  }
  return grows_ ? states_->growth->change(*this, &tensor, dims)
                : change_symbols({frame.wanted(), count}, &tensor, dims);
}

uint32_t Instance::symbol(uint32_t i) const {
  if (program_ == nullptr) {
    return 0;
  }
  const uint32_t index = variant_index(*program_, *variant_);
  const Records<SymbolRecord> symbols = symbols_of(*program_, method_of(*program_, index));
  if (i >= symbols.size()) {
    return 0;
  }
  const SymbolicVariantRecord* record = symbolic_variant(*program_, index);
  if (record == nullptr) {
    return symbols[i].most;
  }
  return SymbolFrame::of(*program_, *record, static_cast<uint32_t>(symbols.size()), bindings_)
      .numbers()[i];
}

constinit const SymbolFunctions kSymbols{bind};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
