// Looks for the dims that are symbols in the patches of a method's first variant.
#include "tools/run/dim_ranges.h"

#include <algorithm>
#include <optional>

#include "core/symbols.h"
#include "support/printable.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

using format::ExpressionKind;
using format::ExpressionRecord;
using format::PatchTarget;
using format::SymbolicVariantRecord;
using format::SymbolRecord;

// What a word of shapes is in a variant: an expression of its record, or nothing.
struct PatchedWord {
  const SymbolicVariantRecord* record = nullptr;
  uint32_t expression = 0;  // of the record's
};
std::optional<PatchedWord> patch_at(const Program& program, uint32_t variant, uint32_t word) {
  for (const SymbolicVariantRecord& record : program.symbolic_variants()) {
    if (record.variant != variant) continue;
    for (uint32_t i = 0; i < record.patch_count; ++i) {
      const format::PatchRecord& patch = program.patches()[record.patch_first + i];
      if (patch.target == static_cast<uint32_t>(PatchTarget::kShape) && patch.index == word) {
        return PatchedWord{&record, patch.expression};
      }
    }
  }
  return std::nullopt;
}

const ExpressionRecord& expression_of(const Program& program, const PatchedWord& word) {
  return program.expressions()[word.record->expression_first + word.expression];
}

// The result where the symbols have these numbers: kNoIndex where it has none.
uint32_t result_of(const Program& program, const PatchedWord& word,
                   std::span<const uint32_t> symbols) {
  std::vector<uint32_t> results;
  for (uint32_t i = 0; i <= word.expression; ++i) {
    const ExpressionRecord& e = program.expressions()[word.record->expression_first + i];
    const auto kind = static_cast<ExpressionKind>(e.kind);
    uint32_t a = e.a, b = 0;
    if (kind == ExpressionKind::kSymbol) {
      a = symbols[a];
    } else if (kind != ExpressionKind::kConstant) {
      a = results[a];
      b = results[e.b];
    }
    results.push_back(a == kNoIndex || b == kNoIndex ? kNoIndex : arenite::result_of(kind, a, b));
  }
  return results.back();
}

// The symbol that a word of shapes is in the variant; kNoIndex where it is none.
uint32_t symbol_at(const Program& program, uint32_t variant, uint32_t word) {
  const std::optional<PatchedWord> patched = patch_at(program, variant, word);
  if (!patched) return kNoIndex;
  const ExpressionRecord& expression = expression_of(program, *patched);
  return expression.kind == static_cast<uint32_t>(ExpressionKind::kSymbol) ? expression.a
                                                                           : kNoIndex;
}

std::string symbol_name(const Program& program, const SymbolRecord& symbol) {
  return printable(program.string(symbol.name_offset, symbol.name_bytes));
}

}  // namespace

std::vector<DimRange> input_ranges(const Program& program, uint32_t method, uint32_t input) {
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& variant = program.variants()[record.variant_first];
  const format::ValueRecord& value =
      program.values_of(variant)[program.inputs_of(record, variant)[input]];
  const Records<SymbolRecord> symbols = symbols_of(program, method);
  std::vector<DimRange> ranges;
  for (uint32_t d = 0; d < value.rank; ++d) {
    const uint32_t dim = program.shapes()[value.shape + d];
    ranges.push_back({dim, dim, kNoIndex});
    const uint32_t symbol = symbol_at(program, record.variant_first, value.shape + d);
    if (symbol < symbols.size()) ranges.back() = {symbols[symbol].least, dim, symbol};
  }
  return ranges;
}

bool lie_in(std::span<const uint32_t> dims, std::span<const DimRange> ranges) {
  return std::equal(
      dims.begin(), dims.end(), ranges.begin(), ranges.end(),
      [](uint32_t dim, const DimRange& range) { return dim >= range.least && dim <= range.most; });
}

std::string describe(DType dtype, std::span<const DimRange> ranges) {
  std::string text = describe(dtype, std::vector<uint32_t>{});
  text.resize(text.find('['));
  text += '[';
  for (size_t d = 0; d < ranges.size(); ++d) {
    text += (d == 0 ? "" : ",") + std::to_string(ranges[d].least);
    if (ranges[d].least != ranges[d].most) text += ".." + std::to_string(ranges[d].most);
  }
  return text + "]";
}

std::vector<HostTensor> output_forms(const Program& program, uint32_t method,
                                     std::span<const uint32_t> symbols) {
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& variant = program.variants()[record.variant_first];
  std::vector<HostTensor> forms;
  for (uint32_t i = 0; i < record.output_count; ++i) {
    forms.push_back(output_form(program, method, i));
    const format::ValueRecord& value =
        program.values_of(variant)[program.outputs_of(record, variant)[i]];
    for (uint32_t d = 0; d < value.rank; ++d) {
      const auto patched = patch_at(program, record.variant_first, value.shape + d);
      if (patched) forms.back().dims[d] = result_of(program, *patched, symbols);
    }
  }
  return forms;
}

void set_shape(Runner& runner, uint32_t input, std::span<const uint32_t> dims) {
  const ProgramFile& file = runner.file();
  const uint32_t method = runner.method();
  const std::vector<DimRange> ranges = input_ranges(file.program(), method, input);
  if (!lie_in(dims, ranges)) {
    const DType dtype = input_form(file.program(), method, input).dtype;
    throw InputError("input " + quote(file.input_name(method, input)) + ": expected " +
                     describe(dtype, ranges) + ", found " + describe(dtype, dims));
  }
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < symbols_of(file.program(), method).size(); ++i) {
    numbers.push_back(runner.instance().symbol(i));
  }
  for (uint32_t d = 0; d < dims.size(); ++d) {
    if (ranges[d].symbol != kNoIndex) numbers[ranges[d].symbol] = dims[d];
  }
  runner.set_symbols(numbers);
}

std::vector<uint32_t> symbols_for(const ProgramFile& file, uint32_t method,
                                  std::span<const HostTensor> inputs) {
  const Program& program = file.program();
  const Records<SymbolRecord> symbols = symbols_of(program, method);
  std::vector<uint32_t> numbers;
  for (const SymbolRecord& symbol : symbols) numbers.push_back(symbol.most);
  std::vector<std::optional<uint32_t>> set_by(symbols.size());  // an input
  for (uint32_t i = 0; i < inputs.size() && !symbols.empty(); ++i) {
    const std::vector<DimRange> ranges = input_ranges(program, method, i);
    for (uint32_t d = 0; d < ranges.size() && d < inputs[i].dims.size(); ++d) {
      const uint32_t symbol = ranges[d].symbol;
      if (symbol == kNoIndex) continue;
      if (set_by[symbol] && numbers[symbol] != inputs[i].dims[d]) {
        throw InputError("input " + quote(file.input_name(method, i)) + ": dimension " +
                         std::to_string(d) + " is " + symbol_name(program, symbols[symbol]) +
                         ", which is " + std::to_string(numbers[symbol]) + " in input " +
                         quote(file.input_name(method, *set_by[symbol])) + "; found " +
                         std::to_string(inputs[i].dims[d]));
      }
      numbers[symbol] = inputs[i].dims[d];
      set_by[symbol] = i;
    }
  }
  return numbers;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
