// The list of passes, and the loop that runs them.
#include "planner/passes/passes.h"

#include <algorithm>
#include <iterator>

#include "core/assert.h"
#include "planner/graph/names.h"
#include "planner/graph/own_sources.h"
#include "planner/graph/whole.h"
#include "planner/passes/integers/steps.h"

namespace arenite::planner {
namespace {

void fold_constants(Graph& graph) { compute_constants(graph, false); }

constexpr Pass kPasses[] = {
    {"keep_float32", "16-bit floats stay float32 between operators that compute in it",
     keep_float32},
    {"fuse_quantization", "what lies between dequantize and quantize computes with integers",
     fuse_quantization},
    {"fold_constants", "what constant integers stand for is computed", fold_constants},
    {"fuse_transposes", "transposes of transposes become one or none", fuse_transposes},
    {"remove_identities", "nodes that change nothing go", remove_identities},
    {"fuse_normalization", "mean, differences and division become one normalization",
     fuse_normalization},
    {"fuse_gelu", "gelu, swish and their kin in several nodes become one", fuse_gelu},
    {"fuse_attention", "products of queries, keys and values become one attention", fuse_attention},
    {"fuse_padding", "zero padding becomes the convolution's own", fuse_padding},
    {"fuse_batch_normalization", "factors and terms a channel become weights and bias",
     fuse_batch_normalization},
    {"fuse_matmul_bias", "an added constant becomes the product's third operand", fuse_matmul_bias},
    {"fuse_activation", "clips and sigmoids become the last step of their producers",
     fuse_activation},
    {"dead_code", "what nothing reads goes", dead_code},
};

}  // namespace

std::span<const Pass> all_passes() { return kPasses; }

void optimize(Graph& graph, std::span<const std::string> disabled) {
  ARENITE_ASSERT(is_whole(graph));
  for (const Pass& pass : kPasses) {
    if (std::find(disabled.begin(), disabled.end(), pass.name) == disabled.end()) pass.run(graph);
  }
  quantize::count_float_steps(graph);
  keep_own_sources(graph);
}

void optimize(Graph& graph) { optimize(graph, {}); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
