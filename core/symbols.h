// Symbols: numbers, such as the size of a batch, that a caller sets before runs. Dims, strides and
// what else of a variant follows from them are stored expressions, whose results replace words of
// its tables in memory. A program has them linked by LoadOptions::symbols; without, it is refused.
#pragma once

#include <cstdint>

#include "core/program.h"

namespace arenite {

// Words of LoadOptions::frame that a variant (index in variants) takes; 0 where nothing of it
// follows from symbols. Never more than a small multiple of the file's, whatever its tables hold.
uint32_t frame_words(const Program& program, uint32_t variant);

// The symbols of a method (index in methods): its first, and how many follow.
Records<format::SymbolRecord> symbols_of(const Program& program, uint32_t method);

// Checks the tables of symbols, expressions and patches of an opened program, as load does; for
// those who read them before. Errors: kBadIndex, kBadValue.
Status check_symbols(const Program& program);

// The result of an expression where symbols have these numbers, and the expressions before it these
// results; kNoIndex where it would be more than 2^31 - 1, less than 0, a quotient by 0, or one of
// its operands has none.
uint32_t result_of(const format::ExpressionRecord& e, const uint32_t* numbers,
                   const uint32_t* results);

// The method that a variant (index in variants) belongs to; of methods().size() where there is
// none.
uint32_t method_of(const Program& program, uint32_t variant);

// The record of a variant (index in variants); null where nothing of it follows from symbols.
const format::SymbolicVariantRecord* symbolic_variant(const Program& program, uint32_t variant);

// The same of one of the program's variants.
inline const format::SymbolicVariantRecord* symbolic_variant(const Program& program,
                                                             const format::VariantRecord& variant) {
  return symbolic_variant(program, static_cast<uint32_t>(&variant - program.variants().data()));
}

// For a program that check_symbols accepts, finds the expression of the variant, counted from its
// first, whose result a word of shapes is, and the symbol of its method that the word is. kNoIndex
// where there is none.
uint32_t expression_of(const Program& program, const format::SymbolicVariantRecord& record,
                       uint32_t shape_word);
uint32_t symbol_of(const Program& program, const format::SymbolicVariantRecord& record,
                   uint32_t shape_word);

struct LoadOptions;

struct SymbolFunctions {
  // Checks the tables of all variants, and that the one to be loaded (options' method, variant and
  // frame) keeps to the words that are copied. Copies what follows from symbols to the frame,
  // compares it with the results for the most that each can be, and lets the bindings point there.
  // Errors: kBadIndex and kBadValue (`at` = the record in its table, or the value or the step's
  // constant that uses other words, or the state that must not change), kBadExpression (`at` = the
  // expression's record), kArenaTooSmall (no `at`) where the frame is too small.
  Code (*bind)(const Program& program, const LoadOptions& options, std::span<uint32_t> frame,
               Bindings& bindings, uint32_t& at);
};

// Constant where it is defined.
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern const SymbolFunctions kSymbols;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
