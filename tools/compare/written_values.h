// Lists what the steps of a variant write, by the names that values have in the model.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "tools/run/program_file.h"

namespace arenite::tools {

// The key of a written value: no other value has it, in whatever way the model was planned.
struct ValueKey {
  std::string name;
  uint32_t occurrence = 0;  // where copies carry the name of what they copy: the first is 0
  // For a part of a storage that several steps fill: its start in the storage (bytes), its dims and
  // its strides. Empty for a whole value.
  std::vector<uint32_t> part;

  bool operator<(const ValueKey& other) const {
    return std::tie(name, occurrence, part) < std::tie(other.name, other.occurrence, other.part);
  }
};

struct WrittenValue {
  ValueKey key;
  uint32_t value = 0;  // of the variant
  uint32_t step = 0;   // after which it is whole; its bytes may be others' after the next
  std::string node;    // "step 12 (Conv_3)"
};

// In the order of steps. Parts are listed when they are written, their storage when its last one
// is. Views write nothing, transfers repeat what is listed; scratch has no meaning. Empty where
// the program carries no names.
std::vector<WrittenValue> written_values(const ProgramFile& file, uint32_t method,
                                         uint32_t variant);

// "conv1_out", "conv1_out, its copy", "joined, part [1,8,4,4] from byte 512".
std::string describe(const ValueKey& key);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
