// Beam search over sets of finished tasks: states with the lowest peak go on, as the work allows.
#include "planner/steps/peak/order.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace arenite::planner {
namespace {

using Words = std::vector<uint64_t>;

bool has(const Words& set, uint32_t task) { return (set[task / 64] >> task % 64 & 1) != 0; }

// A set of tasks that have run, reached in the order of the lowest peak known.
struct State {
  Words done;
  std::vector<uint32_t> ready;  // rising
  uint64_t live = 0, peak = 0;
  uint32_t trail = UINT32_MAX;  // how it was reached
};

struct Trail {
  uint32_t before = UINT32_MAX;
  uint32_t task = 0;
};

struct Effect {
  uint64_t during = 0, after = 0;  // bytes live
};

struct Choice {
  uint32_t task = 0;
  Effect effect;
};

class Runner {
 public:
  explicit Runner(const OrderProblem& problem)
      : problem_(problem), touching_(problem.storages.size()), after_(problem.tasks.size()) {
    for (uint32_t t = 0; t < problem.tasks.size(); ++t) {
      for (const uint32_t s : problem.tasks[t].touches) touching_[s].push_back(t);
      for (const uint32_t before : problem.tasks[t].before) after_[before].push_back(t);
    }
  }

  State start() const {
    State state;
    state.done.assign((problem_.tasks.size() + 63) / 64, 0);
    for (uint32_t t = 0; t < problem_.tasks.size(); ++t) {
      if (problem_.tasks[t].before.empty()) state.ready.push_back(t);
    }
    for (size_t s = 0; s < problem_.storages.size(); ++s) {
      const OrderProblem::Storage& storage = problem_.storages[s];
      if (storage.from_start && (storage.to_end || !touching_[s].empty())) {
        state.live += storage.bytes;
      }
    }
    return state;
  }

  Effect effect(const State& state, uint32_t task) const {
    const OrderTask& t = problem_.tasks[task];
    uint64_t born = 0, dead = 0, saved = 0;
    for (const uint32_t s : t.touches) {
      if (is_born(state, s)) born += problem_.storages[s].bytes;
      if (dies(state, s, task)) dead += problem_.storages[s].bytes;
    }
    for (const StepSaving& saving : t.savings) {
      if (dies(state, saving.input, task) && is_born(state, saving.output)) {
        saved = std::max(saved, saving.bytes);
      }
    }
    const uint64_t held = state.live + born;
    return {held + t.scratch_bytes - saved, held - dead};
  }

  void run(State& state, uint32_t task, const Effect& effect) const {
    state.done[task / 64] |= uint64_t{1} << task % 64;
    state.live = effect.after;
    state.peak = std::max(state.peak, effect.during);
    state.ready.erase(std::find(state.ready.begin(), state.ready.end(), task));
    for (const uint32_t next : after_[task]) {
      const std::vector<uint32_t>& before = problem_.tasks[next].before;
      // The last ones first: they are the likeliest to be missing.
      if (std::all_of(before.rbegin(), before.rend(),
                      [&](uint32_t t) { return has(state.done, t); })) {
        state.ready.insert(std::lower_bound(state.ready.begin(), state.ready.end(), next), next);
      }
    }
  }

  uint64_t peak_of(const std::vector<uint32_t>& order) const {
    State state = start();
    state.peak = state.live;
    for (const uint32_t task : order) run(state, task, effect(state, task));
    return state.peak;
  }

  // A peak that no order can be below: what one task needs by itself.
  uint64_t bound() const {
    uint64_t most = start().live;
    for (const OrderTask& task : problem_.tasks) {
      uint64_t bytes = task.scratch_bytes, saved = 0;
      for (const uint32_t s : task.touches) bytes += problem_.storages[s].bytes;
      for (const StepSaving& saving : task.savings) saved = std::max(saved, saving.bytes);
      most = std::max(most, bytes - saved);
    }
    return most;
  }

 private:
  bool is_born(const State& state, uint32_t s) const {
    return !problem_.storages[s].from_start &&
           std::none_of(touching_[s].begin(), touching_[s].end(),
                        [&](uint32_t t) { return has(state.done, t); });
  }
  bool dies(const State& state, uint32_t s, uint32_t task) const {
    return !problem_.storages[s].to_end &&
           std::all_of(touching_[s].rbegin(), touching_[s].rend(),
                       [&](uint32_t t) { return t == task || has(state.done, t); });
  }

  const OrderProblem& problem_;
  std::vector<std::vector<uint32_t>> touching_;  // tasks by storage
  std::vector<std::vector<uint32_t>> after_;     // tasks by task
};

class Search {
 public:
  Search(const OrderProblem& problem, uint64_t work_max)
      : runner_(problem), task_count_(problem.tasks.size()) {
    native_.tasks.resize(task_count_);
    std::iota(native_.tasks.begin(), native_.tasks.end(), 0u);
    native_.peak_bytes = runner_.peak_of(native_.tasks);
    work_left_ = work_max;
    few_ = std::clamp<uint64_t>(work_max / std::max<size_t>(task_count_, 1), 1, 64);
  }

