// The memory that what follows from symbols lies in: the frame of a variant, word by word
//
//   numbers      one for each symbol of the method: what they are
//   wanted       as many: what they are to be, while that is worked out
//   results      one for each expression
//   shapes       the first shape_words of the program's, patched
//   attributes   the first attribute_words of the program's, patched
//   values       the variant's records, with patched offsets; only where some patch is of an offset
//
// The bindings of a variant that is loaded point at `shapes`, so that its frame can be found again.
#pragma once

#include <cstdint>

#include "core/program.h"

namespace arenite {

inline Records<format::PatchRecord> patches_of(const Program& program,
                                               const format::SymbolicVariantRecord& record) {
  return {program.patches().data() + record.patch_first, record.patch_count};
}

// Whether the patches, which rise, end with one of an offset.
inline bool moves_views(Records<format::PatchRecord> patches) {
  return !patches.empty() &&
         patches.back().target == static_cast<uint32_t>(format::PatchTarget::kValueOffset);
}

// A symbolic variant whose tables have been checked, and its frame.
class SymbolFrame {
 public:
  // `symbols`: how many the method has; `words`: the first of the frame.
  SymbolFrame(const Program& program, const format::SymbolicVariantRecord& record, uint32_t symbols,
              uint32_t* words)
      : program_(program),
        record_(record),
        symbols_(symbols),
        numbers_(words),
        results_(words + 2 * symbols),
        shapes_(results_ + record.expression_count),
        attributes_(shapes_ + record.shape_words),
        values_(attributes_ + record.attribute_words) {}

  // Finds the frame of a variant that is loaded: it begins so many words before the shapes that the
  // bindings point to. It is the caller's memory, which can be written to.
  static SymbolFrame of(const Program& program, const format::SymbolicVariantRecord& record,
                        uint32_t symbols, const Bindings& bindings) {
    return {program, record, symbols,
            const_cast<uint32_t*>(bindings.shapes) - record.expression_count - 2 * symbols};
  }

  uint32_t* numbers() { return numbers_; }
  uint32_t* wanted() { return numbers_ + symbols_; }
  Records<format::PatchRecord> patches() const { return patches_of(program_, record_); }

  // Copies the program's tables and lets the bindings point at the copies.
  void bind(const format::VariantRecord& variant, Bindings& bindings);
  // Evaluates all expressions. Errors: kBadExpression.
  Status evaluate(const uint32_t* numbers);
  // Writes the results over the words of all patches.
  void patch();
  // Whether the words are the results already. Errors: kBadExpression.
  Status compare();

 private:
  // Records have been copied there, where they are used.
  format::ValueRecord* values() {
    return static_cast<format::ValueRecord*>(static_cast<void*>(values_));
  }
  uint32_t& word(const format::PatchRecord& patch);

  const Program& program_;
  const format::SymbolicVariantRecord& record_;
  const uint32_t symbols_;
  uint32_t* numbers_;
  uint32_t* results_;
  uint32_t* shapes_;
  uint32_t* attributes_;
  uint32_t* values_;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
