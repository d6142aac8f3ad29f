// Quantized models run on integers: operators of floats between dequantize and quantize become
// operators of integers.
//
//   1. integers move in place of the numbers they stand for, and equal scales cancel;
//   2. each quantize becomes one integer step with what makes its number;
//   3. products that nobody quantizes become integer sums that are dequantized;
//   4. integer steps that are together a function of one value of 8 bits become one table;
//   5. why nodes stay steps of floats is kept, until optimize() counts them.
#include "planner/passes/integers/fuse_quantization.h"

#include <algorithm>

#include "planner/graph/simplify.h"
#include "planner/passes/integers/fusion.h"
#include "planner/passes/integers/steps.h"

namespace arenite::planner {
namespace quantize {
namespace {

constexpr bool (*kFusions[])(Fusion& fusion, const Target& target) = {
    fuse_function, fuse_function_of_int16, fuse_product,        fuse_pair,
    fuse_mean,     fuse_softmax,           fuse_channel_factors};

bool is_quantized(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), is_scaling);
}

void fuse_all(Graph& graph) {
  if (!is_quantized(graph)) return;
  remove_identities(graph);
  merge_equal_scales(graph);
  sink_dequantize(graph);
  raise_quantize(graph);
  merge_equal_scales(graph);
  cancel_scales(graph);
  compute_constants(graph, true);
  Fusion fusion(graph);
  const auto count = static_cast<uint32_t>(graph.nodes.size());
  for (uint32_t n = 0; n < count; ++n) {
    if (graph.nodes[n].op != Op::kQuantize) continue;
    const std::optional<Target> target = fusion.target(n);
    for (const auto fuse : kFusions) {
      if (target && fuse(fusion, *target)) break;
    }
  }
  fusion.drop_unread();
  for (uint32_t n = 0; n < count; ++n) fuse_product_of_numbers(fusion, n);
  fusion.finish();
  merge_lookups(graph);
  graph.quantized_steps = QuantizedSteps{};
  for (const Node& node : graph.nodes) {
    const auto refusal = fusion.refusals().find(node.outputs[0]);
    if (refusal == fusion.refusals().end()) continue;
    for (const std::string& source : node.sources) {
      graph.quantized_steps->refusals[{source, node.op}] = refusal->second;
    }
  }
}

}  // namespace
}  // namespace quantize

void fuse_quantization(Graph& graph) { quantize::fuse_all(graph); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
