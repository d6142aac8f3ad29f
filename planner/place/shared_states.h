// States that several methods share: which they are, and where they lie.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "planner/place/place_variants.h"

namespace arenite::planner {

// The methods that share each state, by the state's name. Throws InputError where they disagree
// about its type, dims, scale or first elements, and where none of them sets it.
std::map<std::string, std::vector<std::string>> shared_states(std::span<const NamedGraph> methods);

// The bytes of the states of all methods, each shared one counted once: those of their elements.
uint64_t states_bytes(std::span<const NamedGraph> methods);

// Where states are shared, gives the variants of each board one layout of all states of the
// methods: a shared one lies at the same place in all of them, the others apart. So the arenas of
// states of these variants may be one memory.
void place_shared_states(std::span<const NamedGraph> methods,
                         std::vector<std::vector<PlacedVariant>>& variants);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
