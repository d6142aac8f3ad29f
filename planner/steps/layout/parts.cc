// Moves the storage of a part's producer into the result, where no form or reader objects.
#include "planner/steps/layout/parts.h"

#include <algorithm>
#include <cstring>

#include "core/shape.h"
#include "ops/attributes.h"
#include "planner/graph/form_tensor.h"
#include "planner/graph/op_facts.h"

namespace arenite::planner {
namespace {

// A box of a concatenation's or pad's result and what fills it: an input of the node, or a
// constant.
struct Part {
  std::optional<size_t> input;
  Operand constant;
  Strided target;
  bool border = false;  // filled with one value, again and again

  Operand source(const LaidNode& node) const {
    return input.has_value() ? *node.inputs[*input] : constant;
  }
};

Strided box_of(const Strided& whole, const std::vector<uint32_t>& first,
               const std::vector<uint32_t>& dims) {
  Strided box = whole;
  box.dims = dims;
  for (size_t d = 0; d < dims.size(); ++d) box.offset += uint64_t{first[d]} * whole.strides[d];
  return box;
}

class PartPlacer {
 public:
  PartPlacer(const Graph& graph, const LaidGraph& laid, const TargetForms& forms)
      : graph_(graph), forms_(forms) {
    result_.laid = laid;
    result_.joined.resize(laid.schedule.storages.size());
    before_.resize(laid.nodes.size());
    fixed_.resize(laid.schedule.storages.size());
    for (const uint32_t storage : laid.schedule.inputs) fixed_[storage] = true;
    for (const uint32_t storage : laid.schedule.outputs) fixed_[storage] = true;
  }

  // Leaves everything as it was when no part can be placed.
  void place(uint32_t n) {
    LaidNode& node = result_.laid.nodes[n];
    const size_t constants = result_.laid.constants.size();
    const uint32_t root = node.outputs[0]->index;
    const std::vector<Part> parts =
        has_border(node) ? parts_within_border(node) : parts_side_by_side(node);
    undo_.clear();
    node.view = true;  // from now on it writes nothing
    std::vector<bool> placed;
    placed.reserve(parts.size());
    for (const Part& part : parts) {
      placed.push_back(!part.border && move_storage(part.source(node), root, part.target));
    }
    const auto count = static_cast<uint32_t>(std::count(placed.begin(), placed.end(), true));
    std::vector<LaidNode> copies;
    bool good = count != 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (placed[i]) continue;
      copies.push_back(copy_of(node, parts[i]));
      good = good && step_holds(copies.back(), root);
    }
    if (!good) {
      undo(0);
      node.view = false;
      result_.laid.constants.resize(constants);
      return;
    }
    become_view(node, parts, placed);
    before_[n] = std::move(copies);
    result_.joined[root].push_back(n);
    ++result_.nodes;
    result_.parts += count;
  }

  PartsInPlace finish() {
    std::vector<LaidNode> nodes;
    for (size_t n = 0; n < result_.laid.nodes.size(); ++n) {
      for (LaidNode& copy : before_[n]) nodes.push_back(std::move(copy));
      nodes.push_back(std::move(result_.laid.nodes[n]));
    }
    result_.laid.nodes = std::move(nodes);
    drop_empty_storages();
    return std::move(result_);
  }

 private:
  std::vector<Part> parts_side_by_side(const LaidNode& node) const {
    const Strided& whole = node.outputs[0]->form;
    const uint32_t axis = node.node.attributes_as<ConcatAttributes>().axis;
    std::vector<Part> parts;
    std::vector<uint32_t> first(whole.dims.size(), 0);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const std::vector<uint32_t>& dims = node.inputs[i]->form.dims;
      parts.push_back({i, {}, box_of(whole, first, dims), false});
      first[axis] += dims[axis];
    }
    return parts;
  }

  // The inside, then for each dim the borders before and behind it, as wide as the inside in the
  // dims before that one and as the whole in those after.
  std::vector<Part> parts_within_border(const LaidNode& node) {
    const Strided& whole = node.outputs[0]->form;
    const std::vector<uint32_t>& inside = node.inputs[0]->form.dims;
    const auto attributes = node.node.attributes_as<PadAttributes>();
    const std::vector<uint32_t> first(attributes.begin, attributes.begin + inside.size());
    std::vector<Part> parts{{0, {}, box_of(whole, first, inside), false}};
    Part border;
    border.border = true;
    if (node.inputs.size() > 1 && node.inputs[1].has_value()) {
      border.input = 1;
    } else {
      border.constant = fill_value(node, attributes);
    }
    std::vector<uint32_t> at = first, dims = inside;
    for (size_t d = inside.size(); d-- > 0;) {
      at[d] = 0;
      dims[d] = first[d];
      border.target = box_of(whole, at, dims);
      if (dims[d] != 0) parts.push_back(border);
      at[d] = first[d] + inside[d];
      dims[d] = whole.dims[d] - at[d];
      border.target = box_of(whole, at, dims);
      if (dims[d] != 0) parts.push_back(border);
      at[d] = 0;
      dims[d] = whole.dims[d];
    }
    return parts;
  }

