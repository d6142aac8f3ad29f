// Walks through births with each arena's live values by their end: the highest below is the one.
#include "planner/program/certificate.h"

#include <map>
#include <queue>

#include "core/status.h"

namespace arenite::planner {
namespace {

// The values of one arena that live at the step the sweep has reached.
struct LiveValues {
  std::map<uint64_t, uint32_t> by_end;          // offset + bytes -> value
  using Death = std::pair<uint32_t, uint64_t>;  // last moment, end
  std::priority_queue<Death, std::vector<Death>, std::greater<>> deaths;

  void forget_before(uint32_t birth) {
    while (!deaths.empty() && deaths.top().first < birth) {
      by_end.erase(deaths.top().second);
      deaths.pop();
    }
  }
};

}  // namespace

uint32_t birth_of(const format::ValueRecord& value, bool is_input) {
  return is_input ? 0 : value.first_step + 1;
}

void certify(std::vector<format::ValueRecord>& values, const std::vector<bool>& is_input) {
  std::map<uint32_t, LiveValues> arenas;
  for (uint32_t i = 0; i < values.size(); ++i) {
    format::ValueRecord& v = values[i];
    if (!format::owns_bytes(v)) continue;
    v.below_or_root = kNoIndex;
    if (v.bytes == 0) continue;
    LiveValues& live = arenas[v.place];
    live.forget_before(birth_of(v, is_input[i]));
    const auto above = live.by_end.upper_bound(v.offset);
    if (above != live.by_end.begin()) v.below_or_root = std::prev(above)->second;
    const uint64_t end = uint64_t{v.offset} + v.bytes;
    live.by_end.emplace(end, i);
    live.deaths.emplace(v.last_step + 1 - v.yields, end);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
