// Compares the constants of the most with those of one less, and pieces tables together.
#include "planner/symbols/sliding_constants.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "planner/graph/names.h"
#include "planner/graph/operands.h"
#include "planner/graph/rewrite.h"
#include "planner/graph/strides.h"

namespace arenite::planner {
namespace {

// Each is a graph that is made.
constexpr uint32_t kNumbersMax = 1024;
// Numbers beyond the most, which samples of short ranges need, of this symbol or another.
constexpr uint32_t kBeyond = 12;
constexpr uint32_t kShortRange = 8;
constexpr uint64_t kTableBytesMax = uint64_t{64} << 20;

// A constant that is a window of a table.
struct Sliding {
  std::string name;
  DType dtype{};
  size_t symbol = 0, axis = 0;
  uint32_t first = 0;  // the symbol's number for which the window begins the table
  std::vector<uint32_t> dims;
  std::vector<std::byte> table;
  std::vector<bool> known;  // by element
};

const Value* find_constant(const Graph& graph, const std::string& name) {
  const auto found = std::ranges::find(graph.values, name, &Value::name);
  return found != graph.values.end() && found->constant != nullptr ? &*found : nullptr;
}

// A window of some dims in a table of others, that begins so far along an axis.
Strided window(const std::vector<uint32_t>& dims, const std::vector<uint32_t>& table, size_t axis,
               uint32_t begin) {
  Strided form = row_major(table);
  form.dims = dims;
  form.offset = uint64_t{begin} * form.strides[axis];
  return form;
}

// Whether elements of `less` are those of `most` that lie `by` before them along an axis, where
// both have such.
bool same_elements(const Value& less, const Value& most, size_t axis, uint32_t by) {
  const std::vector<uint32_t> ours = bounds(less.dims), theirs = bounds(most.dims);
  std::vector<uint32_t> dims = ours;
  for (size_t d = 0; d < dims.size(); ++d) dims[d] = std::min(dims[d], theirs[d]);
  dims[axis] -= std::min(dims[axis], by);
  const size_t bytes = element_bytes(less.dtype);
  bool same = true;
  for_each_element(window(dims, ours, axis, by), window(dims, theirs, axis, 0),
                   [&](uint64_t at, uint64_t from) {
                     same = same && std::memcmp(less.constant->data() + at * bytes,
                                                most.constant->data() + from * bytes, bytes) == 0;
                   });
  return same;
}

// The axis along which a constant of the most may lie one further than that of one less; nothing
// where it is the same, or no window that moves.
std::optional<size_t> sliding_axis(const Value& less, const Value& most) {
  if (less.dtype != most.dtype || less.dims.size() != most.dims.size() || most.dims.empty() ||
      same_elements(less, most, 0, 0)) {
    return std::nullopt;
  }
  const std::vector<uint32_t> dims = bounds(most.dims), other = bounds(less.dims);
  std::optional<size_t> found;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] != other[axis] || !same_elements(less, most, axis, 1)) continue;
    // Windows of one element can move along any axis; those that overlap tell more.
    if (dims[axis] > 1) return axis;
    if (!found) found = axis;
  }
  return found;
}

std::set<std::string> read_constants(const Graph& graph) {
  std::set<std::string> names;
  for (const Node& node : graph.nodes) {
    for (const ValueId v : node.inputs) {
      if (v != kNoValue && graph.values[v].constant != nullptr) names.insert(graph.values[v].name);
    }
  }
  return names;
}

class Slider {
 public:
  explicit Slider(NamedGraph& named) : named_(named) {
    for (const Symbol& symbol : named.symbols) most_.push_back(symbol.most);
  }

  std::vector<Sliding> run() {
    for (size_t s = 0; s < named_.symbols.size(); ++s) find_along(s);
    return std::move(found_);
  }

