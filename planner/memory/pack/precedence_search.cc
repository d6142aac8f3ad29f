// Narrows the lowest and highest start of each item; branches on the conflict with the least room.
#include "planner/memory/pack/precedence_search.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/assert.h"

namespace arenite::memory {

PrecedenceSearch::PrecedenceSearch(const PackProblem& problem, std::vector<Conflict> conflicts,
                                   const Watch* watch)
    : watch_(watch), conflicts_(std::move(conflicts)) {
  for (const Item& item : problem.items) {
    size_.push_back(static_cast<int64_t>(item.size_bytes));
    alignment_.push_back(static_cast<int64_t>(item.alignment));
    fixed_.push_back(item.fixed ? static_cast<int64_t>(item.fixed->offset) : -1);
    plain_.push_back(item.solid && !item.in_parts ? 1 : 0);
  }
  for (const Overlap& overlap : problem.overlaps)
    plain_[overlap.input] = plain_[overlap.output] = 0;
  const std::size_t count = size_.size();
  at_begin_.assign(count + 1, 0);
  for (const Conflict& c : conflicts_) {
    ++at_begin_[c.a + 1];
    ++at_begin_[c.b + 1];
  }
  for (std::size_t i = 0; i < count; ++i) at_begin_[i + 1] += at_begin_[i];
  at_.resize(at_begin_.back());
  std::vector<uint32_t> next(at_begin_.begin(), at_begin_.end() - 1);
  for (uint32_t c = 0; c < conflicts_.size(); ++c) {
    at_[next[conflicts_[c].a]++] = c;
    at_[next[conflicts_[c].b]++] = c;
  }
  weight_.assign(count, 1);
  queued_.assign(count, 0);
  sets_of_.resize(count);
  make_sets(problem);
  find_twins(problem);
}

// Makes the sets: each live set of parts gets one part of each item, the largest.
void PrecedenceSearch::make_sets(const PackProblem& problem) {
  std::vector<Job> all;
  std::vector<Lifetime> lifetimes;
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    for (const Part& part : parts_of(problem.items[i])) {
      all.push_back({i, static_cast<int64_t>(part.use.bytes.begin),
                     static_cast<int64_t>(part.use.bytes.bytes())});
      lifetimes.push_back(part.use.steps);
    }
  }
  const LiveSets sets = find_live_sets(lifetimes);
  const SetMembers members = list_members(sets);
  std::size_t most = 0;
  for (uint32_t s = 0; s < sets.count; ++s) {
    std::map<std::pair<uint32_t, uint32_t>, Job> jobs;  // by birth and index of the item
    for (const uint32_t k : members.of(s)) {
      const std::pair key(problem.items[all[k].item].lifetime.first, all[k].item);
      const auto [at, added] = jobs.try_emplace(key, all[k]);
      if (!added && at->second.size < all[k].size) at->second = all[k];
    }
    LiveSet& set = sets_.emplace_back();
    set.job = static_cast<uint32_t>(jobs_.size());
    set.jobs = static_cast<uint32_t>(jobs.size());
    for (const auto& [key, job] : jobs) {
      jobs_.push_back(job);
      sets_of_[job.item].push_back(s);
    }
    sharing_.resize(jobs_.size());
    for (uint32_t later = set.job; later < jobs_.size(); ++later) {
      for (uint32_t earlier = set.job; earlier < later; ++earlier) {
        if (plain_[jobs_[earlier].item] != 0 && plain_[jobs_[later].item] != 0) continue;
        find_sharing(earlier, later, set.job);
      }
      set.shares |= !sharing_[later].empty();
    }
    most = std::max<std::size_t>(most, set.jobs);
  }
  set_queued_.assign(sets_.size(), 0);
  by_end_.resize(most);
  begins_.resize(most);
  shared_.resize(most);
  in_.resize(most);
}

