// The planner's one graph: typed values, and nodes whose operators are those of schema/ops.def.
//
// Import turns a model's nodes into these at once (a Gemm becomes matmul, a Relu becomes clip),
// knows every shape, and evaluates what is constant; passes rewrite the graph; layout and
// everything after read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/types.h"
#include "ops/attributes.h"
#include "planner/graph/dims.h"
#include "planner/graph/quantization.h"
#include "planner/graph/unsupported.h"

namespace arenite::planner {

using ValueId = uint32_t;
inline constexpr ValueId kNoValue = 0xffffffffu;

// The integers that a model stores for the bias of a quantized product, beside the float32 numbers
// that they stand for: an integer product adds these, not what the numbers round to. Their type is
// that of the model's sums of int16: int32 sums wrap.
struct StoredBias {
  std::vector<int64_t> integers;  // one, or one for each output
  Quantization quantization;      // that of the sums
};

struct Value {
  std::string name;  // the model's, or derived from it; unique
  DType dtype = DType::kNone;
  Dims dims;  // logical, in the model's order; rank <= 8
  // Row-major elements of a constant; null for what is computed at run time.
  std::shared_ptr<const std::vector<std::byte>> constant = {};
  // The model's names of dims that it left open, "" for the others; or empty.
  std::vector<std::string> symbols = {};
  std::optional<Quantization> quantization = {};
  // Present if the value is such a bias. It stays with the value whatever makes it, or names it.
  std::shared_ptr<const StoredBias> stored_bias = {};
  // Its float32 numbers were 16-bit floats in the model, or may be: a device may keep them so.
  bool half_will_do = false;

  // The most that it can have; a constant has as many.
  uint64_t elements() const { return static_cast<uint64_t>(bound(product(dims))); }
  uint64_t dense_bytes() const { return elements() * element_bytes(dtype); }
};

// One operator. Its operands have the model's logical dims (numpy broadcasting for add, mul, div
// and matmul; conv of rank 3 or 4; pools of rank 3 to 5; bias forms as in ops/attributes.h):
// planner/graph/operands.h turns them into the kernel's form.
struct Node {
  Op op{};
  std::vector<ValueId> inputs;   // kNoValue where left out
  std::vector<ValueId> outputs;  // kNoValue where left out
  std::vector<uint32_t>
      attributes;  // words of the op's struct in ops/attributes.h; transpose: the permutation
  std::vector<std::string>
      sources;  // names of the model's nodes it stands for (op type and index when unnamed)
  // A slice that begins elsewhere for other numbers of symbols. Of a constant it is a step, not a
  // view: where operands lie in constants is fixed.
  bool slides = false;

  bool has_input(size_t i) const { return i < inputs.size() && inputs[i] != kNoValue; }

  template <typename T>
  T attributes_as() const {
    T result;
    if (attributes.size() * 4 != sizeof(T)) throw std::logic_error("attribute size");
    std::memcpy(&result, attributes.data(), sizeof(T));
    return result;
  }
  template <typename T>
  void set_attributes(const T& from) {
    static_assert(sizeof(T) % 4 == 0);
    attributes.resize(sizeof(T) / 4);
    std::memcpy(attributes.data(), &from, sizeof(T));
  }
};

// Counts of the steps of a quantized model, after the passes.
struct QuantizedSteps {
  // Why nodes were left to numbers, by each source and what it then did.
  std::map<std::pair<std::string, Op>, std::string> refusals;
  uint32_t integers = 0;             // nodes that compute with integers
  uint32_t floats = 0;               // nodes between quantized values that compute with numbers
  std::vector<std::string> reasons;  // of those: how many, which operator, why
};

// An input that begins each run with the elements that an output had at the end of the run before.
// Both have the same type and dims.
struct GraphState {
  uint32_t input = 0;   // of Graph::inputs
  uint32_t output = 0;  // of Graph::outputs; kNoIndex: the method reads what others set
  // Row-major elements before the first run; null: zeros.
  std::shared_ptr<const std::vector<std::byte>> initial = {};
  // Methods whose states have the same name here share one; empty: it is the method's own.
  std::string shared = {};
};

// Only the first rows of an output, along `axis`, hold results: as many as the first element of
// another output, an int64, says. Readers leave those behind alone.
struct OutputCount {
  uint32_t output = 0, axis = 0;
  uint32_t count = 0;  // of Graph::outputs too
};

// Says when products and the softmax between them become attention.
enum class AttentionFusion : uint8_t { kWhereSmaller, kAlways, kNever };

struct Graph {
  std::string name;
  std::vector<Value> values;
  std::vector<Node> nodes;  // in an order that respects data flow
  std::vector<ValueId> inputs, outputs;
  // Callers know inputs and outputs by these names; empty where they are the values' own.
  std::vector<std::string> input_names = {}, output_names = {};
  std::vector<GraphState> states = {};  // by rising input
  std::vector<OutputCount> output_counts = {};
  std::optional<QuantizedSteps> quantized_steps = {};
  AttentionFusion attention_fusion = AttentionFusion::kWhereSmaller;
  std::vector<std::string> notes;  // for the user: "input x: dimension N set to 1"

  // The name that callers know an input or output by.
  const std::string& input_name(size_t i) const {
    return input_names.empty() ? values[inputs[i]].name : input_names[i];
  }
  const std::string& output_name(size_t i) const {
    return output_names.empty() ? values[outputs[i]].name : output_names[i];
  }
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
