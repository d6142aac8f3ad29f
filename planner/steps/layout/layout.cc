// Walks nodes in order; starts again whenever a value turns out to be better row-major.
#include "planner/steps/layout/layout.h"

#include <algorithm>

#include "core/assert.h"
#include "core/status.h"
#include "planner/graph/views.h"
#include "planner/graph/whole.h"

namespace arenite::planner {
namespace {

class LayoutPass {
 public:
  LayoutPass(const Graph& graph, const TargetForms& forms)
      : graph_(graph),
        users_(graph.values.size()),
        is_output_(graph.values.size()),
        alignment_(graph.values.size(), 1),
        wants_row_major_(graph.values.size()) {
    for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
      for (const ValueId v : graph.nodes[n].inputs) {
        if (v != kNoValue) users_[v].push_back(n);
      }
    }
    for (const ValueId v : graph.outputs) is_output_[v] = wants_row_major_[v] = true;
    for (uint32_t n = static_cast<uint32_t>(graph.nodes.size()); n-- > 0;) {
      note_alignment(graph.nodes[n], forms);
    }
  }

  LaidGraph run() {
    // Each restart adds a value to wants_row_major_, so there are fewer of them than values.
    while (!pass()) {
    }
    return std::move(laid_);
  }

 private:
  // Facts of a graph value during a pass.
  struct State {
    std::optional<Operand> placed;
    Order order;
    bool boundary_order = false;    // only so because a model input lies so
    uint32_t view_node = kNoIndex;  // the node that made it a view
  };

  LayoutClass kind_of(const Node& node) const { return contract_of(node.op).layout.kind; }

  // The alignment that readers of a view want of its data; the node's inputs may become that data.
  void note_alignment(const Node& node, const TargetForms& forms) {
    const LayoutClass kind = kind_of(node);
    uint32_t alignment = 1;
    if (kind == LayoutClass::kView || kind == LayoutClass::kViewOrFollows) {
      alignment = alignment_[node.outputs[0]];
    }
    if (kind != LayoutClass::kView) {
      const auto types = [&](const std::vector<ValueId>& ids) {
        std::vector<DType> result;
        result.reserve(ids.size());
        for (const ValueId v : ids) {
          result.push_back(v == kNoValue ? DType::kNone : graph_.values[v].dtype);
        }
        return result;
      };
      const DType type = type_of(contract_of(node.op), types(node.inputs), types(node.outputs));
      alignment = std::max(alignment, planner::likely_forms(forms, node.op, type).alignment());
    }
    for (const ValueId v : node.inputs) {
      if (v != kNoValue) alignment_[v] = std::max(alignment_[v], alignment);
    }
  }

  // False: a value was found that had better be row-major, start again.
  bool pass() {
    laid_ = {};
    states_.assign(graph_.values.size(), {});
    owned_value_.clear();
    for (ValueId v = 0; v < graph_.values.size(); ++v) {
      const Value& value = graph_.values[v];
      if (value.constant == nullptr) continue;
      states_[v] = {Operand{.constant = true,
                            .index = v,
                            .dtype = value.dtype,
                            .form = row_major(bounds(value.dims))},
                    row_major_order(rank(v)), true, kNoIndex};
    }
    for (const ValueId v : graph_.inputs) {
      schedule().inputs.push_back(new_owner(v, row_major_order(rank(v))));
      states_[v].boundary_order = true;
    }
    for (const GraphState& state : graph_.states) {
      schedule().storages[schedule().inputs[state.input]].kind = format::ArenaKind::kState;
    }
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      const LayoutClass kind = kind_of(graph_.nodes[n]);
      const bool done = kind == LayoutClass::kView            ? add_view_or_copy(n)
                        : kind == LayoutClass::kViewOrFollows ? add_view_or_kernel(n)
                                                              : add_kernel(n);
      if (!done) return false;
    }
    return add_outputs();
  }

  uint32_t rank(ValueId v) const { return static_cast<uint32_t>(graph_.values[v].dims.size()); }

  Schedule& schedule() { return laid_.schedule; }

  // All of a new storage for what `like` holds, which `owner` has as its own: kNoValue for copies.
  Operand new_storage(std::string name, const Value& like, const Strided& form, ValueId owner) {
    const auto index = static_cast<uint32_t>(schedule().storages.size());
    schedule().storages.push_back(storage_of(std::move(name), like.dtype, form));
    schedule().storages.back().half_will_do = like.half_will_do;
    owned_value_.push_back(owner);
    return {.index = index, .dtype = like.dtype, .form = form};
  }

  uint32_t new_owner(ValueId v, const Order& order) {
    const Value& value = graph_.values[v];
    const Operand operand =
        new_storage(value.name, value, dense_in_order(bounds(value.dims), order), v);
    states_[v].placed = operand;
    states_[v].order = order;
    return operand.index;
  }

  bool has_spatial_user(ValueId v) const {
    return std::any_of(users_[v].begin(), users_[v].end(), [&](uint32_t n) {
      return is_spatial(graph_.nodes[n].op) && graph_.nodes[n].inputs[0] == v;
    });
  }

