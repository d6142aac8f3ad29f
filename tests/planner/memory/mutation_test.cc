// Each kind of violation, planted into thousands of right plans, is found and named.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "planner/memory/problem/verify.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/generators.h"
#include "tests/planner/memory/random_problem.h"

namespace arenite::memory {
namespace {

constexpr uint32_t kProblems = 2000;
constexpr std::size_t kViolations = static_cast<std::size_t>(kViolationLast) + 1;

struct Planted {
  Problem problem;
  Solution solution;
};

// Plants one kind of violation into a right plan, and nothing else that would be found before it.
class Planter {
 public:
  Planter(uint32_t seed, Planted& planted)
      : dice_(seed), problem_(planted.problem), placements_(planted.solution.placements) {
    tied_.assign(problem_.buffers.size(), false);
    for (std::size_t i = 0; i < problem_.buffers.size(); ++i) {
      const std::optional<Relative>& relative = problem_.buffers[i].relative;
      if (relative) tied_[i] = tied_[relative->base] = true;
    }
  }

  // False where this plan has nothing to plant it into.
  bool plant(Violation violation) {
    switch (violation) {
      case Violation::kMissingPlacement:
        return missing();
      case Violation::kExtraPlacement:
        placements_.push_back({0, dice_.below(100)});
        return true;
      case Violation::kUnknownMemory:
        return on(any(), [&](uint32_t i) { placements_[i].memory = memories() + dice_.below(3); });
      case Violation::kForbiddenMemory:
        return on(any(), [&](uint32_t i) {
          problem_.buffers[i].allowed = {(placements_[i].memory + 1) % (memories() + 1)};
        });
      case Violation::kFixedMoved:
        return on(where([&](uint32_t i) { return problem_.buffers[i].fixed.has_value(); }),
                  [&](uint32_t i) { move_by(i, 48 * (1 + dice_.below(3))); });
      case Violation::kRelativeUnresolved:
        return unresolved();
      case Violation::kRelativeBroken:
        return on(where([&](uint32_t i) { return problem_.buffers[i].relative.has_value(); }),
                  [&](uint32_t i) { move_by(i, 1 + dice_.below(100)); });
      case Violation::kMisaligned:
        return misaligned();
      case Violation::kSizeOverflow:
        return on(where([&](uint32_t i) { return alone(i) && size(i) > 0; }), [&](uint32_t i) {
          placements_[i].offset = UINT64_MAX - dice_.below(static_cast<uint32_t>(size(i)));
        });
      case Violation::kOutOfMemory:
        return out_of_memory();
      case Violation::kBadLifetime:
        return on(any(), [&](uint32_t i) {
          Lifetime& lifetime = problem_.buffers[i].lifetime;
          lifetime = {lifetime.last + 1, lifetime.last};
        });
      case Violation::kBadGap:
        return bad_gap();
      case Violation::kOverlap:
        return overlap();
    }
    return false;
  }

 private:
  uint32_t count() const { return static_cast<uint32_t>(problem_.buffers.size()); }
  uint32_t memories() const { return static_cast<uint32_t>(problem_.memories.size()); }
  uint64_t size(uint32_t i) const { return problem_.buffers[i].size_bytes; }
  bool alone(uint32_t i) const { return !tied_[i] && !problem_.buffers[i].fixed; }

  // A random buffer that `fits`, or nothing when there is none.
  std::optional<uint32_t> where(const std::function<bool(uint32_t)>& fits) {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < count(); ++i) {
      if (fits(i)) found.push_back(i);
    }
    if (found.empty()) return std::nullopt;
    return found[dice_.below(static_cast<uint32_t>(found.size()))];
  }
  std::optional<uint32_t> any() {
    return where([](uint32_t) { return true; });
  }
  static bool on(std::optional<uint32_t> i, const std::function<void(uint32_t)>& change) {
    if (i) change(*i);
    return i.has_value();
  }
  void move_by(uint32_t i, uint64_t bytes) { placements_[i].offset += bytes; }

  bool missing() {
    if (count() == 0) return false;
    if (dice_.one_in(2)) {
      placements_.pop_back();
    } else {
      placements_[dice_.below(count())] = {};
    }
    return true;
  }

  bool unresolved() {
    const auto i = where([&](uint32_t b) { return problem_.buffers[b].relative.has_value(); });
    if (!i) return false;
    std::optional<Relative>& relative = problem_.buffers[*i].relative;
    relative = dice_.one_in(2) ? Relative{count() + dice_.below(9), 0} : Relative{*i, 0};
    return true;
  }

  bool misaligned() {
    const auto aligned_to = [&](uint32_t i) {
      return std::max(problem_.buffers[i].alignment,
                      problem_.memories[placements_[i].memory].alignment);
    };
    return on(where([&](uint32_t i) { return alone(i) && aligned_to(i) > 1; }),
              [&](uint32_t i) { move_by(i, 1 + dice_.below(aligned_to(i) - 1)); });
  }

  bool out_of_memory() {
    const auto limited = [&](uint32_t i) {
      return alone(i) && size(i) > 0 &&
             problem_.memories[placements_[i].memory].size_bytes != kUnbounded;
    };
    return on(where(limited), [&](uint32_t i) {
      const uint64_t end = problem_.memories[placements_[i].memory].size_bytes;
      placements_[i].offset = end / 48 * 48;  // every alignment used divides 48
      if (placements_[i].offset + size(i) <= end) move_by(i, 48 * (1 + size(i) / 48));
    });
  }

