// Copies the words that follow from symbols, and writes results over them.
#include "core/symbol_frame.h"

#include <cstring>

#include "core/symbols.h"

namespace arenite {

using format::PatchRecord;
using format::PatchTarget;
using format::ValueRecord;

void SymbolFrame::bind(const format::VariantRecord& variant, Bindings& bindings) {
  std::memcpy(shapes_, program_.shapes().data(), 4 * size_t{record_.shape_words});
  bindings.shapes = shapes_;
  if (record_.attribute_words != 0) {
    std::memcpy(attributes_, program_.attributes().data(), 4 * size_t{record_.attribute_words});
    bindings.attributes = attributes_;
  }
  if (moves_views(patches())) {
    std::memcpy(values_, program_.values_of(variant).data(),
                sizeof(ValueRecord) * variant.value_count);
    bindings.values = values();
  }
}

Status SymbolFrame::evaluate(const uint32_t* numbers) {
  for (uint32_t i = 0; i < record_.expression_count; ++i) {
    results_[i] =
        result_of(program_.expressions()[record_.expression_first + i], numbers, results_);
    if (results_[i] == kNoIndex) {
      return error(Code::kBadExpression, record_.expression_first + i);
    }
  }
  return ok_status();
}

void SymbolFrame::patch() {
  for (const PatchRecord& patch : patches()) {
    word(patch) = results_[patch.expression];
  }
}

Status SymbolFrame::compare() {
  for (const PatchRecord& patch : patches()) {
    if (word(patch) != results_[patch.expression]) {
      return error(Code::kBadExpression, record_.expression_first + patch.expression);
    }
  }
  return ok_status();
}

uint32_t& SymbolFrame::word(const PatchRecord& patch) {
  switch (static_cast<PatchTarget>(patch.target)) {
    case PatchTarget::kShape:
      return shapes_[patch.index];
    case PatchTarget::kAttribute:
      return attributes_[patch.index];
    case PatchTarget::kValueOffset:
      break;
  }
  return values()[patch.index].offset;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
