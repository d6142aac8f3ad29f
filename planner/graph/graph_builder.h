// Builds the graph of a model for every front end: checks names, types and shapes, computes
// constants at once, keeps notes and the list of all obstacles.
//
// A front end adds the model's inputs and constants, then its nodes in an order that respects data
// flow, and at last names the outputs. It decides itself how its values are called and how it reads
// attributes (planner/import/model/op_context.h for ONNX).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "planner/graph/counts.h"
#include "planner/graph/folding_budget.h"
#include "planner/graph/graph.h"
#include "planner/graph/obstacles.h"
#include "planner/graph/sizes.h"

namespace arenite::planner {

// An output as the model declares it.
struct DeclaredOutput {
  std::string name;
  DType dtype = DType::kNone;  // kNone: the model does not say
  // Dims at or below 0 may be anything; nothing: the model does not say.
  std::optional<std::vector<int64_t>> dims;
  ValueId value = kNoValue;  // what the graph gives; kNoValue: nothing makes it
};

class GraphBuilder {
 public:
  const Graph& graph() const { return graph_; }
  const Value& value(ValueId id) const { return graph_.values[id]; }
  void set_name(const std::string& name) { graph_.name = name; }

  // --- Names. The model's own are reserved first, so that none made up meets one to come.
  void reserve_name(const std::string& name) { taken_.insert(name); }
  // A name no value has or will have: `wanted`, or it with a number appended.
  std::string unique_name(const std::string& wanted);

  // --- Values, with exactly this name. Throws InputError for dims that no tensor has.
  ValueId add_value(const std::string& name, DType dtype, const Dims& dims);
  ValueId add_input(const std::string& name, DType dtype, const Dims& dims);
  // Another name, which must be free.
  void rename(ValueId id, const std::string& name) { graph_.values[id].name = name; }
  // Makes a value constant. Throws InputError where the bytes are not as many as it has.
  void set_constant(ValueId id, std::vector<std::byte> bytes);
  // The numbers that its integers stand for.
  void set_quantization(ValueId id, Quantization quantization);
  // The integers that the model stores for these numbers.
  void set_stored_bias(ValueId id, StoredBias bias);
  // The model's names of its dims, "" where it has none.
  void set_symbols(ValueId id, std::vector<std::string> symbols);
  // A dim that each run decides: `value`, one element of int64, counts the rows that hold results,
  // of `most`. Steps compute all rows; those behind hold anything (planner/graph/counts.h).
  Dim add_count(ValueId value, int64_t most);
  bool has_counts() const { return !counts_.empty(); }
  // The value, one element of int64, of so many times a count.
  ValueId count_value(const Multiple& multiple);
  // The dims that the elements of a value stand for, as Shape's do; nothing where they are others.
  std::optional<Dims> sizes(ValueId id) const;
  // Says that the rows of a value that hold no results hold what does no harm to the node that
  // reads it.
  void set_filled(ValueId id) { rows_.filled.insert(id); }
  // Whether indices point to something in these rows too.
  bool are_places(ValueId id) const;
  // Counts a value among the constants that import computes. Throws InputError where they grow too
  // large.
  void count_constant(ValueId id) { budget_.count_bytes(value(id).dense_bytes()); }
  // Throws InputError if so many more bytes of constants, the product of the factors, would be too
  // many. Call it before making such a constant.
  void expect_room(std::initializer_list<uint64_t> factors) const { budget_.check_room(factors); }
  // The size of the model's file, which limits how much may be computed.
  void set_file_bytes(uint64_t bytes) { budget_.set_file_bytes(bytes); }

  // --- Nodes. Adds a node, or computes it at once if all its inputs are constant; one without any
  // element to compute leaves empty constants. A `dequantize` of constant integers waits, and so
  // does all that follows from it: passes want to see the integers. Returns "", or the reason why
  // no kernel takes the node; its results are known all the same. Throws InputError for
  // contradictions, UnsupportedError if constants cannot be computed, or rows without results would
  // reach those with results. A node on 16-bit floats whose operator takes none becomes one on
  // float32 between casts.
  std::string add_node(Node node);
  // Whether a value is constant; one that waits is computed now.
  bool is_constant(ValueId id);

  // --- Messages for the user.
  void note(std::string text) { graph_.notes.push_back(std::move(text)); }
  void add_obstacle(Obstacle obstacle) { obstacles_.push_back(std::move(obstacle)); }
  // An input whose shape the user has to give.
  void want_shape(Obstacle input) { shapes_wanted_.push_back(std::move(input)); }

  // Returns the graph, once all nodes have been added. An output that is known while planning, is
  // an input, or is listed twice becomes a copy; an output of another shape than declared is noted.
  // The counts of outputs' dims become outputs behind the model's own, and all dims numbers.
  // Throws ObstaclesError with all obstacles; InputError if only shapes are missing, or if an
  // output is not what it is declared to be.
  Graph finish(const std::vector<DeclaredOutput>& outputs);

 private:
  void check_whole() const;
  void count_work(const Node& node);
  void evaluate_now(const Node& node);
  bool waits(const Node& node) const;
  void settle(ValueId id);
  std::string add_in_float32(Node node);
  ValueId as_float32(ValueId id, const Node& reader);
  ValueId written(const DeclaredOutput& output, const std::set<ValueId>& used);
  void note_other_shape(const DeclaredOutput& output, ValueId id);
  void put_out(const DeclaredOutput& output, std::set<ValueId>& used);
  void put_out_counts(std::set<ValueId>& used);

  Graph graph_;
  std::set<std::string> taken_;
  std::unordered_map<std::string, uint32_t> repeats_;  // how often unique_name met a taken name
  std::unordered_map<ValueId, ValueId> as_float32_;    // casts made of 16-bit floats
  std::unordered_map<ValueId, uint32_t> waiting_;      // the nodes of what could be computed now
  std::vector<ValueId> counts_;                        // by Multiple::count
  struct CountedElements {
    Multiple multiple;
    ValueId value;
  };
  std::vector<CountedElements> multiples_;   // those of more than one element a count
  std::unordered_map<ValueId, Dims> sizes_;  // that are no constants
  RowFacts rows_;
  std::vector<Obstacle> obstacles_, shapes_wanted_;
  FoldingBudget budget_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