  // A shuffle hands half of its channels to a convolution: v counts as that one's input too.
  bool has_spatial_user_of_parts(ValueId v) const {
    return has_spatial_user(v) || std::any_of(users_[v].begin(), users_[v].end(), [&](uint32_t n) {
             const Node& node = graph_.nodes[n];
             return kind_of(node) == LayoutClass::kViewOrFollows && node.inputs[0] == v &&
                    rank(node.outputs[0]) == rank(v) && has_spatial_user(node.outputs[0]);
           });
  }

  // The input whose order an operator without a wish of its own follows.
  ValueId followed_input(const Node& node, ValueId output) const {
    ValueId of_same_rank = kNoValue;
    for (const ValueId v : node.inputs) {
      if (v == kNoValue || states_[v].placed->constant || rank(v) != rank(output)) continue;
      if (always(graph_.values[v].dims == graph_.values[output].dims)) return v;
      if (of_same_rank == kNoValue) of_same_rank = v;
    }
    return of_same_rank;
  }

  void make_output(const Node& node, ValueId output) {
    const uint32_t r = rank(output);
    Order order = row_major_order(r);
    bool boundary = false;
    const LayoutClass kind = kind_of(node);
    if (wants_row_major_[output] || r < 3 || kind == LayoutClass::kMatrix ||
        kind == LayoutClass::kRowMajor) {
      // Row-major it is.
    } else if (kind == LayoutClass::kSpatial) {
      order = channels_last_order(r);
    } else if (const ValueId v = followed_input(node, output); v != kNoValue) {
      boundary = states_[v].boundary_order;
      order = states_[v].order;
      if (boundary && has_spatial_user(output)) {
        boundary = false;
        order = channels_last_order(r);
      }
    }
    new_owner(output, order);
    states_[output].boundary_order = boundary;
  }

  bool add_kernel(uint32_t n) {
    const Node& node = graph_.nodes[n];
    LaidNode laid{node, false, {}, {}};
    for (const ValueId v : node.inputs) {
      laid.inputs.push_back(v == kNoValue ? std::nullopt : states_[v].placed);
    }
    size_t output_count = node.outputs.size();
    while (output_count > 0 && node.outputs[output_count - 1] == kNoValue) --output_count;
    for (size_t i = 0; i < output_count; ++i) {
      const ValueId v = node.outputs[i];
      if (v != kNoValue) make_output(node, v);
      laid.outputs.emplace_back(v == kNoValue ? unwanted_output(node, i) : *states_[v].placed);
    }
    laid_.nodes.push_back(std::move(laid));
    return true;
  }

  // A step writes all outputs up to its last one. One that nobody wants looks like the next: that
  // is so for the only operator that has such outputs (the running mean and variance).
  Operand unwanted_output(const Node& node, size_t i) {
    while (node.outputs[i] == kNoValue) ++i;
    const Value& like = graph_.values[node.outputs[i]];
    return new_storage(like.name + ", unwanted neighbour", like, row_major(bounds(like.dims)),
                       kNoValue);
  }

  std::optional<Strided> view_form(const Node& node, const Strided& input) const {
    const ValueId output = node.outputs[0];
    return planner::view_form(node, graph_.values[output], input, alignment_[output]);
  }

  void add_view(uint32_t n, const Operand& input, const Strided& form) {
    const Node& node = graph_.nodes[n];
    State& state = states_[node.outputs[0]];
    state.placed = input;
    state.placed->form = form;
    state.order = order_of(form);
    state.boundary_order = states_[node.inputs[0]].boundary_order;
    state.view_node = n;
    laid_.nodes.push_back(LaidNode{node, true, {input}, {state.placed}});
  }

  bool add_view_or_kernel(uint32_t n) {
    const Node& node = graph_.nodes[n];
    const Operand& input = *states_[node.inputs[0]].placed;
    const std::optional<Strided> form = view_form(node, input.form);
    // One that is an output would need a copy right behind it: it can be that copy itself.
    if (!form.has_value() || is_output_[node.outputs[0]] || (node.slides && input.constant)) {
      return add_kernel(n);
    }
    add_view(n, input, *form);
    return true;
  }

  bool add_view_or_copy(uint32_t n) {
    const Node& node = graph_.nodes[n];
    const ValueId input = node.inputs[0], output = node.outputs[0];
    if (const auto form = view_form(node, states_[input].placed->form); form.has_value()) {
      add_view(n, *states_[input].placed, *form);
      return true;
    }
    if (ask_for_row_major(output, n)) return false;

    // The copy lays the elements as the reshaped value's users want them; row-major always works.
    const std::vector<uint32_t> dims = bounds(graph_.values[output].dims);
    Strided target = dense_in_order(dims, channels_last_order(rank(output)));
    auto written = reshape_in_place(target, bounds(graph_.values[input].dims));
    const bool channels_last =
        has_spatial_user_of_parts(output) && !wants_row_major_[output] && written.has_value();
    if (!channels_last) {
      target = row_major(dims);
      written = row_major(bounds(graph_.values[input].dims));
    }
    const Operand from = *states_[input].placed;
    Operand to = new_storage(graph_.values[output].name, graph_.values[output], target, kNoValue);
    to.form = *written;
    add_copy(from, to, node.sources);
    schedule().copies.push_back({node_name(node), graph_.values[input].name, layout_name(from.form),
                                 layout_name(*written)});
    add_view(n, to, target);
    return true;
  }