  Operand fill_value(const LaidNode& node, const PadAttributes& attributes) {
    Value value;
    value.name = "padding of " + node_name(node.node);
    value.dtype = node.outputs[0]->dtype;
    std::vector<std::byte> bytes(element_bytes(value.dtype));
    std::memcpy(bytes.data(), attributes.value_bits, bytes.size());
    value.constant = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    const size_t index = graph_.values.size() + result_.laid.constants.size();
    result_.laid.constants.push_back(std::move(value));
    return {.constant = true,
            .index = static_cast<uint32_t>(index),
            .dtype = result_.laid.constants.back().dtype,
            .form = row_major({})};
  }

  const Storage& storage(uint32_t index) const { return result_.laid.schedule.storages[index]; }

  // A part of what a node writes.
  static Operand part_of(const LaidNode& node, const Strided& target) {
    Operand part = *node.outputs[0];
    part.form = target;
    return part;
  }

  static LaidNode copy_of(const LaidNode& node, const Part& part) {
    return copy_node(part.source(node), part_of(node, part.target), node.node.sources);
  }

  // Calls visit(node) for each node, those put in included, until it returns false.
  template <typename Visit>
  bool each_node(Visit visit) {
    for (size_t n = 0; n < before_.size(); ++n) {
      for (LaidNode& copy : before_[n]) {
        if (!visit(copy)) return false;
      }
      if (!visit(result_.laid.nodes[n])) return false;
    }
    return true;
  }

  // Moves all that lies in the storage of `source` to where `target` is in `root`; false, with
  // nothing changed, when that cannot be.
  bool move_storage(const Operand& source, uint32_t root, const Strided& target) {
    if (source.constant || source.index == root || fixed_[source.index] ||
        element_count(source.form.dims) != element_count(storage(source.index).form.dims)) {
      return false;
    }
    const size_t mark = undo_.size();
    const uint32_t element = element_bytes(source.dtype);
    const uint32_t moved = source.index;
    const Strided from = source.form;
    const bool good = each_node([&](LaidNode& node) {
      const auto move = [&](std::optional<Operand>& operand) {
        if (!operand.has_value() || operand->constant || operand->index != moved) return true;
        const std::optional<Strided> form = moved_along(operand->form, from, target);
        if (!form.has_value() || form->offset * element % alignment_of(node) != 0) return false;
        undo_.push_back({&operand, *operand});
        operand->index = root;
        operand->form = *form;
        return true;
      };
      const size_t before = undo_.size();
      return std::all_of(node.inputs.begin(), node.inputs.end(), move) &&
             std::all_of(node.outputs.begin(), node.outputs.end(), move) &&
             (undo_.size() == before || step_holds(node, root));
    });
    if (!good) undo(mark);
    return good;
  }

  // The alignment of the data that the node's step reads and writes.
  uint32_t alignment_of(const LaidNode& node) const {
    return node.view ? 1 : likely_forms(forms_, node).alignment();
  }

  void undo(size_t mark) {
    for (; undo_.size() > mark; undo_.pop_back()) *undo_.back().operand = undo_.back().before;
  }

