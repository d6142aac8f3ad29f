// Adds items in order of birth; keeps the cheapest assignment for each spread of live items.
#include "planner/memory/assign/beam_search.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/assert.h"

#include "planner/memory/assign/lagrangian_bound.h"

#include "support/random.h"

namespace arenite::memory {

namespace {

// When items come and go, and the slot that each has while it lives.
struct BeamOrder {
  std::vector<uint32_t> births;             // items in the order of the sweep
  std::vector<std::vector<uint32_t>> gone;  // [place in births]: items dead since the last one
  std::vector<uint32_t> slot_of;            // by item
  uint32_t slots = 0;
};

// Items that may share when they are born come last among those of one birth: the check of what is
// live after the step, made when one is added, then sees all of them.
BeamOrder order_by_birth(const AssignProblem& problem) {
  std::vector<bool> shares(problem.items(), false);
  for (const Overlap& overlap : problem.overlaps) {
    shares[overlap.output] = true;
    const Lifetime& input = problem.lifetimes[overlap.input];
    if (input.first == input.last) shares[overlap.input] = true;
  }
  BeamOrder order;
  order.births.resize(problem.items());
  std::iota(order.births.begin(), order.births.end(), 0u);
  std::stable_sort(order.births.begin(), order.births.end(), [&](uint32_t a, uint32_t b) {
    if (problem.lifetimes[a].first != problem.lifetimes[b].first) {
      return problem.lifetimes[a].first < problem.lifetimes[b].first;
    }
    return shares[a] < shares[b];
  });
  std::vector<uint32_t> deaths(order.births);
  std::stable_sort(deaths.begin(), deaths.end(), [&](uint32_t a, uint32_t b) {
    return problem.lifetimes[a].last < problem.lifetimes[b].last;
  });
  order.slot_of.resize(problem.items());
  order.gone.resize(problem.items());
  std::vector<uint32_t> free;
  std::size_t dead = 0;
  for (std::size_t k = 0; k < order.births.size(); ++k) {
    const uint32_t item = order.births[k];
    while (problem.lifetimes[deaths[dead]].last < problem.lifetimes[item].first) {
      free.push_back(order.slot_of[deaths[dead]]);
      order.gone[k].push_back(deaths[dead++]);
    }
    if (free.empty()) free.push_back(order.slots++);
    order.slot_of[item] = free.back();
    free.pop_back();
  }
  return order;
}

constexpr uint8_t kNowhere = 0xff;  // a slot without a live item

uint64_t mark(uint32_t slot, uint32_t memory) {
  return Random((uint64_t{slot} << 8) | memory).next();
}

// The partial assignments after some item, one a row.
struct Layer {
  std::vector<double> cost;     // of all items so far
  std::vector<double> tail;     // what the live ones will pay: bytes x multipliers up to their ends
  std::vector<uint64_t> whole;  // bit c: all items of cut c so far are in its memory
  std::vector<uint64_t> hash;   // of the row of `where`
  std::vector<uint32_t> origin;  // index into the history
  std::vector<uint64_t> used;    // [row][memory]: bytes of the live items
  std::vector<uint64_t> saved;   // [row][memory]: of them shared, at the step of the last birth
  std::vector<uint8_t> where;    // [row][slot]

  std::size_t rows() const { return cost.size(); }
  void resize(std::size_t rows, std::size_t memories, std::size_t slots) {
    cost.resize(rows);
    tail.resize(rows);
    whole.resize(rows);
    hash.resize(rows);
    origin.resize(rows);
    used.resize(rows * memories);
    saved.resize(rows * memories);
    where.resize(rows * slots);
  }
};

struct Candidate {
  uint32_t row = 0;     // in the layer before
  uint32_t memory = 0;  // of the new item
  double cost = 0;
  double promise = 0;  // no completion costs less
  uint64_t saved = 0;
  uint64_t whole = 0;
  uint64_t hash = 0;
};

class BeamSearch {
 public:
  BeamSearch(const AssignProblem& problem, const LiveSets& sets, const Multipliers& multipliers,
             std::span<const Cut> cuts, const BeamLimits& limits)
      : problem_(problem),
        sets_(sets),
        cuts_(cuts),
        limits_(limits),
        memories_(problem.memories()),
        order_(order_by_birth(problem)),
        completion_(problem, sets, multipliers, order_.births),
        // A tie with the known cost, up to the rounding of the sums, is no gain.
        cost_end_(limits.cost_max == kNotAllowed
                      ? kNotAllowed
                      : limits.cost_max - 1e-9 * std::abs(limits.cost_max)) {
    find_choices();
    ARENITE_ASSERT(memories_ <= kMemoriesMax && cuts.size() <= kCutsMax);
    member_of_.resize(problem.items());
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      for (const uint32_t item : cuts[c].items) member_of_[item] |= uint64_t{1} << c;
    }
    for (std::size_t k = 0; k < order_.births.size(); ++k) {
      const uint64_t cuts_here = member_of_[order_.births[k]];
      for (std::size_t c = 0; c < cuts.size(); ++c) {
        if ((cuts_here >> c & 1) != 0) place_of_last_[c] = k;
      }
    }
    find_partners();
  }

