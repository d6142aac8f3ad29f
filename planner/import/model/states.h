// Ties outputs of imported models to inputs, which then are kept between runs (--state OUT=IN).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "planner/import/model/front_end.h"

namespace arenite::planner {

// Makes each input named in `ties` a state of the methods that have it: it begins at zero, and
// takes what the output of that name held at the end of the run before. Names are those that
// callers know, or the values' own. Dims of an input that are in `chosen` by name may differ from
// the output's: the state grows from run to run. Of one in `shared` the methods may lack the
// output, as those of another model may have it. Throws InputError for names that no method has,
// for one that is a state already, and where both differ in type or other dims.
void tie_states(std::vector<ImportedMethod>& methods,
                const std::map<std::string, std::string>& ties, const std::set<std::string>& chosen,
                const std::set<std::string>& shared);

// Marks the states of inputs of these names as shared by all methods, of other models too, that
// have such an input. A method where it is none becomes one that only reads it.
void share_states(std::vector<ImportedMethod>& methods, const std::set<std::string>& names);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
