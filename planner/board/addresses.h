// Refuses a board whose memories share addresses, or pass the last address that its CPU has.
#pragma once

#include <string>

#include "planner/board/board.h"

namespace arenite::planner {

// Memories whose base is not given are not looked at. All arenas may be in use while any image
// runs, so none shares an address with another or with a program memory; two program memories may
// where they serve different images. Throws InputError, beginning with `file_name`, that names both
// and the addresses.
void check_addresses(const Board& board, const std::string& file_name);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