  Assignment run() {
    layer_.resize(1, memories_, order_.slots);
    layer_.cost[0] = layer_.tail[0] = 0;
    layer_.whole[0] = ~uint64_t{0};
    layer_.hash[0] = 0;
    layer_.origin[0] = UINT32_MAX;
    std::fill(layer_.where.begin(), layer_.where.end(), kNowhere);
    for (std::size_t k = 0; k < order_.births.size(); ++k) {
      if (stopped(limits_.watch)) return {};
      bury(k);
      expand(k);
      thin_out();
      settle(k);
      if (layer_.rows() == 0) break;
    }
    return finish();
  }

 private:
  // Finds the memories worth trying for each item, cheapest first. If a memory has room for all
  // items that could ever be in it, no other is worth trying at its cost or more, unless a cut says
  // so.
  void find_choices() {
    std::vector<uint64_t> peaks(memories_, 0);
    for (uint32_t m = 0; m < memories_; ++m) {
      for (const uint64_t bytes : sets_.sums([&](uint32_t i) {
             return problem_.cost_in(i, m) == kNotAllowed ? 0 : problem_.bytes_in(i, m);
           })) {
        peaks[m] = std::max(peaks[m], bytes);
      }
    }
    std::vector<bool> cut(problem_.items(), false);
    for (const Cut& c : cuts_) {
      for (const uint32_t item : c.items) cut[item] = true;
    }
    choices_.resize(problem_.items());
    for (uint32_t i = 0; i < problem_.items(); ++i) {
      std::vector<uint32_t>& choices = choices_[i];
      for (uint32_t m = 0; m < memories_; ++m) {
        if (problem_.cost_in(i, m) != kNotAllowed) choices.push_back(m);
      }
      std::stable_sort(choices.begin(), choices.end(), [&](uint32_t a, uint32_t b) {
        return problem_.cost_in(i, a) < problem_.cost_in(i, b);
      });
      for (std::size_t c = 0; c < choices.size(); ++c) {
        const uint32_t m = choices[c];
        const bool roomy = peaks[m] <= problem_.capacities[m] || problem_.bytes_in(i, m) == 0;
        if (roomy && !cut[i]) choices.resize(c + 1);
      }
    }
  }

  // For each item the overlaps with items that come before it.
  void find_partners() {
    std::vector<std::size_t> place(problem_.items());
    for (std::size_t k = 0; k < place.size(); ++k) place[order_.births[k]] = k;
    partners_.resize(problem_.items());
    for (const Overlap& overlap : problem_.overlaps) {
      const bool input_first = place[overlap.input] < place[overlap.output];
      partners_[input_first ? overlap.output : overlap.input].push_back(
          {overlap, order_.slot_of[input_first ? overlap.input : overlap.output]});
    }
  }

  uint8_t* row_of(Layer& layer, std::size_t row) const {
    return layer.where.data() + row * order_.slots;
  }

  void bury(std::size_t k) {
    for (const uint32_t item : order_.gone[k]) {
      const uint32_t slot = order_.slot_of[item];
      for (std::size_t r = 0; r < layer_.rows(); ++r) {
        uint8_t& at = row_of(layer_, r)[slot];
        layer_.used[r * memories_ + at] -= problem_.bytes_in(item, at);
        layer_.tail[r] -= completion_.tail(item, at);
        layer_.hash[r] ^= mark(slot, at);
        at = kNowhere;
      }
    }
    live_.erase(std::remove_if(live_.begin(), live_.end(),
                               [&](uint32_t item) {
                                 return problem_.lifetimes[item].last <
                                        problem_.lifetimes[order_.births[k]].first;
                               }),
                live_.end());
    const bool new_step = k > 0 && problem_.lifetimes[order_.births[k]].first !=
                                       problem_.lifetimes[order_.births[k - 1]].first;
    if (new_step) std::fill(layer_.saved.begin(), layer_.saved.end(), 0);
  }