  void add_copy(const Operand& from, const Operand& to, const std::vector<std::string>& sources) {
    laid_.nodes.push_back(copy_node(from, to, sources));
  }

  // The form `v` would have if the kernel at the start of its chain of views wrote row-major;
  // `last` is the view node that makes v. Nothing when the chain does not start at a kernel, or
  // breaks.
  std::optional<Strided> replayed(ValueId v, uint32_t last, ValueId root) const {
    if (v == root) return row_major(bounds(graph_.values[v].dims));
    const uint32_t n = last != kNoIndex ? last : states_[v].view_node;
    if (n == kNoIndex) return std::nullopt;
    const auto input = replayed(graph_.nodes[n].inputs[0], kNoIndex, root);
    return input.has_value() ? view_form(graph_.nodes[n], *input) : std::nullopt;
  }

  // True when the kernel that made the bytes under `v` was told to write row-major because that
  // makes `v`, made by view node `last`, a view as wanted.
  bool ask_for_row_major(ValueId v, uint32_t last) {
    const ValueId near = last != kNoIndex ? graph_.nodes[last].inputs[0] : v;
    const Operand& placed = *states_[near].placed;
    if (placed.constant || placed.index < laid_.schedule.inputs.size()) return false;
    const ValueId root = owned_value_[placed.index];
    if (root == kNoValue || wants_row_major_[root] || has_spatial_user(root)) return false;
    const std::optional<Strided> form = replayed(v, last, root);
    if (!form.has_value()) return false;
    if (last == kNoIndex && !same_elements(*form, row_major(bounds(graph_.values[v].dims))))
      return false;
    wants_row_major_[root] = true;
    return true;
  }

  // Each output becomes a storage of its own with row-major bytes.
  bool add_outputs() {
    std::vector<bool> claimed(schedule().storages.size());
    for (uint32_t i = 0; i < schedule().inputs.size(); ++i) claimed[i] = true;
    for (const ValueId v : graph_.outputs) {
      const Operand placed = *states_[v].placed;
      const Strided wanted = row_major(bounds(graph_.values[v].dims));
      if (!placed.constant && !claimed[placed.index]) {
        Storage& storage = schedule().storages[placed.index];
        if (same_elements(placed.form, wanted) &&
            element_count(storage.form.dims) == element_count(wanted.dims)) {
          claimed[placed.index] = true;
          storage.form = wanted;
          storage.name = graph_.values[v].name;
          schedule().outputs.push_back(placed.index);
          continue;
        }
        if (ask_for_row_major(v, kNoIndex)) return false;
      }
      const Operand copied = new_storage(graph_.values[v].name, graph_.values[v], wanted, kNoValue);
      claimed.push_back(true);
      add_copy(placed, copied, {});
      schedule().copies.push_back(
          {"output", graph_.values[v].name, layout_name(placed.form), layout_name(wanted)});
      schedule().outputs.push_back(copied.index);
    }
    return true;
  }

  const Graph& graph_;
  std::vector<std::vector<uint32_t>> users_;  // nodes by value
  std::vector<bool> is_output_;
  std::vector<uint32_t> alignment_;  // by value: of its data where it is a view
  std::vector<bool> wants_row_major_;
  std::vector<State> states_;
  std::vector<ValueId> owned_value_;  // by storage; kNoValue for copies
  LaidGraph laid_;
};

}  // namespace

LaidNode copy_node(const Operand& from, const Operand& to, std::vector<std::string> sources) {
  Node copy;
  copy.op = Op::kCopy;
  copy.inputs = copy.outputs = {kNoValue};
  copy.sources = std::move(sources);
  return {std::move(copy), false, {from}, {to}};
}

bool is_spatial(Op op) { return contract_of(op).layout.kind == LayoutClass::kSpatial; }

LaidGraph lay_out(const Graph& graph, const TargetForms& forms) {
  ARENITE_ASSERT(is_whole(graph));
  return LayoutPass(graph, forms).run();
}

DType type_of_node(const LaidNode& node) {
  const auto types = [&](const std::vector<std::optional<Operand>>& operands) {
    std::vector<DType> result;
    result.reserve(operands.size());
    for (const std::optional<Operand>& operand : operands) {
      result.push_back(operand.has_value() ? operand->dtype : DType::kNone);
    }
    return result;
  };
  return type_of(contract_of(node.node.op), types(node.inputs), types(node.outputs));
}

StepForms likely_forms(const TargetForms& forms, const LaidNode& node) {
  return likely_forms(forms, node.node.op, type_of_node(node));
}

const Value& constant_of(const Graph& graph, const LaidGraph& laid, uint32_t index) {
  return index < graph.values.size() ? graph.values[index]
                                     : laid.constants[index - graph.values.size()];
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