  // Whether the loader will see that the node writes at most one part of `root`, and reads none of
  // its elements.
  bool step_holds(const LaidNode& node, uint32_t root) const {
    if (node.view) return true;
    const auto in_root = [&](const std::optional<Operand>& operand) {
      return operand.has_value() && !operand->constant && operand->index == root;
    };
    const auto written = std::find_if(node.outputs.begin(), node.outputs.end(), in_root);
    if (written == node.outputs.end()) return true;
    if (std::count_if(node.outputs.begin(), node.outputs.end(), in_root) > 1) return false;
    if (std::none_of(node.inputs.begin(), node.inputs.end(), in_root)) return true;
    const StepOperands form =
        step_operands(node.node.op, forms_of(node.inputs), forms_of(node.outputs));
    const auto k = static_cast<size_t>(written - node.outputs.begin());
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (in_root(node.inputs[i]) && !share_nothing(*form.inputs[i], *form.outputs[k], root)) {
        return false;
      }
    }
    return true;
  }

  static std::vector<std::optional<Strided>> forms_of(
      const std::vector<std::optional<Operand>>& operands) {
    std::vector<std::optional<Strided>> forms;
    forms.reserve(operands.size());
    for (const std::optional<Operand>& operand : operands) {
      forms.push_back(operand.has_value() ? std::optional(operand->form) : std::nullopt);
    }
    return forms;
  }

  bool share_nothing(const Strided& a, const Strided& b, uint32_t root) const {
    const DType dtype = storage(root).dtype;
    const uint32_t element = element_bytes(dtype);
    return share_no_element(
        FormTensor(dtype, a).tensor(), static_cast<uint32_t>(a.offset * element),
        FormTensor(dtype, b).tensor(), static_cast<uint32_t>(b.offset * element));
  }

  void become_view(LaidNode& node, const std::vector<Part>& parts,
                   const std::vector<bool>& placed) {
    std::vector<std::optional<Operand>> inputs;
    for (size_t i = 0; i < parts.size(); ++i) {
      const Operand target = part_of(node, parts[i].target);
      if (!parts[i].border) inputs.emplace_back(target);
      const Operand source = parts[i].source(node);
      if (placed[i] || source.constant || parts[i].border) continue;
      result_.laid.schedule.copies.push_back({node_name(node.node),
                                              graph_.values[node.node.inputs[i]].name,
                                              layout_name(source.form), layout_name(target.form)});
    }
    node.inputs = std::move(inputs);
  }

  // Storages whose bytes all moved elsewhere go.
  void drop_empty_storages() {
    LaidGraph& laid = result_.laid;
    Schedule& schedule = laid.schedule;
    std::vector<bool> used = fixed_;
    const auto each_index = [&](auto visit) {
      for (LaidNode& node : laid.nodes) {
        for (auto* operands : {&node.inputs, &node.outputs}) {
          for (std::optional<Operand>& operand : *operands) {
            if (operand.has_value() && !operand->constant) visit(operand->index);
          }
        }
      }
      for (auto* indices : {&schedule.inputs, &schedule.outputs}) {
        for (uint32_t& index : *indices) visit(index);
      }
    };
    each_index([&](uint32_t index) { used[index] = true; });
    std::vector<uint32_t> renumbered(schedule.storages.size());
    std::vector<Storage> storages;
    std::vector<std::vector<uint32_t>> joined;
    for (uint32_t i = 0; i < schedule.storages.size(); ++i) {
      renumbered[i] = static_cast<uint32_t>(storages.size());
      if (!used[i]) continue;
      storages.push_back(std::move(schedule.storages[i]));
      joined.push_back(std::move(result_.joined[i]));
    }
    each_index([&](uint32_t& index) { index = renumbered[index]; });
    schedule.storages = std::move(storages);
    result_.joined = std::move(joined);
  }

  struct Change {
    std::optional<Operand>* operand;
    Operand before;
  };

  const Graph& graph_;
  const TargetForms& forms_;
  PartsInPlace result_;
  std::vector<std::vector<LaidNode>> before_;  // copies in front of each node
  std::vector<bool> fixed_;                    // storages that are the graph's inputs or outputs
  std::vector<Change> undo_;                   // of the node being placed
};

bool may_have_parts(const LaidNode& node) {
  if (node.view || node.outputs.size() != 1 || node.outputs[0]->constant) return false;
  if (element_count(node.outputs[0]->form.dims) == 0) return false;
  const Assembly assembly = facts_of(node.node.op).assembly;
  if (assembly != Assembly::kWithinBorder) return assembly == Assembly::kSideBySide;
  if (node.inputs[0]->constant) return false;
  const auto attributes = node.node.attributes_as<PadAttributes>();
  if (attributes.mode != PadMode::kValue) return false;
  const std::vector<uint32_t>& x = node.inputs[0]->form.dims;
  const std::vector<uint32_t>& y = node.outputs[0]->form.dims;
  for (size_t d = 0; d < x.size(); ++d) {
    const int64_t end = int64_t{y[d]} - int64_t{x[d]} - attributes.begin[d];
    if (attributes.begin[d] < 0 || end < 0) return false;  // it crops
  }
  return element_count(x) != 0;
}

}  // namespace

bool has_border(const LaidNode& node) {
  return facts_of(node.node.op).assembly == Assembly::kWithinBorder;
}

std::vector<uint32_t> nodes_with_parts(const LaidGraph& laid) {
  std::vector<uint32_t> nodes;
  for (uint32_t n = 0; n < laid.nodes.size(); ++n) {
    if (may_have_parts(laid.nodes[n])) nodes.push_back(n);
  }
  return nodes;
}

PartsInPlace place_parts(const Graph& graph, const LaidGraph& laid,
                         const std::vector<uint32_t>& nodes, const TargetForms& forms) {
  PartPlacer placer(graph, laid, forms);
  for (const uint32_t n : nodes) placer.place(n);
  return placer.finish();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
