// Constants of which a dim that callers choose decides the elements, as the position of a token
// that lies behind a cache of `past` others.
#pragma once

#include "planner/options.h"

namespace arenite::planner {

// Finds constants whose elements are a window of one table, which moves by an element along some
// axis with each number of a symbol: slices of a table of positions, rows of a mask. Each becomes a
// slice of that table, in the graph and in those that graph_at makes, so that where the window
// begins follows from the symbol like any attribute. To see the table, the graph is made for each
// number, up to 1,024 of them.
void slide_constants(NamedGraph& named);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
