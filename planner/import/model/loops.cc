// Compares the loops that the option names with those that the model has.
#include "planner/import/model/loops.h"

#include <vector>

#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "support/suggest.h"

namespace arenite::planner {

void check_max_trips(const ImportOptions& options, const std::set<std::string>& loops) {
  for (const auto& [name, trips] : options.max_trips) {
    if (loops.contains(name)) continue;
    const std::vector<std::string> known(loops.begin(), loops.end());
    throw InputError("--max-trips names " + quote(name) + ", but each run decides the trips of " +
                     (known.empty() ? "no loop" : listed(known)) + did_you_mean(name, known));
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
