// Depth first: fills the lowest valley from the edge with the fewest pieces that can rest there.
#include "planner/memory/pack/skyline_search.h"

#include <algorithm>
#include <numeric>

#include "core/assert.h"

namespace arenite::memory {

namespace {

constexpr int64_t kNever = INT64_MAX;
constexpr std::size_t kTrailReserve = std::size_t{1} << 16;

// Pieces by `set_of`: those of set s are list[begin[s] .. begin[s + 1]).
template <typename SetOf>
void group(const LiveSets& sets, std::size_t count, SetOf set_of, std::vector<uint32_t>& begin,
           std::vector<uint32_t>& list) {
  begin.assign(sets.count + 1, 0);
  for (uint32_t i = 0; i < count; ++i) {
    if (sets.holds(i)) ++begin[set_of(i) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  list.resize(begin.back());
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (uint32_t i = 0; i < count; ++i) {
    if (sets.holds(i)) list[next[set_of(i)]++] = i;
  }
}

}  // namespace

SkylineSearch::SkylineSearch(const PackProblem& problem, const LiveSets& sets, const Watch* watch)
    : watch_(watch), count_(sets.count), members_(list_members(sets)) {
  uint64_t unit = 0;
  for (const Item& item : problem.items) {
    unit = std::gcd(unit, item.alignment);
    if (item.fixed) unit = std::gcd(unit, item.fixed->offset);
  }
  unit_ = std::max<uint64_t>(unit, 1);
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    pieces_.push_back({static_cast<int64_t>((item.size_bytes + unit_ - 1) / unit_),
                       static_cast<int64_t>(item.alignment / unit_),
                       item.fixed ? static_cast<int64_t>(item.fixed->offset / unit_) : -1,
                       sets.first[i], sets.last[i]});
  }
  group(
      sets, pieces_.size(), [&](uint32_t i) { return sets.first[i]; }, start_begin_, start_);
  group(
      sets, pieces_.size(), [&](uint32_t i) { return sets.last[i]; }, end_begin_, end_);
  ground_.resize(sets.count);
  top_.resize(sets.count);
  to_come_.resize(sets.count);
  queued_.resize(sets.count);
  queue_.reserve(sets.count);
  low_.resize(pieces_.size());
  placed_.resize(pieces_.size());
  offset_bytes_.resize(pieces_.size());
  trail_.reserve(kTrailReserve);
}

SearchEnd SkylineSearch::run(uint64_t height_units, std::span<const double> keys,
                             uint64_t nodes_max) {
  height_ = static_cast<int64_t>(height_units);
  nodes_end_ = nodes_ + nodes_max;
  limit_ = false;
  reset(keys);
  for (const int64_t bytes : to_come_) {
    if (bytes > height_) return SearchEnd::kImpossible;
  }
  for (const Piece& piece : pieces_) {
    if (std::max<int64_t>(piece.fixed, 0) + piece.size > height_) return SearchEnd::kImpossible;
  }
  if (descend()) return SearchEnd::kFound;
  return limit_ ? SearchEnd::kLimit : SearchEnd::kImpossible;
}

void SkylineSearch::reset(std::span<const double> keys) {
  std::fill(ground_.begin(), ground_.end(), 0);
  std::fill(top_.begin(), top_.end(), 0);
  std::fill(to_come_.begin(), to_come_.end(), 0);
  std::fill(placed_.begin(), placed_.end(), uint8_t{0});
  left_ = 0;
  trail_.clear();
  for (uint32_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    low_[i] = std::max<int64_t>(piece.fixed, 0);
    if (piece.first > piece.last) {
      offset_bytes_[i] = static_cast<uint64_t>(low_[i]) * unit_;
      continue;
    }
    ++left_;
    for (uint32_t s = piece.first; s <= piece.last; ++s) to_come_[s] += piece.size;
  }
  const auto greater = [keys](uint32_t a, uint32_t b) {
    return keys[a] != keys[b] ? keys[a] > keys[b] : a < b;
  };
  for (uint32_t s = 0; s < count_; ++s) {
    std::sort(start_.begin() + start_begin_[s], start_.begin() + start_begin_[s + 1], greater);
    std::sort(end_.begin() + end_begin_[s], end_.begin() + end_begin_[s + 1], greater);
  }
}

std::span<const uint32_t> SkylineSearch::pieces_at(uint32_t set, bool left) const {
  const std::vector<uint32_t>& begin = left ? start_begin_ : end_begin_;
  return std::span(left ? start_ : end_).subspan(begin[set], begin[set + 1] - begin[set]);
}

// Whether a piece at a valley's edge can lie on its ground: its sets are all of the valley when its
// lowest offset is this level, and something holds it up there.
bool SkylineSearch::may_rest(uint32_t i, int64_t level) const {
  if (placed_[i] != 0 || low_[i] != level) return false;
  const Piece& piece = pieces_[i];
  if (piece.fixed >= 0) return true;
  int64_t top = 0;
  for (uint32_t s = piece.first; s <= piece.last; ++s) top = std::max(top, top_[s]);
  return align_up(top, piece.alignment) == level;
}

// Whether a piece that can't be told from pieces[k] has been a choice before it.
bool SkylineSearch::has_earlier_twin(std::span<const uint32_t> pieces, std::size_t k,
                                     int64_t level) const {
  const Piece& piece = pieces_[pieces[k]];
  for (std::size_t e = 0; e < k; ++e) {
    const Piece& other = pieces_[pieces[e]];
    if (placed_[pieces[e]] == 0 && other.size == piece.size && other.first == piece.first &&
        other.last == piece.last && other.alignment == piece.alignment && other.fixed < 0 &&
        piece.fixed < 0 && low_[pieces[e]] == level) {
      return true;
    }
  }
  return false;
}

// The lowest level above this one at which a piece of the set could rest when none rests here.
int64_t SkylineSearch::next_level(uint32_t set, bool left, int64_t level) const {
  int64_t next = kNever;
  for (const uint32_t i : members_.of(set)) {
    if (placed_[i] != 0) continue;
    if (low_[i] > level) {
      next = std::min(next, low_[i]);
      continue;
    }
    // Something else of its stretch has to hold it up.
    const Piece& piece = pieces_[i];
    const uint32_t from = left ? set + 1 : piece.first;
    const uint32_t to = left ? piece.last + 1 : set;
    int64_t support = kNever;
    for (uint32_t s = from; s < to; ++s) {
      for (const uint32_t j : pieces_at(s, left)) {
        if (placed_[j] == 0) support = std::min(support, low_[j] + pieces_[j].size);
      }
    }
    if (support != kNever) next = std::min(next, align_up(support, piece.alignment));
    work_ += to - from;
  }
  return next;
}

// Counts the choices at one edge of a valley; takes it when it has fewer than the best so far.
// False when it has none.
bool SkylineSearch::look_at_edge(uint32_t set, bool left, uint32_t other_edge, Edge& best) const {
  const int64_t level = ground_[set];
  const int64_t slack = height_ - level - to_come_[set];
  const std::span<const uint32_t> pieces = pieces_at(set, left);
  uint32_t choices = 0;
  for (std::size_t k = 0; k < pieces.size() && choices <= best.choices; ++k) {
    const Piece& piece = pieces_[pieces[k]];
    const bool inside = left ? piece.last <= other_edge : piece.first >= other_edge;
    if (inside && may_rest(pieces[k], level) && !has_earlier_twin(pieces, k, level)) ++choices;
  }
  work_ += pieces.size();
  if (choices > best.choices) return true;
  int64_t next = -1;
  if (slack > 0) {
    next = next_level(set, left, level);
    if (next == kNever || next - level > slack) next = -1;
  }
  if (next >= 0) ++choices;
  if (choices < best.choices || (choices == best.choices && slack < best.slack)) {
    best = {set, left, choices, slack, next};
  }
  return choices != 0;
}

// The edge with the fewest choices; false when some edge has none.
bool SkylineSearch::find_edge(Edge& best) const {
  work_ += count_ / 4;
  for (uint32_t a = 0; a < count_;) {
    if (to_come_[a] == 0) {
      ++a;
      continue;
    }
    uint32_t z = a;
    while (z + 1 < count_ && to_come_[z + 1] != 0 && ground_[z + 1] == ground_[a]) ++z;
    const bool left_wall = a == 0 || to_come_[a - 1] == 0 || ground_[a - 1] > ground_[a];
    const bool right_wall = z + 1 == count_ || to_come_[z + 1] == 0 || ground_[z + 1] > ground_[a];
    if (left_wall && right_wall) {
      if (!look_at_edge(a, true, z, best) || !look_at_edge(z, false, a, best)) return false;
      if (best.choices <= 1) return true;
    }
    a = z + 1;
  }
  return true;
}

bool SkylineSearch::ended() {
  constexpr uint64_t kWorkBetweenLooks = 1 << 18;
  if (watch_ == nullptr || work_ < next_look_) return false;
  next_look_ = work_ + kWorkBetweenLooks;
  return stopped(watch_);
}

bool SkylineSearch::descend() {
  if (left_ == 0) return true;
  if (nodes_ >= nodes_end_ || ended()) {
    limit_ = true;
    return false;
  }
  ++nodes_;
  Edge edge;
  if (!find_edge(edge)) return false;
  const int64_t level = ground_[edge.set];
  const std::size_t mark = trail_.size();
  const std::span<const uint32_t> pieces = pieces_at(edge.set, edge.left);
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const uint32_t i = pieces[k];
    if (!may_rest(i, level) || has_earlier_twin(pieces, k, level)) continue;
    if (place(i) && descend()) return true;
    take_back(i, mark);
    if (limit_) return false;
  }
  if (edge.next_level < 0) return false;
  if (lift(edge.set, edge.next_level) && descend()) return true;
  undo(mark);
  return false;
}

bool SkylineSearch::place(uint32_t i) {
  ARENITE_ASSERT(placed_[i] == 0);
  const Piece& piece = pieces_[i];
  const int64_t end = low_[i] + piece.size;
  placed_[i] = 1;
  --left_;
  offset_bytes_[i] = static_cast<uint64_t>(low_[i]) * unit_;
  for (uint32_t s = piece.first; s <= piece.last; ++s) to_come_[s] -= piece.size;
  bool good = true;
  for (uint32_t s = piece.first; s <= piece.last && good; ++s) {
    trail_.push_back({Change::kTop, s, top_[s]});
    top_[s] = end;
    good = raise(s, end);
  }
  return propagate() && good;
}

void SkylineSearch::take_back(uint32_t i, std::size_t mark) {
  undo(mark);
  const Piece& piece = pieces_[i];
  placed_[i] = 0;
  ++left_;
  for (uint32_t s = piece.first; s <= piece.last; ++s) to_come_[s] += piece.size;
}

bool SkylineSearch::lift(uint32_t set, int64_t level) {
  const bool good = raise(set, level);
  return propagate() && good;
}

// The ground of a set rises, and with it the lowest offsets of its pieces.
bool SkylineSearch::raise(uint32_t set, int64_t level) {
  trail_.push_back({Change::kGround, set, ground_[set]});
  ground_[set] = level;
  if (to_come_[set] == 0) return true;
  if (level + to_come_[set] > height_) return false;
  work_ += members_.begin[set + 1] - members_.begin[set];
  for (const uint32_t i : members_.of(set)) {
    if (placed_[i] != 0 || low_[i] >= level) continue;
    const Piece& piece = pieces_[i];
    const int64_t before = low_[i];
    const int64_t low = align_up(level, piece.alignment);
    if (piece.fixed >= 0 || low + piece.size > height_) return false;
    trail_.push_back({Change::kLow, i, before});
    low_[i] = low;
    // Only where this was the piece that could lie lowest may the ground rise.
    for (uint32_t s = piece.first; s <= piece.last; ++s) {
      if (queued_[s] != 0 || ground_[s] >= low || before > ground_[s]) continue;
      queued_[s] = 1;
      queue_.push_back(s);
    }
  }
  return true;
}

bool SkylineSearch::propagate() {
  bool good = true;
  while (!queue_.empty()) {
    const uint32_t set = queue_.back();
    queue_.pop_back();
    queued_[set] = 0;
    if (!good || to_come_[set] == 0) continue;
    int64_t least = kNever;
    for (const uint32_t i : members_.of(set)) {
      if (placed_[i] != 0) continue;
      least = std::min(least, low_[i]);
      if (least <= ground_[set]) break;
    }
    if (least != kNever && least > ground_[set]) good = raise(set, least);
  }
  return good;
}

void SkylineSearch::undo(std::size_t mark) {
  while (trail_.size() > mark) {
    const Change& change = trail_.back();
    switch (change.kind) {
      case Change::kGround:
        ground_[change.index] = change.before;
        break;
      case Change::kTop:
        top_[change.index] = change.before;
        break;
      case Change::kLow:
        low_[change.index] = change.before;
        break;
    }
    trail_.pop_back();
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
