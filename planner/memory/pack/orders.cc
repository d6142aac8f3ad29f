// A table of orders: each sorts by one or two properties of an item, such as size, length or load.
#include "planner/memory/pack/orders.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "planner/memory/pack/live_sets.h"

namespace arenite::memory {

namespace {

// The property by which an order sorts; larger comes first.
enum class Key { kSize, kLength, kArea, kDeath, kEarlyBirth, kLoad, kSizePerLength };

struct Order {
  const char* name;
  double critical_load;  // from this part of the peak load on an item is critical; 2: none is
  Key critical;          // the order of the critical items, which come first
  Key rest;              // the order of the others
  Key tie;
  bool shorter_first;  // among equals: the one with the shorter life
  Fit fit;
};

constexpr double kNone = 2;
constexpr Order kOrders[] = {
    {"critical by length", 0.999, Key::kLength, Key::kSize, Key::kLength, false, Fit::kLowest},
    {"critical by death", 0.999, Key::kDeath, Key::kSize, Key::kLength, true, Fit::kLowest},
    {"greedy by size", kNone, Key::kSize, Key::kSize, Key::kEarlyBirth, false, Fit::kBestGap},
    {"critical by birth", 0.999, Key::kEarlyBirth, Key::kSize, Key::kLength, true, Fit::kLowest},
    {"size", kNone, Key::kSize, Key::kSize, Key::kLength, false, Fit::kLowest},
    {"size, early", kNone, Key::kSize, Key::kSize, Key::kEarlyBirth, false, Fit::kLowest},
    {"size, late", kNone, Key::kSize, Key::kSize, Key::kDeath, false, Fit::kLowest},
    {"area", kNone, Key::kArea, Key::kArea, Key::kSize, false, Fit::kLowest},
    {"length", kNone, Key::kLength, Key::kLength, Key::kSize, false, Fit::kLowest},
    {"load, size", kNone, Key::kLoad, Key::kLoad, Key::kSize, false, Fit::kLowest},
    {"load, length", kNone, Key::kLoad, Key::kLoad, Key::kLength, false, Fit::kLowest},
    {"load, area", kNone, Key::kLoad, Key::kLoad, Key::kArea, false, Fit::kLowest},
    {"early", kNone, Key::kEarlyBirth, Key::kEarlyBirth, Key::kSize, false, Fit::kLowest},
    {"late", kNone, Key::kDeath, Key::kDeath, Key::kSize, false, Fit::kLowest},
    {"critical 0.97 by length", 0.97, Key::kLength, Key::kSize, Key::kLength, false, Fit::kLowest},
    {"critical 0.9 by length", 0.9, Key::kLength, Key::kSize, Key::kLength, false, Fit::kLowest},
    {"critical 0.97 by death", 0.97, Key::kDeath, Key::kSize, Key::kLength, true, Fit::kLowest},
    {"critical 0.97 by size", 0.97, Key::kSize, Key::kSize, Key::kLength, false, Fit::kLowest},
    {"critical 0.9 by area", 0.9, Key::kArea, Key::kArea, Key::kLength, false, Fit::kLowest},
    {"size, best gap, long", kNone, Key::kSize, Key::kSize, Key::kLength, false, Fit::kBestGap},
    {"size per length", kNone, Key::kSizePerLength, Key::kSizePerLength, Key::kSize, false,
     Fit::kLowest},
};

double length(const Item& item) {
  return static_cast<double>(item.lifetime.last) - static_cast<double>(item.lifetime.first) + 1;
}

double value(Key key, const Item& item, double load) {
  const auto size = static_cast<double>(item.size_bytes);
  switch (key) {
    case Key::kSize:
      return size;
    case Key::kLength:
      return length(item);
    case Key::kArea:
      return size * length(item);
    case Key::kDeath:
      return item.lifetime.last;
    case Key::kEarlyBirth:
      return -static_cast<double>(item.lifetime.first);
    case Key::kLoad:
      return load;
    case Key::kSizePerLength:
      return size / length(item);
  }
  return 0;
}

// The largest load among the sets of each item: a sparse table answers each range in two looks.
std::vector<double> item_loads(const PackProblem& problem, const LiveSets& sets) {
  std::vector<std::vector<double>> table(1);
  for (const uint64_t bytes : sets.sums([&](uint32_t i) { return problem.items[i].size_bytes; })) {
    table[0].push_back(static_cast<double>(bytes));
  }
  for (uint32_t span = 2; span <= sets.count; span *= 2) {
    const std::vector<double>& half = table.back();
    std::vector<double> whole(half.size() - span / 2);
    for (std::size_t s = 0; s < whole.size(); ++s) {
      whole[s] = std::max(half[s], half[s + span / 2]);
    }
    table.push_back(std::move(whole));
  }
  double peak = 1;
  for (const double load : table[0]) peak = std::max(peak, load);
  std::vector<double> loads(problem.items.size(), 0);
  for (uint32_t i = 0; i < loads.size(); ++i) {
    if (!sets.holds(i)) continue;
    const uint32_t count = sets.last[i] - sets.first[i] + 1;
    const auto level = static_cast<uint32_t>(std::bit_width(count / 2));
    const std::vector<double>& row = table[level];
    loads[i] = std::max(row[sets.first[i]], row[sets.last[i] + 1 - (1u << level)]) / peak;
  }
  return loads;
}

// The same where items have gaps: the largest load among the sets of each item's uses.
std::vector<double> loads_of_uses(const PackProblem& problem) {
  std::vector<uint32_t> owner;
  const PackProblem apart = uses_apart(problem, owner);
  const std::vector<double> parts = item_loads(apart, find_live_sets(apart.items));
  std::vector<double> loads(problem.items.size(), 0);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    loads[owner[k]] = std::max(loads[owner[k]], parts[k]);
  }
  return loads;
}

}  // namespace

uint32_t portfolio_size() { return static_cast<uint32_t>(std::size(kOrders)); }

uint32_t portfolio_always() { return 3; }

const char* portfolio_name(uint32_t k) { return kOrders[k].name; }

Portfolio::Portfolio(const PackProblem& problem, const LiveSets& sets)
    : problem_(problem),
      load_(problem.has_gaps() ? loads_of_uses(problem) : item_loads(problem, sets)) {}

Fit Portfolio::fit(uint32_t k) const { return kOrders[k].fit; }

std::span<const uint32_t> Portfolio::order(uint32_t k) {
  const Order& rule = kOrders[k];
  std::vector<std::array<double, 3>> keys(problem_.items.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Item& item = problem_.items[i];
    const bool critical = load_[i] >= rule.critical_load;
    const double tie = rule.shorter_first ? -length(item) : value(rule.tie, item, load_[i]);
    keys[i] = {critical ? 1.0 : 0.0, value(critical ? rule.critical : rule.rest, item, load_[i]),
               critical ? value(Key::kSize, item, load_[i]) : tie};
  }
  order_.resize(keys.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](uint32_t a, uint32_t b) { return keys[a] > keys[b]; });
  return order_;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
