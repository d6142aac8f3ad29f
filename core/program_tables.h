// Finds the tables of a plan message in place.
#pragma once

#include <cstddef>
#include <span>

#include "core/program.h"

namespace arenite {

// Decodes the message `plan` (4-aligned) and fills `tables` by field number, from kFirstTable on,
// with pointers into `plan`. Errors: kBadPlan; kBadTable (value = the field number) for a table
// that is given twice, not packed, misaligned or not a whole number of records.
Status find_tables(std::span<const std::byte> plan,
                   std::span<TableView, format::kTableSlots> tables);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
