// The steps of the pass fuse_quantization, one file each, in the order in which it takes them.
#pragma once

#include "planner/graph/graph.h"

namespace arenite::planner::quantize {

// Nodes that quantize, or dequantize, the same value in the same way become one.
void merge_equal_scales(Graph& graph);

// Integers move in place of the numbers they stand for: dequantize goes behind nodes that only move
// elements, quantize before them.
void sink_dequantize(Graph& graph);
void raise_quantize(Graph& graph);

// Removes dequantize and quantize nodes that follow each other with the same scaling.
void cancel_scales(Graph& graph);

// Integer steps that follow each other, and give a function of one value of 8 bits, become one
// table: x times a function of x, for instance. Each result between them has one reader.
void merge_lookups(Graph& graph);

// Counts what graph.quantized_steps is to hold, with the reasons from its refusals; without either
// kind of step there is none. Of an optimized graph.
void count_float_steps(Graph& graph);

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
