// Makes convolutions of single rows of products, where a program has convolutions anyway.
#pragma once

#include <optional>

#include "planner/graph/graph.h"

namespace arenite::planner {

// A product of one row by constant weights is a convolution of one pixel:
//   a [1, K], b [K, N] -> y [1, N]    is    x [1, K, 1, 1], w [N, K, 1, 1] -> y [1, N, 1, 1]
// An image of a program without products links neither their contract nor a form of theirs, 2 KB on
// a Cortex-M4. Returns the graph with such convolutions if each of its products is such a row and
// all together are a small part of the work of convolutions of their types and rounding, whose form
// then computes them, for a few more instructions. Nothing otherwise.
//
// Integers have the same bits. So have floats by forms that add up from the bias on, as those of
// float rows do (portable_fallback/shared/float_rows.h); references end a product with its bias.
// `floats`: the target has such forms.
std::optional<Graph> with_rows_as_pixels(const Graph& graph, bool floats);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
