// Sweeps through births and derives the forbidden distances of each pair that lives together.
#include "planner/memory/pack/conflicts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "planner/memory/problem/uses.h"

namespace arenite::memory {
namespace {

using Leads = std::map<std::pair<uint32_t, uint32_t>, int64_t>;  // the least of each pair

Leads leads_of(std::span<const Overlap> overlaps) {
  Leads leads;
  for (const Overlap& overlap : overlaps) {
    const auto [at, added] = leads.try_emplace({overlap.input, overlap.output}, overlap.lead_bytes);
    if (!added) at->second = std::min(at->second, overlap.lead_bytes);
  }
  return leads;
}

// Takes from a range what overlaps of the two permit, either way round. `shift`: what the first's
// start is from its item's start, less the same of the second.
void permit(const Leads& leads, uint32_t first, uint32_t second, int64_t shift, Forbidden& range) {
  if (leads.empty()) return;
  if (const auto at = leads.find({first, second}); at != leads.end()) {
    range.high = std::min(range.high, at->second - shift);
  }
  if (const auto at = leads.find({second, first}); at != leads.end()) {
    range.low = std::max(range.low, -at->second - shift);
  }
}

class Finder {
 public:
  Finder(const PackProblem& problem, Detail detail)
      : problem_(problem),
        detail_(detail),
        item_leads_(leads_of(problem.overlaps)),
        buffer_leads_(leads_of(problem.buffer_overlaps)) {}

  std::vector<Conflict> run() {
    const std::vector<Item>& items = problem_.items;
    std::vector<uint32_t> order(items.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
      return items[x].lifetime.first < items[y].lifetime.first;
    });
    std::vector<uint32_t> live;
    for (const uint32_t i : order) {
      std::erase_if(live,
                    [&](uint32_t j) { return items[j].lifetime.last < items[i].lifetime.first; });
      for (const uint32_t j : live) add_pair(std::min(i, j), std::max(i, j));
      live.push_back(i);
    }
    std::sort(found_.begin(), found_.end(), [](const Conflict& x, const Conflict& y) {
      return std::tie(x.a, x.b, x.low) < std::tie(y.a, y.b, y.low);
    });
    return std::move(found_);
  }

 private:
  void add_pair(uint32_t a, uint32_t b) {
    const Item& x = problem_.items[a];
    const Item& y = problem_.items[b];
    if (x.size_bytes == 0 || y.size_bytes == 0) return;
    ranges_.clear();
    if (detail_ == Detail::kItems || (x.solid && !x.in_parts && y.solid && !y.in_parts)) {
      Forbidden range = forbidden_starts(x, y);
      permit(item_leads_, a, b, 0, range);
      ranges_.push_back(range);
    } else {
      add_parts(a, b);
    }
    merge(a, b);
  }

  // Each pair of parts that meet, those of one pair of buffers joined where the detail says so.
  void add_parts(uint32_t a, uint32_t b) {
    const Item& x = problem_.items[a];
    const Item& y = problem_.items[b];
    const bool of_items = !x.in_parts && !y.in_parts;
    std::map<std::pair<uint32_t, uint32_t>, Forbidden> joined;
    const std::vector<Part> of_y = parts_of(y);
    for (const Part& p : parts_of(x)) {
      for (const Part& q : of_y) {
        if (!p.use.steps.meets(q.use.steps)) continue;
        Forbidden range{
            static_cast<int64_t>(q.use.bytes.begin) - static_cast<int64_t>(p.use.bytes.end),
            static_cast<int64_t>(q.use.bytes.end) - static_cast<int64_t>(p.use.bytes.begin)};
        if (of_items) {
          permit(item_leads_, a, b, 0, range);
        } else {
          permit(buffer_leads_, p.buffer, q.buffer,
                 static_cast<int64_t>(p.anchor_bytes) - static_cast<int64_t>(q.anchor_bytes),
                 range);
        }
        if (!range.any()) continue;
        if (detail_ == Detail::kUses) {
          ranges_.push_back(range);
          continue;
        }
        const auto [at, added] = joined.try_emplace({p.buffer, q.buffer}, range);
        if (added) continue;
        at->second = {std::min(at->second.low, range.low), std::max(at->second.high, range.high)};
      }
    }
    for (const auto& [pair, range] : joined) ranges_.push_back(range);
  }

  // Two open ranges that share no more than an end leave that free.
  void merge(uint32_t a, uint32_t b) {
    std::erase_if(ranges_, [](const Forbidden& range) { return !range.any(); });
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Forbidden& p, const Forbidden& q) { return p.low < q.low; });
    const std::size_t begin = found_.size();
    for (const Forbidden& range : ranges_) {
      if (found_.size() > begin && range.low < found_.back().high) {
        found_.back().high = std::max(found_.back().high, range.high);
      } else {
        found_.push_back({a, b, range.low, range.high});
      }
    }
  }

  const PackProblem& problem_;
  Detail detail_;
  Leads item_leads_, buffer_leads_;
  std::vector<Forbidden> ranges_;
  std::vector<Conflict> found_;
};

}  // namespace

std::vector<Conflict> find_conflicts(const PackProblem& problem, Detail detail) {
  return Finder(problem, detail).run();
}

std::vector<Part> parts_of(const Item& item) {
  if (item.in_parts) return item.parts;
  std::vector<Part> parts;
  if (item.solid && item.size_bytes != 0) {
    parts.push_back({item.root, 0, {item.lifetime, {0, item.size_bytes}}});
  }
  for (const Use& use : item.uses) parts.push_back({item.root, 0, use});
  return parts;
}

uint64_t count_pairs(std::span<const Item> items) {
  std::vector<uint32_t> births, deaths;
  for (const Item& item : items) {
    births.push_back(item.lifetime.first);
    deaths.push_back(item.lifetime.last);
  }
  std::sort(births.begin(), births.end());
  std::sort(deaths.begin(), deaths.end());
  uint64_t pairs = 0;
  std::size_t dead = 0;
  for (std::size_t born = 0; born < births.size(); ++born) {
    while (deaths[dead] < births[born]) ++dead;
    pairs += born - dead;
  }
  return pairs;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