// At which distances two jobs may have bytes in common: all that no conflict forbids.
void PrecedenceSearch::find_sharing(uint32_t earlier, uint32_t later, uint32_t first_job) {
  const Job& p = jobs_[earlier];
  const Job& q = jobs_[later];
  int64_t from = p.begin - (q.begin + q.size) + 1;
  const int64_t end = p.begin + p.size - q.begin;
  const uint32_t a = std::min(p.item, q.item);
  const uint32_t b = std::max(p.item, q.item);
  const auto less = [](const Conflict& c, std::pair<uint32_t, uint32_t> wanted) {
    return std::pair(c.a, c.b) < wanted;
  };
  auto c = std::lower_bound(conflicts_.begin(), conflicts_.end(), std::pair(a, b), less);
  std::vector<Forbidden> ranges;
  for (; c != conflicts_.end() && c->a == a && c->b == b; ++c) {
    ranges.push_back(q.item == a ? Forbidden{c->low, c->high} : Forbidden{-c->high, -c->low});
  }
  if (q.item == b) std::reverse(ranges.begin(), ranges.end());
  Sharing sharing{earlier - first_job, static_cast<uint32_t>(pieces_.size()), 0};
  const auto add = [&](int64_t last) {
    if (from <= last) pieces_.push_back({from, last});
  };
  for (const Forbidden& range : ranges) {
    add(std::min(range.low, end - 1));
    from = std::max(from, range.high);
  }
  add(end - 1);
  sharing.pieces = static_cast<uint32_t>(pieces_.size()) - sharing.piece;
  if (sharing.pieces != 0) sharing_[later].push_back(sharing);
}

// If nothing tells two items apart, the one of the lower index lies lower.
void PrecedenceSearch::find_twins(const PackProblem& problem) {
  for (uint32_t c = 0; c < conflicts_.size(); ++c) {
    const Item& x = problem.items[conflicts_[c].a];
    const Item& y = problem.items[conflicts_[c].b];
    if (x.size_bytes == y.size_bytes && x.alignment == y.alignment &&
        x.lifetime.first == y.lifetime.first && x.lifetime.last == y.lifetime.last && !x.fixed &&
        !y.fixed && plain_[conflicts_[c].a] != 0 && plain_[conflicts_[c].b] != 0) {
      twins_.push_back(c);
    }
  }
}

SearchEnd PrecedenceSearch::run(uint64_t height, uint64_t nodes_max, Random& random) {
  ARENITE_ASSERT(height <= kTotalBytesMax);
  height_ = static_cast<int64_t>(height);
  nodes_end_ = nodes_ + nodes_max;
  random_ = &random;
  limit_ = false;
  trail_.clear();
  side_.assign(conflicts_.size(), Side::kOpen);
  clear_queues();
  const std::size_t count = size_.size();
  low_.resize(count);
  high_.resize(count);
  offsets_.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    low_[i] = std::max<int64_t>(fixed_[i], 0);
    high_[i] = fixed_[i] >= 0 ? fixed_[i] : (height_ - size_[i]) / alignment_[i] * alignment_[i];
    if (low_[i] + size_[i] > height_) return SearchEnd::kImpossible;
  }
  for (uint32_t i = 0; i < count; ++i) touch(i);
  bool good = true;
  for (const uint32_t c : twins_) good = good && decide(c, Side::kBelow);
  if (propagate() && good && descend()) {
    for (std::size_t i = 0; i < count; ++i) offsets_[i] = static_cast<uint64_t>(low_[i]);
    return SearchEnd::kFound;
  }
  return limit_ ? SearchEnd::kLimit : SearchEnd::kImpossible;
}

bool PrecedenceSearch::ended() {
  constexpr uint64_t kWorkBetweenLooks = 1 << 18;
  if (watch_ == nullptr || work_ < next_look_) return false;
  next_look_ = work_ + kWorkBetweenLooks;
  return stopped(watch_);
}

bool PrecedenceSearch::descend() {
  if (nodes_ >= nodes_end_ || ended()) {
    limit_ = true;
    return false;
  }
  ++nodes_;
  const uint32_t c = choose();
  if (c == kNothing) return true;
  const int64_t above = high_[conflicts_[c].a] - low_[conflicts_[c].b] - conflicts_[c].high;
  const int64_t below = high_[conflicts_[c].b] - low_[conflicts_[c].a] + conflicts_[c].low;
  const bool above_first = above != below ? above > below : random_->below(2) == 0;
  const std::size_t mark = trail_.size();
  for (const bool is_above : {above_first, !above_first}) {
    if (decide(c, is_above ? Side::kAbove : Side::kBelow) && propagate() && descend()) return true;
    clear_queues();
    undo(mark);
    if (limit_) return false;
  }
  return false;
}

