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

// The result of an expression over results of others, each at most 2^31 - 1; kNoIndex where it
// would be more, less than 0, or a quotient by 0. Of a constant or a symbol that is `a`.
uint32_t result_of(format::ExpressionKind kind, uint32_t a, uint32_t b);

struct LoadOptions;

struct SymbolFunctions {
  // Checks the tables of all variants, and that the one to be loaded (options' method, variant and
  // frame) keeps to the words that are copied. Copies what follows from symbols to the frame,
  // compares it with the results for the most that each can be, and lets the bindings point there.
  // Errors: kBadIndex and kBadValue (`at` = the record in its table, or the value or the step's
  // constant that uses other words), kBadExpression (`at` = the expression's record),
  // kArenaTooSmall (no `at`) where the frame is too small.
  Code (*bind)(const Program& program, const LoadOptions& options, Bindings& bindings,
               uint32_t& at);
};

// Constant where it is defined.
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern const SymbolFunctions kSymbols;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