  TaskOrder run() {
    native_.exact = native_.peak_bytes <= runner_.bound();
    if (native_.exact) return native_;
    std::vector<State> level{runner_.start()};
    level[0].peak = level[0].live;
    for (size_t left = task_count_; left != 0; --left) {
      level = next_level(level, left);
      if (level.empty()) {  // nothing is lower than the native order
        native_.exact = whole_;
        return native_;
      }
    }
    TaskOrder best;
    const State& found = *std::min_element(
        level.begin(), level.end(), [](const State& a, const State& b) { return a.peak < b.peak; });
    best.peak_bytes = found.peak;
    best.exact = whole_;
    for (uint32_t i = found.trail; i != UINT32_MAX; i = trails_[i].before) {
      best.tasks.push_back(trails_[i].task);
    }
    std::reverse(best.tasks.begin(), best.tasks.end());
    return best;
  }

 private:
  // The states that one more task reaches from the most promising states. `levels` are left, each
  // of which may have a few tries.
  std::vector<State> next_level(std::vector<State>& level, size_t levels) {
    std::stable_sort(level.begin(), level.end(), [](const State& a, const State& b) {
      return a.peak != b.peak ? a.peak < b.peak : a.live < b.live;
    });
    const uint64_t kept = few_ * levels;
    const uint64_t tries_max = few_ + (work_left_ > kept ? (work_left_ - kept) / 4 : 0);
    std::vector<State> next;
    std::unordered_multimap<uint64_t, size_t> known;
    uint64_t tries = 0;
    for (const State& state : level) {
      if (tries >= tries_max) {
        whole_ = false;
        break;
      }
      for (const auto& [task, effect] : choices(state)) {
        // At least one state goes on, so that there is an order.
        if (++tries > tries_max && !next.empty()) {
          whole_ = false;
          break;
        }
        if (effect.during >= native_.peak_bytes) continue;
        State reached = state;
        runner_.run(reached, task, effect);
        trails_.push_back({state.trail, task});
        reached.trail = static_cast<uint32_t>(trails_.size() - 1);
        keep(std::move(reached), next, known);
      }
    }
    work_left_ -= std::min(work_left_, tries);
    return next;
  }

  // The ready tasks; only one if running it at once does no harm: it leaves no more bytes live than
  // before and needs no more than was needed. Running it later would save no byte of any task
  // between. If very many are ready, only the first ones, which begin something, and the last ones,
  // which go on with it.
  std::vector<Choice> choices(const State& state) {
    constexpr size_t kEach = 128;
    const size_t count = state.ready.size();
    const bool very_many = count > 2 * kEach;
    std::vector<Choice> choices;
    choices.reserve(std::min(count, 2 * kEach));
    for (size_t i = 0; i < count; ++i) {
      if (very_many && i == kEach) i = count - kEach;
      const Effect effect = runner_.effect(state, state.ready[i]);
      choices.push_back({state.ready[i], effect});
      if (effect.after <= state.live && effect.during <= state.peak) {
        choices = {choices.back()};
        break;
      }
    }
    whole_ = whole_ && !very_many;
    // If there are more choices than may be tried, those that need least come first.
    if (choices.size() > few_) {
      std::stable_sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
        return std::tie(a.effect.during, a.effect.after) <
               std::tie(b.effect.during, b.effect.after);
      });
    }
    return choices;
  }

  // Adds a state unless its set was reached with a peak as low before.
  void keep(State reached, std::vector<State>& next,
            std::unordered_multimap<uint64_t, size_t>& known) {
    uint64_t hash = 0;
    for (const uint64_t word : reached.done) {
      hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    const auto [first, last] = known.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      State& other = next[it->second];
      if (other.done != reached.done) continue;
      if (reached.peak < other.peak) other = std::move(reached);
      return;
    }
    known.emplace(hash, next.size());
    next.push_back(std::move(reached));
  }

  Runner runner_;
  size_t task_count_;
  TaskOrder native_;
  uint64_t work_left_ = 0;
  uint64_t few_ = 0;   // tries that each level may have
  bool whole_ = true;  // nothing was left out so far
  std::vector<Trail> trails_;
};

}  // namespace

uint64_t peak_of(const OrderProblem& problem, const std::vector<uint32_t>& order) {
  return Runner(problem).peak_of(order);
}

TaskOrder lowest_peak_order(const OrderProblem& problem, uint64_t work_max) {
  return Search(problem, work_max).run();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