 private:
  // Nothing where the model cannot have these numbers; the samples tell why.
  std::optional<Graph> graph_at(size_t symbol, uint32_t number) const {
    SymbolNumbers numbers = most_;
    numbers[symbol] = number;
    try {
      return named_.graph_at(numbers);
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }

  void find_along(size_t s) {
    const Symbol& symbol = named_.symbols[s];
    if (symbol.most == symbol.least) return;
    const std::optional<Graph> less = graph_at(s, symbol.most - 1);
    if (!less) return;
    std::vector<Sliding> sliding;
    for (const std::string& name : read_constants(named_.graph)) {
      const Value* most = find_constant(named_.graph, name);
      const Value* one_less = find_constant(*less, name);
      const bool is_found = std::ranges::find(found_, name, &Sliding::name) != found_.end();
      if (one_less == nullptr || is_found) continue;
      const std::optional<size_t> axis = sliding_axis(*one_less, *most);
      if (axis) sliding.push_back({name, most->dtype, s, *axis, symbol.least, {}, {}, {}});
    }
    if (sliding.empty() || symbol.most - symbol.least >= kNumbersMax) return;
    piece_together(s, sliding);
    std::ranges::move(sliding, std::back_inserter(found_));
  }

  // Fills the tables from the graphs of all numbers, and drops what is no window after all.
  void piece_together(size_t s, std::vector<Sliding>& sliding) const {
    const Symbol& symbol = named_.symbols[s];
    const bool is_short = std::ranges::any_of(
        named_.symbols, [](const Symbol& one) { return one.most - one.least < kShortRange; });
    const uint32_t last = symbol.most + (is_short ? kBeyond : 0);
    std::erase_if(sliding, [&](Sliding& one) {
      one.dims = bounds(find_constant(named_.graph, one.name)->dims);
      // Other axes may be longer beyond the most.
      one.dims[one.axis] += symbol.most - symbol.least;
      const uint64_t count = element_count(one.dims);
      if (count * element_bytes(one.dtype) > kTableBytesMax) return true;
      one.known.resize(count);
      one.table.resize(count * element_bytes(one.dtype));
      return false;
    });
    for (uint32_t number = symbol.least; number <= last && !sliding.empty(); ++number) {
      const std::optional<Graph> graph = graph_at(s, number);
      if (!graph && number > symbol.most) return;
      std::erase_if(sliding, [&](Sliding& one) {
        const Value* value = graph ? find_constant(*graph, one.name) : nullptr;
        return value == nullptr || !add_window(one, *value, number - symbol.least);
      });
    }
  }

  // False where the window has other elements than the table.
  static bool add_window(Sliding& one, const Value& value, uint32_t begin) {
    std::vector<uint32_t> dims = bounds(value.dims);
    if (value.dtype != one.dtype || dims.size() != one.dims.size()) return false;
    dims[one.axis] += begin;
    grow(one, dims);
    const size_t bytes = element_bytes(one.dtype);
    bool same = true;
    const std::vector<uint32_t> own = bounds(value.dims);
    for_each_element(row_major(own), window(own, one.dims, one.axis, begin),
                     [&](uint64_t from, uint64_t to) {
                       const std::byte* element = value.constant->data() + from * bytes;
                       std::byte* stored = one.table.data() + to * bytes;
                       if (!one.known[to]) std::memcpy(stored, element, bytes);
                       same = same && std::memcmp(stored, element, bytes) == 0;
                       one.known[to] = true;
                     });
    return same;
  }

  // Makes room for such dims.
  static void grow(Sliding& one, const std::vector<uint32_t>& dims) {
    std::vector<uint32_t> larger = one.dims;
    for (size_t d = 0; d < dims.size(); ++d) larger[d] = std::max(larger[d], dims[d]);
    if (larger == one.dims) return;
    const size_t bytes = element_bytes(one.dtype);
    std::vector<std::byte> table(element_count(larger) * bytes);
    std::vector<bool> known(element_count(larger));
    for_each_element(row_major(one.dims), window(one.dims, larger, one.axis, 0),
                     [&](uint64_t from, uint64_t to) {
                       std::memcpy(table.data() + to * bytes, one.table.data() + from * bytes,
                                   bytes);
                       known[to] = one.known[from];
                     });
    one.dims = std::move(larger);
    one.table = std::move(table);
    one.known = std::move(known);
  }

  NamedGraph& named_;
  SymbolNumbers most_;
  std::vector<Sliding> found_;
};

// Makes the constant a slice of its table. Throws InputError where it is none.
void slide(Graph& graph, const Sliding& one, const SymbolNumbers& numbers) {
  const Value* found = find_constant(graph, one.name);
  if (found == nullptr) return;
  const uint32_t begin = numbers[one.symbol] - one.first;
  const std::vector<uint32_t> dims = bounds(found->dims);
  bool same = numbers[one.symbol] >= one.first && dims.size() == one.dims.size();
  for (size_t d = 0; d < dims.size() && same; ++d) {
    same = dims[d] + (d == one.axis ? begin : 0) <= one.dims[d];
  }
  if (same) {
    const size_t bytes = element_bytes(one.dtype);
    for_each_element(
        row_major(dims), window(dims, one.dims, one.axis, begin), [&](uint64_t from, uint64_t to) {
          same = same && std::memcmp(one.table.data() + to * bytes,
                                     found->constant->data() + from * bytes, bytes) == 0;
        });
  }
  if (!same) {
    throw InputError("constant " + quote(one.name) + " would have elements that do not follow");
  }
  const auto value = static_cast<ValueId>(found - graph.values.data());
  const ValueId table =
      add_constant(graph, one.name, one.dtype, Dims(one.dims.begin(), one.dims.end()), one.table);
  graph.values[value].constant = nullptr;
  SliceAttributes attributes{};
  for (size_t d = 0; d < dims.size(); ++d) attributes.step[d] = 1;
  attributes.start[one.axis] = static_cast<int32_t>(begin);
  Node node;
  node.op = Op::kSlice;
  node.inputs = {table};
  node.outputs = {value};
  node.sources = {one.name};
  node.slides = true;
  node.set_attributes(attributes);
  graph.nodes.insert(graph.nodes.begin(), std::move(node));
}

}  // namespace

void slide_constants(NamedGraph& named) {
  if (named.symbols.empty()) return;
  const auto sliding = std::make_shared<const std::vector<Sliding>>(Slider(named).run());
  if (sliding->empty()) return;
  SymbolNumbers most;
  for (const Symbol& symbol : named.symbols) most.push_back(symbol.most);
  for (const Sliding& one : *sliding) slide(named.graph, one, most);
  named.graph_at = [graph_at = std::move(named.graph_at), sliding](const SymbolNumbers& numbers) {
    Graph graph = graph_at(numbers);
    for (const Sliding& one : *sliding) slide(graph, one, numbers);
    return graph;
  };
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
