// The vectors that cases are made of.
#include "tests/ops/cases.h"

ARENITE_CASE_VECTORS(template)
// SPDX-License-Identifier: Apache-2.0
