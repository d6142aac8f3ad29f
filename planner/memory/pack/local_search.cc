// Moves one of the highest items earlier in the order, packs again, and keeps what is not higher.
#include "planner/memory/pack/local_search.h"

#include <algorithm>

namespace arenite::memory {

namespace {

// Places in `order` of the items whose end is the height.
std::vector<std::size_t> on_top(const PackProblem& problem, const std::vector<uint32_t>& order,
                                const std::vector<uint64_t>& offsets, uint64_t height) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const uint32_t i = order[k];
    if (offsets[i] + problem.items[i].size_bytes == height) places.push_back(k);
  }
  return places;
}

}  // namespace

void local_search(const PackProblem& problem, OrderPacker& packer, std::vector<uint32_t> order,
                  uint64_t goal, uint32_t rounds, Random& random, Budget& budget, Packing& best) {
  std::vector<uint64_t> offsets;
  uint64_t before = packer.work();
  const std::optional<uint64_t> first = packer.pack(order, Fit::kLowest, offsets);
  if (!first) return;
  uint64_t height = *first;
  std::vector<uint64_t> tried;
  for (uint32_t idle = 0; idle < rounds && best.height > goal && !budget.over(); ++idle) {
    const std::vector<std::size_t> top = on_top(problem, order, offsets, height);
    if (top.empty()) return;  // a fixed item is the highest
    // One of the highest items, or now and then any item, comes earlier.
    const std::size_t from =
        random.below(4) != 0 ? top[random.below(top.size())] : random.below(order.size());
    if (from == 0) continue;
    const std::size_t to = random.below(from);
    const auto at = [&](std::size_t k) { return order.begin() + static_cast<std::ptrdiff_t>(k); };
    std::rotate(at(to), at(from), at(from + 1));
    const std::optional<uint64_t> now = packer.pack(order, Fit::kLowest, tried);
    budget.spend(packer.work() - before);
    before = packer.work();
    if (!now) return;
    if (*now > height) {
      std::rotate(at(to), at(to + 1), at(from + 1));
      continue;
    }
    if (*now < height) idle = 0;
    height = *now;
    offsets.swap(tried);
    if (height < best.height) {
      best.height = height;
      best.offsets = offsets;
      tell_progress(budget.watch(), best, "polishing");
    }
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