  // Outside the lifetime, across an earlier gap, or with bytes that the buffer does not have.
  bool bad_gap() {
    const auto i = any();
    if (!i) return false;
    Buffer& buffer = problem_.buffers[*i];
    const Lifetime& life = buffer.lifetime;
    switch (dice_.below(4)) {
      case 0:
        buffer.gaps.push_back({{life.first, life.last + 1}});
        break;
      case 1:
        buffer.gaps = {{life}, {{life.last, life.last}}};
        break;
      case 2:
        buffer.gaps = {{life, ByteRange{1, 1}}};
        break;
      default:
        buffer.gaps = {{life, ByteRange{0, buffer.size_bytes + 1}}};
    }
    return true;
  }

  bool permitted(uint32_t a, uint32_t b) const {
    return std::any_of(problem_.overlaps.begin(), problem_.overlaps.end(), [&](const Overlap& o) {
      return (o.input == a && o.output == b) || (o.input == b && o.output == a);
    });
  }

  // One buffer onto another that lives with it, as far from its start as its alignment lets it.
  bool overlap() {
    for (int tries = 0; tries < 50 && count() > 1; ++tries) {
      const uint32_t i = dice_.below(count());
      const uint32_t onto = dice_.below(count());
      if (i == onto || !alone(i) || size(i) == 0 || size(onto) == 0) continue;
      if (!problem_.buffers[i].gaps.empty() || !problem_.buffers[onto].gaps.empty()) continue;
      const Lifetime& a = problem_.buffers[i].lifetime;
      const Lifetime& b = problem_.buffers[onto].lifetime;
      if (a.last < b.first || b.last < a.first || permitted(i, onto)) continue;
      const Memory& memory = problem_.memories[placements_[onto].memory];
      if (placements_[i].memory != placements_[onto].memory) continue;
      const uint64_t offset = (placements_[onto].offset + size(onto) - 1) / 48 * 48;
      if (offset + size(i) <= placements_[onto].offset) continue;
      if (memory.size_bytes != kUnbounded && offset + size(i) > memory.size_bytes) continue;
      placements_[i].offset = offset;
      return true;
    }
    return false;
  }

  Dice dice_;
  Problem& problem_;
  std::vector<Placement>& placements_;
  std::vector<bool> tied_;  // a member of a group of several
};

TEST(Mutation, EachKindIsFoundInRandomPlans) {
  std::array<uint32_t, kViolations> planted{};
  for (uint32_t seed = 0; seed < kProblems; ++seed) {
    const Problem problem = random_problem(seed);
    const Outcome outcome = plan(Algorithm::kGreedyBySize, problem);
    const auto* solution = std::get_if<Solution>(&outcome);
    if (solution == nullptr) continue;
    for (std::size_t kind = 0; kind < kViolations; ++kind) {
      Planted made{problem, *solution};
      if (!Planter(seed, made).plant(static_cast<Violation>(kind))) continue;
      ++planted[kind];
      const std::optional<Finding> finding = verify(made.problem, made.solution);
      ASSERT_TRUE(finding) << "seed " << seed << ", kind " << kind;
      ASSERT_EQ(name_of(finding->violation), name_of(static_cast<Violation>(kind)))
          << "seed " << seed << ": " << finding->message;
    }
  }
  for (std::size_t kind = 0; kind < kViolations; ++kind) {
    EXPECT_GE(planted[kind], 300u) << name_of(static_cast<Violation>(kind));
  }
}

TEST(Mutation, OneByteTooFarIsFoundInFullPackings) {
  // A full packing has no room: any buffer one byte up meets another or leaves the memory.
  for (uint32_t seed = 0; seed < 200; ++seed) {
    Known known = seed % 2 == 0 ? guillotine_packing(seed, {}) : pinwheel_packing(seed, {});
    known.problem.memories[0].size_bytes = *known.height;
    ASSERT_FALSE(verify(known.problem, known.solution)) << seed;
    for (Placement& placement : known.solution.placements) {
      ++placement.offset;
      ASSERT_TRUE(verify(known.problem, known.solution)) << seed;
      --placement.offset;
    }
  }
}

TEST(Mutation, AnInputOneByteCloserThanItsLeadIsFound) {
  uint32_t shared = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    Known known = trailing_pairs(seed, 1 + seed % 5);
    std::optional<Finding> finding = verify(known.problem, known.solution);
    ASSERT_FALSE(finding) << "seed " << seed << ": " << finding->message;
    for (const Overlap& overlap : known.problem.overlaps) {
      const uint64_t input = known.solution.placements[overlap.input].offset;
      const auto lead = static_cast<uint64_t>(overlap.lead_bytes);
      // Only where the pair shares bytes, still does a byte closer, and nothing else is in the way.
      if (input != lead || lead == 0) continue;
      if (lead - 1 >= known.problem.buffers[overlap.output].size_bytes) continue;
      ++shared;
      known.solution.placements[overlap.input].offset = lead - 1;
      finding = verify(known.problem, known.solution);
      ASSERT_TRUE(finding) << seed;
      ASSERT_EQ(finding->violation, Violation::kOverlap) << finding->message;
      ASSERT_EQ(std::min(finding->buffer, *finding->other), overlap.input);
      known.solution.placements[overlap.input].offset = lead;
    }
  }
  EXPECT_GT(shared, 300u);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
