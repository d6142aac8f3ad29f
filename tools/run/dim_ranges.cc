// Looks for the dims that are symbols in the patches of a method's first variant.
#include "tools/run/dim_ranges.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/symbols.h"
#include "support/printable.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

using format::SymbolicVariantRecord;
using format::SymbolRecord;

// The results of all expressions of a variant where the symbols have these numbers.
std::vector<uint32_t> results_of(const Program& program, const SymbolicVariantRecord& record,
                                 std::span<const uint32_t> symbols) {
  std::vector<uint32_t> results(record.expression_count);
  for (uint32_t i = 0; i < record.expression_count; ++i) {
    const format::ExpressionRecord& e = program.expressions()[record.expression_first + i];
    results[i] = result_of(e, symbols.data(), results.data());
  }
  return results;
}

// Gives the forms of some values the dims that follow from symbols.
void take_dims(const Program& program, uint32_t method, std::span<const uint32_t> values,
               std::span<const uint32_t> symbols, std::vector<HostTensor>& forms) {
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& variant = program.variants()[record.variant_first];
  const SymbolicVariantRecord* symbolic = symbolic_variant(program, record.variant_first);
  if (symbolic == nullptr) return;
  const std::vector<uint32_t> results = results_of(program, *symbolic, symbols);
  for (size_t i = 0; i < forms.size(); ++i) {
    const format::ValueRecord& value = program.values_of(variant)[values[i]];
    for (uint32_t d = 0; d < value.rank; ++d) {
      const uint32_t expression = expression_of(program, *symbolic, value.shape + d);
      if (expression != kNoIndex) forms[i].dims[d] = results[expression];
    }
  }
}

// Calls visit(symbol, output, dim) for each dim of a state that is a symbol and takes another
// number from that dim of its output.
template <typename Visit>
void each_grown_dim(const Program& program, uint32_t method, Visit visit) {
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& variant = program.variants()[record.variant_first];
  const SymbolicVariantRecord* symbolic = symbolic_variant(program, record.variant_first);
  if (symbolic == nullptr) return;
  const Records<format::ValueRecord> values = program.values_of(variant);
  for (const format::StateRecord& state : program.states()) {
    if (state.method != method || state.output == kNoIndex) continue;
    const format::ValueRecord& input = values[program.inputs_of(record, variant)[state.input]];
    const format::ValueRecord& output = values[program.outputs_of(record, variant)[state.output]];
    for (uint32_t d = 0; d < input.rank; ++d) {
      const uint32_t symbol = symbol_of(program, *symbolic, input.shape + d);
      if (symbol == kNoIndex || symbol_of(program, *symbolic, output.shape + d) == symbol) continue;
      visit(symbol, state.output, d);
    }
  }
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
  const SymbolicVariantRecord* symbolic = symbolic_variant(program, record.variant_first);
  std::vector<uint32_t> least;
  if (symbolic != nullptr) {
    for (const SymbolRecord& symbol : symbols) least.push_back(symbol.least);
    least = results_of(program, *symbolic, least);
  }
  std::vector<DimRange> ranges;
  for (uint32_t d = 0; d < value.rank; ++d) {
    const uint32_t dim = program.shapes()[value.shape + d];
    ranges.push_back({dim, dim, kNoIndex});
    if (symbolic == nullptr) continue;
    const uint32_t expression = expression_of(program, *symbolic, value.shape + d);
    if (expression == kNoIndex) continue;
    ranges.back() = {least[expression] <= dim ? least[expression] : 0, dim,
                     symbol_of(program, *symbolic, value.shape + d)};
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

std::vector<HostTensor> input_forms(const Program& program, uint32_t method,
                                    std::span<const uint32_t> symbols) {
  std::vector<HostTensor> forms;
  for (uint32_t i = 0; i < program.methods()[method].input_count; ++i) {
    forms.push_back(input_form(program, method, i));
  }
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& variant = program.variants()[record.variant_first];
  take_dims(program, method, program.inputs_of(record, variant), symbols, forms);
  return forms;
}

std::vector<HostTensor> output_forms(const Program& program, uint32_t method,
                                     std::span<const uint32_t> symbols) {
  std::vector<HostTensor> forms;
  for (uint32_t i = 0; i < program.methods()[method].output_count; ++i) {
    forms.push_back(output_form(program, method, i));
  }
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& variant = program.variants()[record.variant_first];
  take_dims(program, method, program.outputs_of(record, variant), symbols, forms);
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
  runner.set_shape(input, dims);
}

std::vector<uint32_t> first_symbols(const Program& program, uint32_t method) {
  const Records<SymbolRecord> symbols = symbols_of(program, method);
  std::vector<uint32_t> numbers;
  for (const SymbolRecord& symbol : symbols) numbers.push_back(symbol.most);
  each_grown_dim(program, method, [&](uint32_t symbol, uint32_t, uint32_t) {
    numbers[symbol] = symbols[symbol].least;
  });
  return numbers;
}

bool grow_symbols(const Program& program, uint32_t method, std::vector<uint32_t>& numbers) {
  const Records<SymbolRecord> symbols = symbols_of(program, method);
  const std::vector<HostTensor> outputs = output_forms(program, method, numbers);
  bool good = true;
  each_grown_dim(program, method, [&](uint32_t symbol, uint32_t output, uint32_t d) {
    numbers[symbol] = outputs[output].dims[d];
    good =
        good && numbers[symbol] >= symbols[symbol].least && numbers[symbol] <= symbols[symbol].most;
  });
  return good;
}

std::vector<uint32_t> symbols_for(const ProgramFile& file, uint32_t method,
                                  std::span<const HostTensor> inputs, std::vector<uint32_t> now) {
  const Program& program = file.program();
  const Records<SymbolRecord> symbols = symbols_of(program, method);
  std::vector<uint32_t> numbers = std::move(now);
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