  // Bytes that the item may share in a memory with partners that are there: at most all of its own.
  uint64_t saving(uint32_t item, uint32_t memory, const uint8_t* where) const {
    uint64_t bytes = 0;
    for (const Partner& partner : partners_[item]) {
      if (where[partner.slot] == memory) bytes += saved_bytes_in(problem_, partner.overlap, memory);
    }
    return std::min(bytes, problem_.bytes_in(item, memory));
  }

  // Whether the items that outlive the item's first step fit with it.
  bool fits_after(uint32_t item, uint32_t memory, const uint8_t* where) const {
    uint64_t bytes = 0;
    if (problem_.lifetimes[item].last > problem_.lifetimes[item].first) {
      bytes = problem_.bytes_in(item, memory);
    }
    for (const uint32_t other : live_) {
      if (where[order_.slot_of[other]] == memory &&
          problem_.lifetimes[other].last > problem_.lifetimes[item].first) {
        bytes += problem_.bytes_in(other, memory);
      }
    }
    return bytes <= problem_.capacities[memory];
  }

  void expand(std::size_t k) {
    const uint32_t item = order_.births[k];
    const std::size_t set = sets_.first[item];
    candidates_.clear();
    std::size_t entries = 16;
    while (entries < 2 * layer_.rows() * memories_) entries *= 2;
    table_.assign(entries, 0);
    for (std::size_t r = 0; r < layer_.rows(); ++r) {
      // The rest's part that does not depend on where the new item goes.
      double base = layer_.tail[r] + completion_.rest(k + 1, set);
      for (uint32_t m = 0; m < memories_; ++m) {
        const double past = completion_.past(set, m);
        if (past > 0) base -= past * static_cast<double>(layer_.used[r * memories_ + m]);
      }
      for (const uint32_t m : choices_[item]) try_choice(k, r, m, base);
    }
    live_.push_back(item);
  }

  void try_choice(std::size_t k, std::size_t r, uint32_t m, double base) {
    const uint32_t item = order_.births[k];
    const uint8_t* where = row_of(layer_, r);
    const uint64_t bytes = problem_.bytes_in(item, m);
    Candidate made{.row = static_cast<uint32_t>(r), .memory = m};
    made.saved = saving(item, m, where);
    const uint64_t needed = layer_.used[r * memories_ + m] + bytes;
    const uint64_t saved = layer_.saved[r * memories_ + m] + made.saved;
    if (needed > problem_.capacities[m] && needed - problem_.capacities[m] > saved) return;
    if (saved > 0 && !fits_after(item, m, where)) return;
    made.whole = layer_.whole[r];
    if (!keeps_cuts(k, m, made.whole)) return;
    made.cost = layer_.cost[r] + problem_.cost_in(item, m);
    const double past = completion_.past(sets_.first[item], m);
    // Multipliers of room that stays empty may bring this below the cost so far.
    made.promise = std::max(made.cost, base + made.cost + completion_.tail(item, m) -
                                           past * static_cast<double>(bytes));
    if (made.promise >= cost_end_) {
      bounded_ = true;
      return;
    }
    made.hash = layer_.hash[r] ^ mark(order_.slot_of[item], m);
    add(made);
  }

  bool keeps_cuts(std::size_t k, uint32_t memory, uint64_t& whole) const {
    for (uint64_t rest = member_of_[order_.births[k]]; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(__builtin_ctzll(rest));
      if (cuts_[c].memory != memory) whole &= ~(uint64_t{1} << c);
      if (place_of_last_[c] != k) continue;
      if ((whole >> c & 1) != 0) return false;
      whole |= uint64_t{1} << c;  // it is kept: all rows agree from here on
    }
    return true;
  }

  // Keeps the cheapest candidate of those with the same future.
  void add(const Candidate& made) {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = Random(made.hash ^ made.whole).next() & mask;; at = (at + 1) & mask) {
      if (table_[at] == 0) {
        candidates_.push_back(made);
        table_[at] = static_cast<uint32_t>(candidates_.size());
        return;
      }
      Candidate& other = candidates_[table_[at] - 1];
      if (other.hash != made.hash || other.whole != made.whole || other.memory != made.memory ||
          std::memcmp(row_of(layer_, other.row), row_of(layer_, made.row), order_.slots) != 0) {
        continue;
      }
      if (made.cost < other.cost) other = made;
      return;
    }
  }

