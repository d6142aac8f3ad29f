// Packs the longest-lived items for several weights of size and length; the others by linear scan.
#include "planner/memory/pack/long_first.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/assert.h"
#include "planner/memory/greedy/linear_scan.h"
#include "planner/memory/pack/in_order.h"

namespace arenite::memory {
namespace {

// Packing so many by an order takes about a second.
constexpr std::size_t kLongMax = 32'768;

// The orders of the long ones: largest size^w x length^(1 - w) first. Which w is best differs; the
// first is on average, on traces of 1,000,000 (bench/memplan training).
constexpr double kSizeWeights[] = {0.8, 0.5, 0.65, 0.4, 0.9, 0.6};

// The others are placed from the largest sizes to the smallest, in so many classes.
constexpr uint64_t kSizeClasses = 4;

class LongFirst {
 public:
  explicit LongFirst(const PackProblem& problem) : items_(problem.items) {
    std::vector<uint32_t> order(items_.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto longer = [&](uint32_t a, uint32_t b) {
      if (items_[a].fixed.has_value() != items_[b].fixed.has_value()) {
        return items_[a].fixed.has_value();
      }
      const uint32_t x = items_[a].lifetime.last - items_[a].lifetime.first;
      const uint32_t y = items_[b].lifetime.last - items_[b].lifetime.first;
      return x != y ? x > y : a < b;
    };
    const auto fixed = static_cast<std::size_t>(std::count_if(
        items_.begin(), items_.end(), [](const Item& item) { return item.fixed.has_value(); }));
    const auto end = static_cast<std::ptrdiff_t>(std::min(items_.size(), kLongMax + fixed));
    std::nth_element(order.begin(), order.begin() + end - 1, order.end(), longer);
    long_.assign(order.begin(), order.begin() + end);
    short_.assign(order.begin() + end, order.end());
    const auto earlier = [&](uint32_t a, uint32_t b) {
      if (items_[a].lifetime.first != items_[b].lifetime.first) {
        return items_[a].lifetime.first < items_[b].lifetime.first;
      }
      return items_[a].size_bytes != items_[b].size_bytes
                 ? items_[a].size_bytes > items_[b].size_bytes
                 : a < b;
    };
    std::sort(long_.begin(), long_.end(), earlier);
    std::sort(short_.begin(), short_.end(), earlier);
    for (const uint32_t i : long_) long_problem_.items.push_back(items_[i]);
    for (const uint32_t i : short_) {
      short_size_max_ = std::max(short_size_max_, items_[i].size_bytes);
    }
  }

  const PackProblem& long_problem() const { return long_problem_; }

  // Long ones by size and length.
  std::vector<uint32_t> order(double size_weight) const {
    const std::vector<Item>& items = long_problem_.items;
    std::vector<double> keys;
    for (const Item& item : items) {
      const double length = 1.0 + item.lifetime.last - item.lifetime.first;
      keys.push_back(size_weight * std::log(1.0 + static_cast<double>(item.size_bytes)) +
                     (1 - size_weight) * std::log(length));
    }
    std::vector<uint32_t> order(items.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return keys[a] > keys[b]; });
    return order;
  }

  // Offsets for all, given those of the long ones; nothing when there is no time for it.
  std::optional<Packing> complete(std::span<const uint64_t> of_long, const Watch* watch) const {
    Packing packing{std::vector<uint64_t>(items_.size(), 0), 0, 0};
    std::vector<LinearScan::Reserved> reserved;
    for (std::size_t k = 0; k < long_.size(); ++k) {
      const Item& item = items_[long_[k]];
      const Obstacle bytes{of_long[k], of_long[k] + item.size_bytes};
      packing.offsets[long_[k]] = bytes.begin;
      packing.height = std::max(packing.height, bytes.end);
      if (item.size_bytes != 0) reserved.push_back({item.lifetime, bytes});
    }
    uint64_t least = UINT64_MAX;
    for (uint64_t part = kSizeClasses; part-- > 0;) {
      const ByteRange sizes{short_size_max_ / kSizeClasses * part, least};
      if (!place_short(sizes, reserved, packing, watch)) return std::nullopt;
      least = sizes.begin;
    }
    return packing;
  }

 private:
  // Places the items of sizes begin .. end - 1 clear of reserved bytes, which they join. False when
  // the time is over. Each may be compared with all items that live with it, so each looks at the
  // clock.
  bool place_short(const ByteRange& sizes, std::vector<LinearScan::Reserved>& reserved,
                   Packing& packing, const Watch* watch) const {
    LinearScan scan({});
    scan.reserve(reserved);
    for (const uint32_t i : short_) {
      const Item& item = items_[i];
      if (item.size_bytes < sizes.begin || item.size_bytes >= sizes.end) continue;
      if (stopped(watch)) return false;
      const uint64_t offset = scan.find_clear(item.lifetime, item.size_bytes, item.alignment);
      const Obstacle bytes{offset, offset + item.size_bytes};
      scan.take(item.lifetime.last, bytes);
      if (item.size_bytes != 0) reserved.push_back({item.lifetime, bytes});
      packing.offsets[i] = offset;
      packing.height = std::max(packing.height, bytes.end);
    }
    std::sort(reserved.begin(), reserved.end(),
              [](const LinearScan::Reserved& a, const LinearScan::Reserved& b) {
                return a.lifetime.first < b.lifetime.first;
              });
    return true;
  }

  const std::vector<Item>& items_;
  std::vector<uint32_t> long_, short_;  // by birth, the larger first
  uint64_t short_size_max_ = 0;
  PackProblem long_problem_;  // items as long_
};

}  // namespace

std::optional<Packing> pack_long_first(const PackProblem& problem, uint64_t goal,
                                       const Watch* watch) {
  ARENITE_ASSERT(problem.overlaps.empty() && !problem.has_gaps());
  const LongFirst long_first(problem);
  OrderPacker packer(long_first.long_problem(), watch);
  std::optional<Packing> best;
  std::vector<uint64_t> offsets;
  for (const double weight : kSizeWeights) {
    if (best && (best->height <= goal || stopped(watch))) break;
    if (!packer.pack(long_first.order(weight), Fit::kLowest, offsets)) break;
    std::optional<Packing> packing = long_first.complete(offsets, watch);
    if (!packing) break;
    if (best && packing->height >= best->height) continue;
    best = std::move(packing);
    tell_progress(watch, *best, "packing the long-lived first");
  }
  return best;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
