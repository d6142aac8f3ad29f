// Adds up the lives of a variant's values, and takes off what they share with those below them.
#include "tools/run/live_bytes.h"

#include <algorithm>

namespace arenite::tools {
namespace {

// A value's bytes in its arena.
struct Extent {
  uint32_t begin = 0, end = 0;
};

uint64_t union_bytes(std::vector<Extent>& extents) {
  std::ranges::sort(extents, {}, &Extent::begin);
  uint64_t bytes = 0;
  uint32_t end = 0;
  for (const Extent& one : extents) {
    if (one.end <= end) continue;
    bytes += one.end - std::max(one.begin, end);
    end = one.end;
  }
  return bytes;
}

}  // namespace

std::vector<LiveBytes> live_bytes(const ProgramFile& file, uint32_t method, uint32_t variant) {
  const Program& program = file.program();
  const format::VariantRecord& record =
      program.variants()[program.methods()[method].variant_first + variant];
  const auto arenas = program.arenas_of(record);
  const size_t steps = program.steps_of(record).size();
  std::vector<LiveBytes> live;
  for (size_t a = 0; a < arenas.size(); ++a) {
    // The values by the step that they are born in.
    std::vector<std::vector<const format::ValueRecord*>> born(steps);
    bool any = false;
    for (const format::ValueRecord& value : program.values_of(record)) {
      if (!format::owns_bytes(value) || value.place != a || value.first_step >= steps) continue;
      born[value.first_step].push_back(&value);
      any = true;
    }
    if (!any) continue;
    LiveBytes one{std::string(program.string(arenas[a].name_offset, arenas[a].name_bytes)),
                  std::vector<uint64_t>(steps)};
    std::vector<const format::ValueRecord*> here;
    for (size_t s = 0; s < steps; ++s) {
      std::erase_if(here, [s](const format::ValueRecord* value) { return value->last_step < s; });
      here.insert(here.end(), born[s].begin(), born[s].end());
      std::vector<Extent> extents;
      for (const format::ValueRecord* value : here) {
        extents.push_back({value->offset, value->offset + value->bytes});
      }
      one.by_step[s] = union_bytes(extents);
    }
    live.push_back(std::move(one));
  }
  return live;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
