// Goes over the nodes once: planes are copied before the first node that wants pixels of them, and
// all later ones read that copy.
#include "planner/steps/layout/pixel_copies.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "planner/graph/op_facts.h"

namespace arenite::planner {
namespace {

constexpr uint32_t kChannelsMin = 8;  // a vector of floats with AVX2
constexpr uint64_t kReadsMin = 8;  // of an element, so that gathering it takes longer than a copy

// Whether the node adds what windows hold, at more than one place. Pools of bytes are as fast in
// planes.
bool has_windows(const LaidNode& node) {
  if (node.view || !is_spatial(node.node.op)) return false;
  const Work work = contract_of(node.node.op).work;
  const bool pools = work == Work::kWindow && node.inputs[0]->dtype == DType::kFloat32;
  if (work != Work::kWeights && !pools) return false;
  const std::vector<uint32_t>& dims = node.outputs[0]->form.dims;
  return std::any_of(dims.begin() + 2, dims.end(), [](uint32_t dim) { return dim != 1; });
}

// Where each channel has windows of its own, forms with vectors take pixels alone: three channels
// by eight windows each take 2.4 ms in planes, 0.13 copied.
bool has_own_windows(const Node& node) {
  const auto weights = facts_of(node.op).weights;
  return weights != nullptr && weights(node) == Weights::kGroupedFilters;
}

bool is_byte(const Operand& operand) { return element_bytes(operand.dtype) == 1; }

bool in_planes(const Operand& operand, uint32_t channels_min) {
  const Strided& form = operand.form;
  return form.dims.size() > 2 && form.dims[1] >= channels_min && form.strides[1] != 1;
}

// The products of a convolution that an element of its input is in, but for strides and edges.
uint64_t products_of_element(const LaidNode& node) {
  uint64_t weights = 1;
  for (const uint32_t dim : node.inputs[1]->form.dims) weights *= dim;
  return weights / node.inputs[0]->form.dims[1];
}

class Copier {
 public:
  Copier(const LaidGraph& laid, const PixelGains& gains) : gains_(gains), result_{laid, 0} {
    result_.laid.nodes.clear();
  }

  PixelCopies run(const std::vector<LaidNode>& nodes) {
    for (const LaidNode& node : nodes) add(node);
    return std::move(result_);
  }

 private:
  // The storage and the elements in it.
  using Key = std::tuple<uint32_t, uint64_t, std::vector<uint32_t>, std::vector<uint32_t>>;

  void add(LaidNode node) {
    if (!has_windows(node)) return put(std::move(node));
    if (is_worth_reading(node)) node.inputs[0] = pixels_of(*node.inputs[0], node.node.sources);
    if (!is_worth_writing(node)) return put(std::move(node));
    const Operand planes = *node.outputs[0];
    const Operand pixels = new_pixels(planes);
    const std::vector<std::string> sources = node.node.sources;
    node.outputs[0] = pixels;
    put(std::move(node));
    copy(pixels, planes, sources);
  }

  // Of an operand of a node with groups.
  bool gains_from_groups(const LaidNode& node, const Operand& operand) const {
    const bool depthwise = node.inputs[1]->form.dims[1] == 1;
    return gains_.floats || is_byte(operand) || (gains_.depthwise && depthwise);
  }

  // An image of three channels of bytes, in windows of 7 by 7, takes a host 8.1 ms in planes and
  // 4.3 copied.
  bool is_worth_reading(const LaidNode& node) const {
    const Operand& x = *node.inputs[0];
    if (x.constant || !in_planes(x, 2)) return false;
    if (has_own_windows(node.node)) return gains_from_groups(node, x);
    if (gains_.floats && x.form.dims[1] >= kChannelsMin) return true;
    return gains_.images_of_bytes && is_byte(x) && products_of_element(node) >= kReadsMin;
  }

  bool is_worth_writing(const LaidNode& node) const {
    const Operand& y = *node.outputs[0];
    if (!gains_.results || !in_planes(y, 2)) return false;
    if (has_own_windows(node.node)) return gains_from_groups(node, y);
    return (is_byte(y) ? gains_.stores_bytes : gains_.floats) && y.form.dims[1] >= kChannelsMin;
  }

  void put(LaidNode node) { result_.laid.nodes.push_back(std::move(node)); }

  Operand pixels_of(const Operand& planes, const std::vector<std::string>& sources) {
    const Strided& form = planes.form;
    const auto [known, is_new] =
        copies_.try_emplace(Key(planes.index, form.offset, form.dims, form.strides));
    if (is_new) {
      known->second = new_pixels(planes);
      copy(planes, known->second, sources);
    }
    return known->second;
  }

  Operand new_pixels(const Operand& planes) {
    Schedule& schedule = result_.laid.schedule;
    const Storage& storage = schedule.storages[planes.index];
    const std::vector<uint32_t>& dims = planes.form.dims;
    const Strided form =
        dense_in_order(dims, channels_last_order(static_cast<uint32_t>(dims.size())));
    Storage pixels = storage_of(storage.name + ", channels-last", planes.dtype, form);
    pixels.half_will_do = storage.half_will_do;
    const auto index = static_cast<uint32_t>(schedule.storages.size());
    schedule.storages.push_back(std::move(pixels));
    return {.index = index, .dtype = planes.dtype, .form = form};
  }

  void copy(const Operand& from, const Operand& to, const std::vector<std::string>& sources) {
    LaidNode node = copy_node(from, to, sources);
    Schedule& schedule = result_.laid.schedule;
    schedule.copies.push_back({node_name(node.node), schedule.storages[from.index].name,
                               layout_name(from.form), layout_name(to.form)});
    put(std::move(node));
    ++result_.copies;
  }

  const PixelGains& gains_;
  PixelCopies result_;
  std::map<Key, Operand> copies_;  // of planes that were copied before
};

}  // namespace

PixelCopies copy_planes_to_pixels(const LaidGraph& laid, const PixelGains& gains) {
  return Copier(laid, gains).run(laid.nodes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
