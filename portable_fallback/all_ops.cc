// The table of all operators, in an object of its own: only who asks for it links every form.
#include <array>

#include "portable_fallback/forms.h"

namespace arenite {
namespace {

struct NamedForm {
  Op op;
  const Form* form;
};

// The features that a machine which runs this code may have. Microcontrollers have what they are
// compiled for, so that their images leave out the facts of other CPUs' forms; hosts plan for all.
constexpr CpuFeatures possible_features() {
#if defined(__linux__) || defined(__APPLE__) || defined(_WIN32)
  return ~CpuFeatures{0};
#else
  return compiled_cpu_features();
#endif
}

constexpr const Form* form_if_possible(const Form* form, CpuFeatures needs) {
  return (needs & ~possible_features()) == 0 ? form : nullptr;
}

// Null in place of those that are not possible.
constexpr auto kForms = [] {
  using namespace cpu_features;
  return std::to_array<NamedForm>({
#define ARENITE_FORM(Type, number, name, types, needs, file) \
  {Op::k##Type, form_if_possible(&k##Type##Form##number, needs)},
#include "schema/forms.def"
  });
}();

constexpr bool is_of(const NamedForm& form, const OpEntry& entry) {
  return form.form != nullptr && form.op == entry.op;
}

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

constexpr auto kContracts = sorted(std::to_array<OpEntry>({
#define ARENITE_KERNEL_OP(number, name, Type, set) {Op::k##Type, &k##Type##Contract, nullptr},
#include "schema/ops.def"
}));

// The forms of each operator of kContracts, as their rows order them; a null one ends them.
constexpr auto kLists = [] {
  std::array<const Form*, std::size(kForms) + kContracts.size()> lists{};
  size_t end = 0;
  for (const OpEntry& entry : kContracts) {
    for (const NamedForm& form : kForms) {
      if (is_of(form, entry)) lists[end++] = form.form;
    }
    lists[end++] = nullptr;
  }
  return lists;
}();

constexpr auto kAllOps = [] {
  auto entries = kContracts;
  size_t at = 0;
  for (OpEntry& entry : entries) {
    entry.forms = &kLists[at++];  // one more, for the null one
    for (const NamedForm& form : kForms) at += is_of(form, entry) ? size_t{1} : size_t{0};
  }
  return entries;
}();

}  // namespace

OpTable all_ops() { return kAllOps; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
