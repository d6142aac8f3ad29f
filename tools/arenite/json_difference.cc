// Writes in JSON what two tensors differ in.
#include "tools/arenite/json_value.h"

namespace arenite::tools {
namespace {

Json to_json(const std::optional<ElementPair>& pair) {
  if (!pair) return nullptr;
  return {{"index", pair->index}, {"expected", pair->expected}, {"found", pair->found}};
}

}  // namespace

void add_difference(const Difference& difference, Json& to) {
  to["elements"] = difference.elements;
  to["beyond"] = difference.beyond;
  to["unmatched"] = difference.unmatched;
  to["allowed"] = difference.allowed;
  to["max_abs"] = difference.max_abs;
  to["max_rel"] = difference.max_rel;
  to["first"] = to_json(difference.first);
  to["worst"] = to_json(difference.worst);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
