// Two targets of one board, each of which was planned as if it had the board alone.
#include "small_a.h"
#include "small_b.h"

static small_a::Instance first;
static small_b::Instance second;

int main() { return small_a::load(first).ok() && small_b::load(second).ok() ? 0 : 1; }
// SPDX-License-Identifier: Apache-2.0