// A conflict that the lowest starts break: heavy, and with little room on one side.
uint32_t PrecedenceSearch::choose() {
  constexpr double kRoomCounts = 16;
  uint32_t best = kNothing;
  double most = 0;
  work_ += conflicts_.size() / 4 + 1;
  for (uint32_t k = 0; k < conflicts_.size(); ++k) {
    const Conflict& c = conflicts_[k];
    const int64_t distance = low_[c.a] - low_[c.b];
    if (distance <= c.low || c.high <= distance || side_[k] != Side::kOpen) continue;
    const int64_t room = std::min(high_[c.a] - low_[c.b] - c.high, high_[c.b] - low_[c.a] + c.low);
    const double part = static_cast<double>(room) / static_cast<double>(height_);
    const double value = (weight_[c.a] + weight_[c.b]) / (1 + kRoomCounts * part);
    if (value <= most) continue;
    most = value;
    best = k;
  }
  return best;
}

bool PrecedenceSearch::decide(uint32_t conflict, Side side) {
  trail_.push_back({Change::kSide, conflict, 0});
  side_[conflict] = side;
  return look_at(conflict);
}

// Draws what follows from the starts of a conflict's items.
bool PrecedenceSearch::look_at(uint32_t conflict) {
  const Conflict& c = conflicts_[conflict];
  switch (side_[conflict]) {
    case Side::kAbove:
      return raise_low(c.a, low_[c.b] + c.high, c.b) && lower_high(c.b, high_[c.a] - c.high, c.a);
    case Side::kBelow:
      return raise_low(c.b, low_[c.a] - c.low, c.a) && lower_high(c.a, high_[c.b] + c.low, c.b);
    case Side::kOpen:
      break;
  }
  const bool above = high_[c.a] - low_[c.b] >= c.high;
  const bool below = low_[c.a] - high_[c.b] <= c.low;
  if (above && below) return true;
  if (!above && !below) return fail(c.a, c.b);
  return decide(conflict, above ? Side::kAbove : Side::kBelow);
}

bool PrecedenceSearch::raise_low(uint32_t item, int64_t low, uint32_t because) {
  if (low <= low_[item]) return true;
  const int64_t rest = low % alignment_[item];
  if (rest != 0) low += alignment_[item] - rest;
  if (low > high_[item]) return fail(item, because);
  trail_.push_back({Change::kLow, item, low_[item]});
  low_[item] = low;
  touch(item);
  return true;
}

bool PrecedenceSearch::lower_high(uint32_t item, int64_t high, uint32_t because) {
  if (high >= high_[item]) return true;
  if (high < 0) return fail(item, because);
  high -= high % alignment_[item];
  if (high < low_[item]) return fail(item, because);
  trail_.push_back({Change::kHigh, item, high_[item]});
  high_[item] = high;
  touch(item);
  return true;
}

void PrecedenceSearch::touch(uint32_t item) {
  if (queued_[item] != 0) return;
  queued_[item] = 1;
  queue_.push_back(item);
  for (const uint32_t s : sets_of_[item]) {
    if (set_queued_[s] != 0) continue;
    set_queued_[s] = 1;
    set_queue_.push_back(s);
  }
}

bool PrecedenceSearch::propagate() {
  while (true) {
    if (!queue_.empty()) {
      const uint32_t item = queue_.back();
      queue_.pop_back();
      queued_[item] = 0;
      work_ += at_begin_[item + 1] - at_begin_[item];
      for (uint32_t k = at_begin_[item]; k < at_begin_[item + 1]; ++k) {
        if (!look_at(at_[k])) return false;
      }
    } else if (!set_queue_.empty()) {
      const uint32_t s = set_queue_.back();
      set_queue_.pop_back();
      set_queued_[s] = 0;
      if (!set_fits(sets_[s])) return false;
    } else {
      return true;
    }
  }
}

// The rest of the queues of a dead branch does not apply to the next one.
void PrecedenceSearch::clear_queues() {
  for (const uint32_t item : queue_) queued_[item] = 0;
  for (const uint32_t s : set_queue_) set_queued_[s] = 0;
  queue_.clear();
  set_queue_.clear();
}

