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

// The fewest channels that are worth a copy. Where each has windows of its own, forms with vectors
// take pixels alone: three channels by eight windows each take 2.4 ms in planes, 0.13 copied.
uint32_t channels_min(const Node& node) {
  const auto weights = facts_of(node.op).weights;
  return weights != nullptr && weights(node) == Weights::kGroupedFilters ? 2 : kChannelsMin;
}

bool in_planes(const std::optional<Operand>& operand, uint32_t channels_min) {
  if (!operand.has_value() || operand->constant) return false;
  const Strided& form = operand->form;
  return form.dims.size() > 2 && form.dims[1] >= channels_min && form.strides[1] != 1;
}

class Copier {
 public:
  explicit Copier(const LaidGraph& laid) : result_{laid, 0} { result_.laid.nodes.clear(); }

  PixelCopies run(const std::vector<LaidNode>& nodes) {
    for (const LaidNode& node : nodes) add(node);
    return std::move(result_);
  }

 private:
  // The storage and the elements in it.
  using Key = std::tuple<uint32_t, uint64_t, std::vector<uint32_t>, std::vector<uint32_t>>;

  void add(LaidNode node) {
    if (!has_windows(node)) return put(std::move(node));
    const uint32_t least = channels_min(node.node);
    if (in_planes(node.inputs[0], least))
      node.inputs[0] = pixels_of(*node.inputs[0], node.node.sources);
    if (!in_planes(node.outputs[0], least)) return put(std::move(node));
    const Operand planes = *node.outputs[0];
    const Operand pixels = new_pixels(planes);
    const std::vector<std::string> sources = node.node.sources;
    node.outputs[0] = pixels;
    put(std::move(node));
    copy(pixels, planes, sources);
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

  PixelCopies result_;
  std::map<Key, Operand> copies_;  // of planes that were copied before
};

}  // namespace

PixelCopies copy_planes_to_pixels(const LaidGraph& laid) { return Copier(laid).run(laid.nodes); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
