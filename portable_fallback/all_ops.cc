// The table of all operators, in an object of its own: only who asks for it links every form.
#include <array>

#include "ops/contracts.h"
#include "portable_fallback/forms.h"

namespace arenite {
namespace {

constexpr auto sorted(auto entries) {
  for (size_t i = 1; i < entries.size(); ++i) {
    for (size_t k = i; k > 0 && entries[k].op < entries[k - 1].op; --k) {
      const OpEntry entry = entries[k];
      entries[k] = entries[k - 1];
      entries[k - 1] = entry;
    }
  }
  return entries;
}

constexpr auto kAllOps = sorted(std::to_array<OpEntry>({
#define ARENITE_KERNEL_OP(number, name, Type, set) \
  {Op::k##Type, &k##Type##Contract, k##Type##Forms},
#include "schema/ops.def"
}));

}  // namespace

OpTable all_ops() { return kAllOps; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