// The most bytes that two jobs have in common at a distance that is still open.
int64_t PrecedenceSearch::shared_bytes(const LiveSet& set, uint32_t job,
                                       const Sharing& sharing) const {
  const Job& q = jobs_[set.job + job];
  const Job& p = jobs_[set.job + sharing.with];
  const int64_t least = low_[q.item] - high_[p.item];
  const int64_t most = high_[q.item] - low_[p.item];
  // At these distances one lies within the other.
  const auto [inside, inside_end] =
      std::minmax({p.begin - q.begin, p.begin + p.size - q.begin - q.size});
  int64_t shared = 0;
  for (uint32_t k = 0; k < sharing.pieces; ++k) {
    const int64_t from = std::max(pieces_[sharing.piece + k].from, least);
    const int64_t to = std::min(pieces_[sharing.piece + k].to, most);
    if (from > to) continue;
    const int64_t at = to < inside ? to : std::clamp(inside, from, std::max(from, inside_end));
    const int64_t begin = std::max(p.begin, at + q.begin);
    const int64_t end = std::min(p.begin + p.size, at + q.begin + q.size);
    shared = std::max(shared, end - begin);
  }
  return shared;
}

// For each beginning, the jobs that begin there or above: those that end up to an end, from the
// lowest end on, must have room up to it. A job shares with earlier ones at most all it has.
bool PrecedenceSearch::set_fits(const LiveSet& set) {
  const std::span<const Job> jobs(&jobs_[set.job], set.jobs);
  const auto begin_of = [&](const Job& job) { return low_[job.item] + job.begin; };
  const auto end_of = [&](const Job& job) { return high_[job.item] + job.begin + job.size; };
  const std::span<uint32_t> by_end(by_end_.data(), set.jobs);
  for (uint32_t k = 0; k < set.jobs; ++k) by_end[k] = k;
  std::sort(by_end.begin(), by_end.end(),
            [&](uint32_t x, uint32_t y) { return end_of(jobs[x]) < end_of(jobs[y]); });
  work_ += set.jobs * 4;
  int64_t lowest = INT64_MAX;
  for (const Job& job : jobs) lowest = std::min(lowest, begin_of(job));
  constexpr uint32_t kAllMax = 32;  // above, all together have to do
  for (uint32_t from = 0; from < set.jobs; ++from) {
    const int64_t begin = set.jobs > kAllMax ? lowest : begin_of(jobs[from]);
    int64_t bytes = 0, shared = 0;
    if (set.shares) std::fill_n(in_.begin(), set.jobs, uint8_t{0});
    std::fill_n(shared_.begin(), set.shares ? set.jobs : 0, 0);
    for (const uint32_t k : by_end) {
      if (begin_of(jobs[k]) < begin) continue;
      bytes += jobs[k].size;
      if (set.shares) shared += more_shared(set, k);
      if (begin + bytes - shared > end_of(jobs[k])) return fail_set(jobs);
    }
    work_ += set.jobs / 2;
    if (set.jobs > kAllMax) break;
  }
  return true;
}

// Adds a job to those seen so far; returns how many bytes more they can share with it.
int64_t PrecedenceSearch::more_shared(const LiveSet& set, uint32_t job) {
  in_[job] = 1;
  int64_t more = 0;
  const auto add = [&](uint32_t later, const Sharing& sharing) {
    const int64_t size = jobs_[set.job + later].size;
    const int64_t before = std::min(shared_[later], size);
    shared_[later] += shared_bytes(set, later, sharing);
    more += std::min(shared_[later], size) - before;
  };
  for (const Sharing& sharing : sharing_[set.job + job]) {
    if (in_[sharing.with] != 0) add(job, sharing);
  }
  for (uint32_t later = job + 1; later < set.jobs; ++later) {
    if (in_[later] == 0) continue;
    for (const Sharing& sharing : sharing_[set.job + later]) {
      if (sharing.with == job) add(later, sharing);
    }
  }
  return more;
}

bool PrecedenceSearch::fail(uint32_t item, uint32_t other) {
  weight_[item] += 1;
  weight_[other] += 1;
  return false;
}

bool PrecedenceSearch::fail_set(std::span<const Job> jobs) {
  for (const Job& job : jobs) weight_[job.item] += 1;
  return false;
}

void PrecedenceSearch::undo(std::size_t mark) {
  while (trail_.size() > mark) {
    const Change& change = trail_.back();
    switch (change.kind) {
      case Change::kLow:
        low_[change.index] = change.before;
        break;
      case Change::kHigh:
        high_[change.index] = change.before;
        break;
      case Change::kSide:
        side_[change.index] = Side::kOpen;
        break;
    }
    trail_.pop_back();
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
