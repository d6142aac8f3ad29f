// Compares the bytes that weights of 4 bits save with the code of forms for them.
#include "planner/steps/few_halves.h"

#include "planner/graph/four_bits.h"
#include "planner/graph/op_facts.h"
#include "planner/graph/target_forms.h"

namespace arenite::planner {
namespace {

// Bytes of code of forms for weights of 4 bits, measured of VWW and AD on a Cortex-M4: beside those
// for whole bytes (6,880) or in place of the small one for matrix products alone (6,392), and in
// place of the one for convolutions (1,352). On a Cortex-M55 they are fewer.
constexpr uint64_t kCodeBeside = 7168, kCodeInPlace = 1536;

bool has_form_for_halves(OpTable ops, Op op) {
  const OpEntry* entry = find_op(ops, op);
  if (entry == nullptr) return false;
  for (const Form* const* form = entry->forms; *form != nullptr; ++form) {
    if (is_for_halves(**form)) return true;
  }
  return false;
}

Weights weights_of(const Node& node) {
  const auto ask = facts_of(node.op).weights;
  return ask != nullptr ? ask(node) : Weights::kNone;
}

// The constant integers that such forms may multiply by; or null.
const Value* whole_weights(const Graph& graph, const Node& node, OpTable ops) {
  if (!has_form_for_halves(ops, node.op)) return nullptr;
  const Weights weights = weights_of(node);
  if (weights != Weights::kFilters && weights != Weights::kMatrix) return nullptr;
  const ValueId id = node.inputs[kWeightsInput];
  if (id == kNoValue) return nullptr;
  const Value& value = graph.values[id];
  const bool is_byte = value.dtype == DType::kInt8 || value.dtype == DType::kUint8;
  return is_byte && value.constant != nullptr ? &value : nullptr;
}

}  // namespace

bool has_few_halves(const Graph& graph, OpTable ops) {
  uint64_t saved = 0;
  bool has_others = false;   // products by whole bytes
  bool has_filters = false;  // convolutions by weights of 4 bits
  for (const Node& node : graph.nodes) {
    const Value* weights = whole_weights(graph, node, ops);
    if (weights == nullptr) continue;
    if (fit_four_bits(*weights->constant, weights->dtype)) {
      saved += weights->constant->size() / 2;
      has_filters = has_filters || weights_of(node) == Weights::kFilters;
    } else {
      has_others = true;
    }
  }
  return saved < (has_others || !has_filters ? kCodeBeside : kCodeInPlace);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
