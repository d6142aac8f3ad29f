// Facts of steps and weights that the program file has, and times that somebody measured.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "planner/report/picture/section.h"

namespace arenite::picture {

// Fills the steps' forms and multiply-accumulates and the weights of the sections, which are the
// program's variants in order.
void add_program_facts(std::span<const std::byte> file, std::span<Section> sections);

// Fills costs from what `bench --json`, `run --profile --json` or `target bench --profile --json`
// printed, for the section of its board and device. Throws InputError, which begins with `name`,
// where its steps are not those of any section.
void add_costs(const std::string& json_text, const std::string& name, std::span<Section> sections);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
