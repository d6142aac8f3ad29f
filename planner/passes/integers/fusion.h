// The fusions of quantized steps ask a graph by this class, and put an integer step in the place of
// a quantize node by it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/graph/graph.h"
#include "planner/passes/integers/numbers.h"
#include "planner/passes/integers/scale.h"

namespace arenite::planner::quantize {

// Integers, and the numbers they stand for.
struct Operand {
  ValueId integers = kNoValue;
  Quantization quantization;
};

// The same where one scale is for all.
struct ScaledOperand {
  ValueId integers = kNoValue;
  Scaled scale;
};

// A quantize node with one scale, and what it quantizes: a number that clips may have changed.
struct Target {
  uint32_t quantize = 0;  // the node
  ValueId number = kNoValue;
  std::vector<uint32_t> clips;  // nodes, the last first
  Wanted wanted;
};

class Fusion {
 public:
  explicit Fusion(Graph& graph);

  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }
  const Value& value(ValueId id) const { return graph_.values[id]; }
  const Node& node(uint32_t n) const { return graph_.nodes[n]; }
  // The node that makes a value; kNoNode where it is an input or a constant.
  uint32_t producer(ValueId id) const;
  // Whether one node alone reads it, and the graph does not give it.
  bool has_one_reader(ValueId id) const;

  // The integers behind a number that a dequantize node makes; nothing for other numbers.
  std::optional<Operand> operand(ValueId number) const;
  std::optional<ScaledOperand> scaled(ValueId number) const;
  // The elements of a constant number, whether or not it is still to be dequantized.
  std::optional<std::vector<float>> numbers(ValueId id) const;

  // The target of a quantize node; nothing where its scale is not one constant.
  std::optional<Target> target(uint32_t quantize) const;

  // The target becomes `node`, which does the work of its clips and of `nodes` too, the last of it
  // first.
  bool fuse(const Target& target, Node node, const std::vector<uint32_t>& nodes);
  // Node n becomes `node`, with its own outputs and the sources of the parts. False where the
  // operator does not take it: then nothing has changed but for constants that nothing reads.
  bool replace(uint32_t n, Node node, const std::vector<uint32_t>& parts);
  // Whether the operator of `made`, which stands for node n, takes what it is given; else it is
  // refused.
  bool is_taken(uint32_t n, const Node& made);
  // Adds a node that is to run before node n.
  void insert_before(uint32_t n, Node node);
  // Why node n stays one of floats.
  bool refuse(uint32_t n, const std::string& why);
  static constexpr const char* kMoreThan32Bits = "its sums may have more than 32 bits";
  const std::map<ValueId, std::string>& refusals() const { return refusals_; }

  // Nodes that nothing reads any more go, when finish() is called; they count as gone.
  void drop_unread();
  bool is_dropped(uint32_t n) const { return dropped_[n]; }
  // Puts inserted nodes in their places.
  void finish();

 private:
  Graph& graph_;
  std::vector<uint32_t> producer_, readers_;
  std::vector<bool> dropped_;
  std::map<uint32_t, std::vector<Node>> inserted_;
  std::map<ValueId, std::string> refusals_;  // by the nodes' first outputs
};

// Each makes the target one integer step, where what makes its number is the fusion's to take; else
// it returns false, and has said why with refuse() where something that it could take stays.
bool fuse_function(Fusion& fusion, const Target& target);
bool fuse_function_of_int16(Fusion& fusion, const Target& target);
bool fuse_product(Fusion& fusion, const Target& target);
bool fuse_pair(Fusion& fusion, const Target& target);
bool fuse_mean(Fusion& fusion, const Target& target);
bool fuse_softmax(Fusion& fusion, const Target& target);
bool fuse_channel_factors(Fusion& fusion, const Target& target);

// A product of quantized operands that nobody quantizes: integer sums, then dequantized. Of node n.
bool fuse_product_of_numbers(Fusion& fusion, uint32_t n);

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
