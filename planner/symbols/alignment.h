// Lists the words of a schedule that other dims change, in the order of another schedule that has
// the same steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/steps/lower/constants.h"
#include "planner/steps/schedule/schedule.h"
#include "planner/steps/schedule/symbolic.h"

namespace arenite::planner {

// The words of a schedule's storages and steps that may follow from symbols: shapes, offsets in
// bytes in the arenas where base's storages lie, attributes. kAnyResult for strides of dims of 1.
//
// `base`: the schedule for the most that symbols can be, with the same steps and their scratch
// memory, which `schedule` has not got if it runs on the CPU alone. What a step reads of a constant
// is read of base's: of its first elements, say. Throws InputError where the schedule has other
// steps than base, or `in_range` needs more memory: what differs.
std::vector<int64_t> words_of(const Schedule& schedule, const Schedule& base, bool in_range,
                              const ConstantPool& pool);

// For each word of a schedule whose expressions are listed in the order of words_of: an index, or
// kFixedWord.
SymbolicSchedule symbolic_of(const Schedule& base, const std::vector<uint32_t>& expressions);

// Names the part of the schedule that a word of words_of belongs to, for people.
std::string word_text(const Schedule& base, size_t word);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
