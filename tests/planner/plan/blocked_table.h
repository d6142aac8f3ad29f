// The operators of a machine that wants weights in blocks, for plans of such: its forms read them
// as the references do.
#pragma once

#include <vector>

#include "core/form.h"
#include "portable_fallback/forms.h"

namespace arenite::test {

class BlockedTable {
 public:
  static constexpr uint8_t kForm = 64;

  BlockedTable(const Blocks& floats, const Blocks& integers)
      : entries_(all_ops().begin(), all_ops().end()) {
    add(kConvForm5, floats);
    add(kConv3dForm5, floats);
    add(kConvTransposeForm5, floats);
    add(kMatMulForm5, floats);
    add(kQuantizedConvForm5, integers);
    add(kQuantizedConvTransposeForm5, integers);
    add(kQuantizedMatMulForm5, integers);
  }
  BlockedTable(const BlockedTable&) = delete;
  BlockedTable& operator=(const BlockedTable&) = delete;
  OpTable ops() const { return entries_; }

 private:
  struct Forms {
    Form wanting;
    std::vector<const Form*> all;
  };

  void add(const Form& reference, const Blocks& blocks) {
    Forms& forms = forms_[count_++];
    forms.wanting = reference;
    forms.wanting.number = kForm;
    forms.wanting.packings = {layout_bit(Layout::kBlocked), blocks};
    for (OpEntry& entry : entries_) {
      if (entry.op != reference.op) continue;
      forms.all.push_back(&forms.wanting);
      for (const Form* const* form = entry.forms; *form != nullptr; ++form) {
        forms.all.push_back(*form);
      }
      forms.all.push_back(nullptr);
      entry.forms = forms.all.data();
    }
  }

  std::vector<OpEntry> entries_;
  Forms forms_[7];
  size_t count_ = 0;
};

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
