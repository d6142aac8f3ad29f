// Ties named buffers into groups around a leader, then makes each group one rigid item.
#include "planner/memplan/constraints.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "planner/memory/problem/items.h"
#include "support/printable.h"

namespace arenite::memory {

namespace {

// Keeps sums of a few distances within 64 bits.
constexpr int64_t kTieBytesMax = int64_t{1} << 60;
const std::string kTooFar = " is more than 2^60 bytes from a tensor that it is tied to";

// The place of a buffer, as far as it is known: so many bytes from the start of `leader`, which may
// lie above it.
struct Tie {
  uint32_t leader = 0;
  int64_t offset_bytes = 0;
};

class Applier {
 public:
  Applier(const Constraints& constraints, const std::function<uint32_t(const std::string&)>& find,
          Problem& problem)
      : constraints_(constraints),
        find_(find),
        problem_(problem),
        anchors_(find_anchors(problem.buffers)),
        ties_(problem.buffers.size()) {
    for (uint32_t i = 0; i < ties_.size(); ++i) {
      if (anchors_[i].offset_bytes > uint64_t{kTieBytesMax}) fail(quote(name(i)) + kTooFar);
      ties_[i] = {anchors_[i].root, static_cast<int64_t>(anchors_[i].offset_bytes)};
    }
  }

  void run() {
    for (entry_ = 0; entry_ < constraints_.entries.size(); ++entry_) {
      const Constraint& entry = constraints_.entries[entry_];
      const uint32_t buffer = named(entry.tensor);
      if (!entry.not_in.empty()) bar(buffer, entry.not_in);
      if (entry.memory) pin(buffer, memory_named(*entry.memory), entry.offset);
      if (entry.tie) tie(buffer, entry);
    }
    std::map<uint32_t, std::vector<uint32_t>> groups;
    for (uint32_t i = 0; i < ties_.size(); ++i) groups[ties_[i].leader].push_back(i);
    std::map<uint32_t, std::size_t> touched = tied_by_;
    for (const auto& [buffer, pin] : pins_) touched.emplace(ties_[buffer].leader, pin.entry);
    for (const auto& [leader, entry] : touched) {
      entry_ = entry;
      settle(groups.at(leader));
    }
    check_shared_bytes(groups);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where(constraints_, constraints_.entries[entry_]) + what);
  }
  const std::string& name(uint32_t buffer) const { return problem_.buffers[buffer].name; }

  uint32_t named(const std::string& tensor) const {
    try {
      return find_(tensor);
    } catch (const std::runtime_error& error) {
      fail(error.what());
    }
  }

  uint32_t memory_named(const std::string& memory) const {
    std::string known;
    for (uint32_t m = 0; m < problem_.memories.size(); ++m) {
      if (problem_.memories[m].name == memory) return m;
      known += (known.empty() ? "" : ", ") + problem_.memories[m].name;
    }
    fail("unknown memory " + quote(memory) + "; the memories are: " + known);
  }

  std::vector<uint32_t> allowed_to(uint32_t buffer) const {
    std::vector<uint32_t> allowed = problem_.buffers[buffer].allowed;
    if (allowed.empty()) {
      allowed.resize(problem_.memories.size());
      std::iota(allowed.begin(), allowed.end(), 0u);
    }
    return allowed;
  }

  void set_allowed(uint32_t buffer, std::vector<uint32_t> allowed) {
    if (allowed.empty()) fail("no memory is left for it");
    problem_.buffers[buffer].allowed = std::move(allowed);
  }

  void bar(uint32_t buffer, const std::vector<std::string>& memories) {
    std::vector<uint32_t> allowed = allowed_to(buffer);
    for (const std::string& memory : memories) std::erase(allowed, memory_named(memory));
    set_allowed(buffer, std::move(allowed));
  }

  void pin(uint32_t buffer, uint32_t memory, std::optional<uint64_t> offset) {
    std::vector<uint32_t> allowed = allowed_to(buffer);
    std::erase_if(allowed, [memory](uint32_t m) { return m != memory; });
    set_allowed(buffer, std::move(allowed));
    if (!offset) return;
    const auto [pinned, added] = pins_.emplace(buffer, Pin{{memory, *offset}, entry_});
    if (!added) {
      fail("it is pinned by constraint " +
           std::to_string(constraints_.entries[pinned->second.entry].number));
    }
  }

  void tie(uint32_t buffer, const Constraint& entry) {
    const uint32_t other = named(*entry.tie);
    const Tie a = ties_[buffer];
    const Tie b = ties_[other];
    // start(buffer) = start(other) + distance, in terms of the two leaders.
    const int64_t between = b.offset_bytes + entry.distance_bytes - a.offset_bytes;
    if (a.leader == b.leader) {
      if (between != 0) {
        fail("it lies " + std::to_string(a.offset_bytes - b.offset_bytes) + " bytes from " +
             quote(name(other)) + " already, by other constraints or as part of the model");
      }
      return;
    }
    for (Tie& tie : ties_) {
      if (tie.leader != a.leader) continue;
      tie = {b.leader, tie.offset_bytes + between};
      if (tie.offset_bytes > kTieBytesMax || tie.offset_bytes < -kTieBytesMax) fail("it" + kTooFar);
    }
    tied_by_.erase(a.leader);
    tied_by_[b.leader] = entry_;
  }

