// Convolutions and matrix products become integer ones: those that are quantized again, and those
// whose sums go on as numbers.
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/product.h"

namespace arenite::planner::quantize {

bool fuse_product(Fusion& fusion, const Target& target) {
  const uint32_t last = fusion.producer(target.number);
  if (last == kNoNode) return false;
  const std::optional<AddedBias> added = added_bias(fusion, last);
  const uint32_t n = added ? added->product : last;
  std::optional<Product> product = product_of(fusion, n);
  if (!product) return false;
  if (added) product->bias = added->bias;
  if (!fusion.has_one_reader(target.number)) {
    return fusion.refuse(n, "its numbers are read by others too");
  }
  Node node;
  const std::string why = integer_product(fusion, *product, &target.wanted, node);
  if (!why.empty()) return fusion.refuse(n, why);
  const std::vector<uint32_t> nodes = added ? std::vector<uint32_t>{last, n} : std::vector{n};
  return fusion.fuse(target, std::move(node), nodes);
}

// y = dequantize(integer sums), one scale for each output.
bool fuse_product_of_numbers(Fusion& fusion, uint32_t n) {
  if (fusion.is_dropped(n)) return false;
  const std::optional<Product> product = product_of(fusion, n);
  if (!product) return false;
  Node sums;
  const std::string why = integer_product(fusion, *product, nullptr, sums);
  if (!why.empty()) return fusion.refuse(n, why);
  const Value result = fusion.value(fusion.node(n).outputs[0]);
  const size_t rank = result.dims.size();
  const size_t count = product->w.quantization.scales.size();
  Quantization scale = {DType::kInt32, {}, std::vector<int32_t>(count, 0)};
  for (size_t o = 0; o < count; ++o) scale.scales.push_back(static_cast<float>(product->unit(o)));
  if (count > 1) scale.axis = static_cast<uint32_t>(product->is_matrix ? rank - 1 : 1);
  sums.sources = fusion.node(n).sources;
  sums.outputs = {add_value(fusion.graph(), result.name, DType::kInt32, result.dims)};
  Node dequantize;
  dequantize.op = Op::kDequantize;
  dequantize.inputs = {sums.outputs[0], add_scale(fusion.graph(), scale, rank).scale};
  if (!fusion.is_taken(n, sums)) return false;
  if (!fusion.replace(n, std::move(dequantize), {})) return false;
  fusion.insert_before(n, std::move(sums));
  return true;
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
