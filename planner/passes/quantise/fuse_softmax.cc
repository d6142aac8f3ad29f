// Softmax of quantised values, of 8 bits.
#include "planner/passes/quantise/fusion.h"
#include "planner/passes/rewrite.h"

namespace arenite::planner::quantise {

bool fuse_softmax(Fusion& fusion, const Target& target) {
  const uint32_t n = fusion.producer(target.number);
  if (n == kNoNode || fusion.node(n).op != Op::kSoftmax) return false;
  const Node& from = fusion.node(n);
  const std::optional<Operand> x = fusion.operand(from.inputs[0]);
  const std::optional<Scaled> scale = x ? fusion.scaled(*x) : std::optional<Scaled>();
  if (!scale) return fusion.refuse(n, "its input has no one constant scale");
  if (element_bytes(scale->dtype) != 1) return fusion.refuse(n, "its input is not of 8 bits");
  const Wanted& wanted = target.wanted;
  Node node;
  node.op = Op::kQuantizedSoftmax;
  node.inputs = {x->integers};
  QuantizedSoftmaxAttributes attributes = {};
  attributes.axes = from.attributes_as<SoftmaxAttributes>().axes;
  attributes.output = requantisation(wanted);
  if (wanted.is_tflite()) {
    const auto numbers = tflite::softmax_scale(scale->scale, 1.0f);
    if (!numbers) return fusion.refuse(n, "its scale is too small");
    attributes.multiplier = numbers->input.multiplier;
    attributes.shift = numbers->input.shift;
    attributes.diff_min = numbers->difference_min;
  } else {
    uint64_t count = 1;
    const std::vector<uint32_t>& dims = fusion.value(x->integers).dims;
    for (size_t d = 0; d < dims.size(); ++d) {
      if ((attributes.axes >> d & 1u) != 0) count *= dims[d];
    }
    const std::vector<uint32_t> table =
        half_even::softmax_table(scale->scale, wanted.y.scale, count);
    node.inputs.push_back(add_words(fusion.graph(), "table", {2, 256}, table));
  }
  node.set_attributes(attributes);
  std::vector<uint32_t> parts = target.parts;
  parts.push_back(n);
  return fusion.replace(target.quantize, std::move(node), parts);
}

}  // namespace arenite::planner::quantise
// SPDX-License-Identifier: Apache-2.0