  // Puts a group's members on the lowest of them, and its pins on that.
  void settle(const std::vector<uint32_t>& members) {
    const uint32_t root = *std::min_element(
        members.begin(), members.end(),
        [this](uint32_t a, uint32_t b) { return ties_[a].offset_bytes < ties_[b].offset_bytes; });
    std::vector<uint32_t> allowed = allowed_to(root);
    std::optional<Placement> fixed;
    for (const uint32_t i : members) {
      Buffer& buffer = problem_.buffers[i];
      const auto distance = static_cast<uint64_t>(ties_[i].offset_bytes - ties_[root].offset_bytes);
      if (const auto found = pins_.find(i); found != pins_.end()) {
        buffer.fixed = found->second.placement;
      }
      if (buffer.fixed) merge_pin(*buffer.fixed, distance, fixed);
      std::erase_if(allowed, [own = allowed_to(i)](uint32_t m) {
        return std::find(own.begin(), own.end(), m) == own.end();
      });
      if (distance % buffer.alignment != 0) {
        fail(quote(buffer.name) + " would lie " + std::to_string(distance) + " bytes from " +
             quote(name(root)) + ", no multiple of its alignment " +
             std::to_string(buffer.alignment));
      }
      buffer.fixed.reset();
      buffer.relative.reset();
      if (i != root) buffer.relative = Relative{root, distance};
    }
    if (allowed.empty()) {
      fail("no memory is allowed to all of the tensors that it is tied to");
    }
    problem_.buffers[root].fixed = fixed;
  }

  // `fixed` is where the group's lowest member was put so far.
  void merge_pin(const Placement& pin, uint64_t distance, std::optional<Placement>& fixed) const {
    if (pin.offset < distance) {
      fail("a tensor tied to it would begin " + std::to_string(distance - pin.offset) +
           " bytes before the memory");
    }
    const Placement of_root{pin.memory, pin.offset - distance};
    if (fixed && (fixed->memory != of_root.memory || fixed->offset != of_root.offset)) {
      fail("a tensor that it is tied to is pinned elsewhere");
    }
    fixed = of_root;
  }

  bool may_share(uint32_t a, uint32_t b) const {
    return std::any_of(problem_.overlaps.begin(), problem_.overlaps.end(),
                       [&](const Overlap& overlap) {
                         const bool pair = (overlap.input == a && overlap.output == b) ||
                                           (overlap.input == b && overlap.output == a);
                         return pair && ties_[overlap.input].offset_bytes >=
                                            ties_[overlap.output].offset_bytes + overlap.lead_bytes;
                       });
  }

  // A view and its base share bytes with reason; tensors that a user tied do not.
  void check_shared_bytes(const std::map<uint32_t, std::vector<uint32_t>>& groups) {
    for (const auto& [leader, by] : tied_by_) {
      entry_ = by;
      const std::vector<uint32_t>& members = groups.at(leader);
      for (const uint32_t a : members) {
        for (const uint32_t b : members) {
          if (a < b && anchors_[a].root != anchors_[b].root) check_pair(a, b);
        }
      }
    }
  }

  void check_pair(uint32_t a, uint32_t b) const {
    const Buffer& x = problem_.buffers[a];
    const Buffer& y = problem_.buffers[b];
    const uint32_t first = std::max(x.lifetime.first, y.lifetime.first);
    const bool together = first <= std::min(x.lifetime.last, y.lifetime.last);
    const int64_t from_a = ties_[b].offset_bytes - ties_[a].offset_bytes;
    const bool apart = from_a >= 0 ? static_cast<uint64_t>(from_a) >= x.size_bytes
                                   : static_cast<uint64_t>(-from_a) >= y.size_bytes;
    if (!together || apart || x.size_bytes == 0 || y.size_bytes == 0 || may_share(a, b)) return;
    fail(quote(x.name) + " and " + quote(y.name) + " both live at step " + std::to_string(first) +
         " and would share bytes");
  }

  struct Pin {
    Placement placement;
    std::size_t entry = 0;
  };

  const Constraints& constraints_;
  const std::function<uint32_t(const std::string&)>& find_;
  Problem& problem_;
  const std::vector<Anchor> anchors_;  // before any constraint
  std::vector<Tie> ties_;
  std::map<uint32_t, std::size_t> tied_by_;  // leader -> the last entry that tied its group
  std::map<uint32_t, Pin> pins_;
  std::size_t entry_ = 0;
};

}  // namespace

uint32_t buffer_named(const Problem& problem, const std::string& name) {
  std::optional<uint32_t> found;
  for (uint32_t i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].name != name) continue;
    if (found) throw InputError("more than one tensor is named " + quote(name));
    found = i;
  }
  if (!found) throw InputError("there is no tensor " + quote(name));
  return *found;
}

std::string where(const Constraints& constraints, const Constraint& entry) {
  return constraints.file_name + ", constraint " + std::to_string(entry.number) +
         (entry.tensor.empty() ? "" : " (tensor " + quote(entry.tensor) + ")") + ": ";
}

void apply_constraints(const Constraints& constraints,
                       const std::function<uint32_t(const std::string& tensor)>& find,
                       Problem& problem) {
  if (!constraints.entries.empty()) Applier(constraints, find, problem).run();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
