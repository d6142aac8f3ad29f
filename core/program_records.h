// Checks that no record of a program points outside what it refers to, and that values and
// constants lie where they say.
#pragma once

#include "core/program.h"

namespace arenite {

// After it every index, count and offset of every variant can be followed blindly, and each check
// that walks them takes time linear in the file. Each value and constant lies in its arena or
// section with every element that its dims and strides (or panels) can reach, and is aligned to its
// element size. No two elements of a value that owns its bytes share any. A value lives within the
// variant's steps; a view lies inside its root in place and time; an arena of the caller holds one
// value. The meaning of steps is checked at load. Errors (value = the record's index, a constant's
// with kConstantBit): kBadIndex, kBadRange, kBadAlignment, kBadValue, kBadTable.
Status check_records(const Program& program);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
