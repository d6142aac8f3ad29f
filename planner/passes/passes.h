// The rewrites of the graph, one file each; optimize() runs them in the order of all_passes().
#pragma once

#include <span>
#include <string>

#include "planner/graph/graph.h"
#include "planner/graph/simplify.h"
#include "planner/passes/integers/fuse_quantization.h"

namespace arenite::planner {

struct Pass {
  const char* name;    // of its switch and its file
  const char* effect;  // one line for --help and reports
  void (*run)(Graph& graph);
};

std::span<const Pass> all_passes();

// Every pass keeps what the graph computes up to rounding, the ids of graph inputs and outputs in
// order, and the names of values that remain; a node that takes another's work takes its sources.

// Values that were rounded to a 16-bit float and widened again stay float32, and so do nodes
// between.
void keep_float32(Graph& graph);

// Transposes of transposes become one, or none; also where elementwise nodes lie between them.
void fuse_transposes(Graph& graph);

// Zeros that Pad puts around a convolution's input become the convolution's own padding.
void fuse_padding(Graph& graph);

// Batch normalization, and constant factors and terms a channel, become weights and bias of the
// convolution or matrix product before them.
void fuse_batch_normalization(Graph& graph);

// Mean, differences and division by the root of their mean square become one normalization, with
// the constants that scale and shift it.
void fuse_normalization(Graph& graph);

// Gelu, swish, hard swish and mish, written as products, sums and one function, become one node.
void fuse_gelu(Graph& graph);

// Two matrix products with a softmax between become one attention, with their scale and causal
// mask.
void fuse_attention(Graph& graph);

// A constant added to a matrix product becomes its third operand.
void fuse_matmul_bias(Graph& graph);

// Clip, hard sigmoid and sigmoid become the last step of the node before them.
void fuse_activation(Graph& graph);

// Nodes, optional outputs and values that nothing reads go.
void dead_code(Graph& graph);

// The graph passes in order: identities and dead code out, batch normalization and constant
// scale/shift into convolutions, padding into convolutions, activations into their producers.
void optimize(Graph& graph);

// The same without the passes named, which switches_of() found to be passes.
void optimize(Graph& graph, std::span<const std::string> disabled);

// Converts the constant weights of convolutions and matrix products, of a graph that has been
// optimized, to float32, float16 or bfloat16; they are widened as they are read. Throws InputError
// where a weight is too large for the type.
void store_weights(Graph& graph, DType type);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