  void thin_out() {
    if (candidates_.size() <= limits_.width) return;
    const auto better = [](const Candidate& a, const Candidate& b) {
      if (a.promise != b.promise) return a.promise < b.promise;
      return a.row != b.row ? a.row < b.row : a.memory < b.memory;
    };
    const auto end = candidates_.begin() + limits_.width;
    std::nth_element(candidates_.begin(), end, candidates_.end(), better);
    for (auto it = end; it != candidates_.end(); ++it) {
      dropped_bound_ = std::min(dropped_bound_, it->promise);
    }
    candidates_.erase(end, candidates_.end());
    std::sort(candidates_.begin(), candidates_.end(), better);
  }

  void settle(std::size_t k) {
    const uint32_t item = order_.births[k];
    const uint32_t slots = order_.slots;
    next_.resize(candidates_.size(), memories_, slots);
    for (std::size_t r = 0; r < candidates_.size(); ++r) {
      const Candidate& from = candidates_[r];
      next_.cost[r] = from.cost;
      next_.tail[r] = layer_.tail[from.row] + completion_.tail(item, from.memory);
      next_.whole[r] = from.whole;
      next_.hash[r] = from.hash;
      next_.origin[r] = static_cast<uint32_t>(history_.size());
      history_.push_back({layer_.origin[from.row], from.memory});
      std::memcpy(row_of(next_, r), row_of(layer_, from.row), slots);
      row_of(next_, r)[order_.slot_of[item]] = static_cast<uint8_t>(from.memory);
      std::copy_n(&layer_.used[from.row * memories_], memories_, &next_.used[r * memories_]);
      std::copy_n(&layer_.saved[from.row * memories_], memories_, &next_.saved[r * memories_]);
      next_.used[r * memories_ + from.memory] += problem_.bytes_in(item, from.memory);
      next_.saved[r * memories_ + from.memory] += from.saved;
    }
    std::swap(layer_, next_);
  }

  Assignment finish() const {
    Assignment result;
    const double limit_bound = bounded_ ? cost_end_ : kNotAllowed;
    result.lower_bound = std::min(dropped_bound_, limit_bound);
    const auto best = std::min_element(layer_.cost.begin(), layer_.cost.end());
    if (best == layer_.cost.end()) return result;
    result.cost = *best;
    result.lower_bound = std::min(result.lower_bound, *best);
    result.memory_of.emplace(problem_.items(), 0u);
    uint32_t at = layer_.origin[static_cast<std::size_t>(best - layer_.cost.begin())];
    for (std::size_t k = order_.births.size(); k-- > 0;) {
      (*result.memory_of)[order_.births[k]] = history_[at].memory;
      at = history_[at].before;
    }
    return result;
  }

  struct Step {
    uint32_t before = 0;  // index into the history
    uint32_t memory = 0;
  };

  const AssignProblem& problem_;
  const LiveSets& sets_;
  std::span<const Cut> cuts_;
  BeamLimits limits_;
  std::size_t memories_;
  BeamOrder order_;
  CompletionBound completion_;
  double cost_end_;
  struct Partner {
    Overlap overlap;
    uint32_t slot = 0;  // of the other item
  };
  std::vector<std::vector<Partner>> partners_;
  std::vector<std::vector<uint32_t>> choices_;
  std::vector<uint64_t> member_of_;  // by item: cuts as bits
  std::size_t place_of_last_[kCutsMax] = {};
  Layer layer_;
  Layer next_;
  std::vector<uint32_t> live_;
  std::vector<Candidate> candidates_;
  std::vector<uint32_t> table_;  // candidate + 1, by hash
  std::vector<Step> history_;
  double dropped_bound_ = kNotAllowed;
  bool bounded_ = false;  // a branch was dropped for its cost
};

}  // namespace

Assignment beam_search(const AssignProblem& problem, const LiveSets& sets,
                       const Multipliers& multipliers, std::span<const Cut> cuts,
                       const BeamLimits& limits) {
  return BeamSearch(problem, sets, multipliers, cuts, limits).run();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
