// Looks up producers and scales, and replaces quantize nodes by integer steps.
#include "planner/passes/integers/fusion.h"

#include <algorithm>

#include "planner/graph/eval.h"
#include "planner/graph/names.h"
#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"

namespace arenite::planner::quantize {

Fusion::Fusion(Graph& graph) : graph_(graph), dropped_(graph.nodes.size(), false) {
  Uses uses = find_uses(graph);
  producer_ = std::move(uses.producer);
  readers_ = std::move(uses.read_count);
}

uint32_t Fusion::producer(ValueId id) const {
  return id == kNoValue || id >= producer_.size() ? kNoNode : producer_[id];
}

bool Fusion::has_one_reader(ValueId id) const {
  const std::vector<ValueId>& outputs = graph_.outputs;
  return id < readers_.size() && readers_[id] == 1 &&
         std::find(outputs.begin(), outputs.end(), id) == outputs.end();
}

std::optional<Operand> Fusion::operand(ValueId number) const {
  const uint32_t n = producer(number);
  if (n == kNoNode || node(n).op != Op::kDequantize) return std::nullopt;
  std::optional<Quantization> quantization = quantization_of(graph_, node(n));
  if (!quantization) return std::nullopt;
  return Operand{node(n).inputs[0], *std::move(quantization)};
}

std::optional<ScaledOperand> Fusion::scaled(ValueId number) const {
  const std::optional<Operand> found = operand(number);
  if (!found || found->quantization.axis) return std::nullopt;
  return ScaledOperand{found->integers, found->quantization.at(0)};
}

std::optional<std::vector<float>> Fusion::numbers(ValueId id) const {
  if (id == kNoValue) return std::nullopt;
  if (value(id).constant != nullptr) {
    if (value(id).dtype != DType::kFloat32) return std::nullopt;
    return float_elements(value(id));
  }
  const uint32_t n = producer(id);
  if (n == kNoNode || node(n).op != Op::kDequantize) return std::nullopt;
  std::vector<std::span<const std::byte>> inputs;
  for (const ValueId input : node(n).inputs) {
    if (input != kNoValue && value(input).constant == nullptr) return std::nullopt;
    inputs.push_back(input == kNoValue ? std::span<const std::byte>()
                                       : std::span<const std::byte>(*value(input).constant));
  }
  const std::vector<std::byte> bytes = compute(graph_, node(n), inputs)[0];
  std::vector<float> elements(bytes.size() / sizeof(float));
  if (!bytes.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

std::optional<Target> Fusion::target(uint32_t quantize) const {
  const Node& last = node(quantize);
  const std::optional<Scaled> y = scaled_of(graph_, last);
  if (!y) return std::nullopt;
  Target target;
  target.quantize = quantize;
  target.wanted = {*y, last.attributes_as<QuantizeAttributes>().rounding};
  target.number = last.inputs[0];
  Wanted& wanted = target.wanted;
  // Clips from the last to the first: each is clipped by those behind it.
  for (uint32_t n = producer(target.number); n != kNoNode; n = producer(target.number)) {
    const auto ask = facts_of(node(n).op).activation;
    const std::optional<Activation> clip = ask == nullptr ? std::nullopt : ask(node(n));
    if (!clip || clip->kind != ActivationKind::kClip || !has_one_reader(target.number)) break;
    const float low = clip->a, high = clip->b;
    const float before = wanted.low;
    wanted.low = std::min(std::max(low, before), wanted.high);
    wanted.high = std::min(std::max(high, before), wanted.high);
    target.clips.push_back(n);
    target.number = node(n).inputs[0];
  }
  return target;
}

bool Fusion::fuse(const Target& target, Node made, const std::vector<uint32_t>& nodes) {
  std::vector<uint32_t> parts = target.clips;
  parts.insert(parts.end(), nodes.begin(), nodes.end());
  return replace(target.quantize, std::move(made), parts);
}

bool Fusion::replace(uint32_t n, Node made, const std::vector<uint32_t>& parts) {
  Node& place = graph_.nodes[n];
  made.outputs = place.outputs;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) append_sources(made, node(*part));
  append_sources(made, place);
  if (!is_taken(parts.empty() ? n : parts.back(), made)) return false;
  place = std::move(made);
  return true;
}

bool Fusion::is_taken(uint32_t n, const Node& made) {
  try {
    check_node(graph_, made);
  } catch (const UnsupportedError& error) {
    return refuse(n, error.what());
  }
  return true;
}

void Fusion::insert_before(uint32_t n, Node node) { inserted_[n].push_back(std::move(node)); }

bool Fusion::refuse(uint32_t n, const std::string& why) {
  refusals_[node(n).outputs[0]] = why;
  return false;
}

void Fusion::drop_unread() {
  std::vector<bool> read(graph_.values.size(), false);
  for (const ValueId id : graph_.outputs) read[id] = true;
  const auto mark = [&](const Node& node) {
    for (const ValueId id : node.inputs) {
      if (id != kNoValue) read[id] = true;
    }
  };
  for (size_t n = graph_.nodes.size(); n-- > 0;) {
    const Node& node = graph_.nodes[n];
    dropped_[n] = std::none_of(node.outputs.begin(), node.outputs.end(),
                               [&](ValueId id) { return id != kNoValue && read[id]; });
    if (dropped_[n]) continue;
    mark(node);
    const auto inserted = inserted_.find(static_cast<uint32_t>(n));
    if (inserted == inserted_.end()) continue;
    for (const Node& before : inserted->second) mark(before);
  }
}

void Fusion::finish() {
  drop_unread();
  std::vector<Node> nodes;
  for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
    if (const auto found = inserted_.find(n); found != inserted_.end()) {
      for (Node& node : found->second) nodes.push_back(std::move(node));
    }
    if (!dropped_[n]) nodes.push_back(std::move(graph_.nodes[n]));
  }
  graph_.nodes = std::move(nodes);
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
