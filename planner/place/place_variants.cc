// Places every candidate, keeps the better one, then copies constants near.
#include "planner/place/place_variants.h"

#include <algorithm>
#include <map>
#include <utility>

#include "planner/graph/names.h"
#include "planner/place/constrain.h"
#include "planner/place/place.h"
#include "planner/steps/variant/barriers.h"
#include "planner/steps/variant/lifetimes.h"

namespace arenite::planner {
namespace {

class VariantPlacer {
 public:
  VariantPlacer(const PlanOptions& options, ConstantPool& pool, PlanProgress& progress)
      : options_(options), pool_(pool), progress_(progress) {}

  // The variants of all methods are known: tensors of several may be tied.
  PlacedMethods place_all(std::vector<UnplacedMethod>& methods) {
    for (const UnplacedMethod& method : methods) {
      result_.variants.emplace_back(method.variants.size());
    }
    for (const Board& board : options_.boards) {
      // The CPU variants of all methods that are of one variant of the board.
      std::map<size_t, std::vector<Unplaced>> on_cpu;
      for (size_t m = 0; m < methods.size(); ++m) {
        for (size_t v = 0; v < methods[m].variants.size(); ++v) {
          UnplacedVariant& candidates = methods[m].variants[v];
          if (candidates.board != &board) continue;
          const Unplaced one{methods[m].method, &candidates, &result_.variants[m][v]};
          begin(one);
          if (one.placed->plan.vulkan) {
            place_alone(one, board, {});
          } else {
            on_cpu[candidates.board_variant].push_back(one);
          }
        }
      }
      for (const auto& [variant, unplaced] : on_cpu) place_on_cpu(unplaced, board);
    }
    return std::move(result_);
  }

 private:
  struct Unplaced {
    std::string method;
    UnplacedVariant* candidates = nullptr;
    PlacedVariant* placed = nullptr;
  };

  static void begin(const Unplaced& one) {
    UnplacedVariant& candidates = *one.candidates;
    PlacedVariant& placed = *one.placed;
    placed.board = candidates.board;
    placed.wanted = &candidates.board->variants[candidates.board_variant];
    placed.optimize = candidates.optimize;
    placed.reserves_fallback = candidates.reserves_fallback;
    placed.plan = std::move(candidates.low.plan);
    placed.lowering = std::move(candidates.low.lowering);
    placed.explained = std::move(candidates.low.explained);
    placed.forms = candidates.forms;
    placed.recipe = std::move(candidates.low.recipe);
  }

  void place_on_cpu(const std::vector<Unplaced>& variants, const Board& board) {
    std::vector<MethodPlan> methods;
    for (const Unplaced& one : variants) methods.push_back({one.method, &one.placed->plan});
    const BoardConstraints constraints(options_.constraints, board.name, methods);
    if (!constraints.ties_methods()) {
      for (uint32_t m = 0; m < variants.size(); ++m) {
        place_alone(variants[m], board, constraints.for_method(m));
      }
      return;
    }
    std::vector<PlaceJob> jobs;
    for (const Unplaced& one : variants) jobs.push_back(job_of(one, false));
    std::vector<Placing> placed =
        place_together(jobs, board, options_.memory_planner, constraints.for_all());
    for (size_t m = 0; m < variants.size(); ++m) finish(variants[m], board, std::move(placed[m]));
  }

  // With lifetimes set.
  PlaceJob job_of(const Unplaced& one, bool keep_inputs) {
    Schedule& plan = one.placed->plan;
    set_lifetimes(plan, keep_inputs);
    return {&plan,
            "method " + printable(one.method) + ", board " + one.candidates->board->name +
                (plan.vulkan ? " (Vulkan)" : ""),
            find_overlaps(plan, pool_, one.candidates->overlaps, keep_inputs)};
  }

  Placing placed(const Unplaced& one, const Board& board, bool keep_inputs,
                 const Constrain& constrain) {
    const PlaceJob job = job_of(one, keep_inputs);
    return place_together({&job, 1}, board, options_.memory_planner, constrain).front();
  }

  struct Places {
    Placing placed;
    uint64_t fallback_bytes = 0;

    uint64_t peak_sum_bytes() const { return placed.memories.peak_sum_bytes; }
    bool fits() const { return !placed.shortage; }
    bool better_than(const Places& other) const {
      if (fits() != other.fits()) return fits();
      if (!fits()) return placed.shortage->short_bytes < other.placed.shortage->short_bytes;
      return peak_sum_bytes() < other.peak_sum_bytes();
    }
  };

  Places place_as_it_is(const Unplaced& one, const Board& board, const Constrain& constrain) {
    const bool reserves = one.candidates->reserves_fallback;
    Places places{placed(one, board, reserves, constrain), 0};
    if (!reserves) return places;
    // Compares the bytes that live at once with and without: placing it both ways would say the
    // same but for what packing loses.
    const uint64_t without = least_bytes(job_of(one, false), board);
    const uint64_t with = least_bytes(job_of(one, true), board);
    places.fallback_bytes = with > without ? with - without : 0;
    return places;
  }

  void place_alone(const Unplaced& one, const Board& board, const Constrain& constrain) {
    progress_.begin("placing", one.method, board);
    Places places = place_as_it_is(one, board, constrain);
    // Fewer bytes live at once, but do they take less? What a user says of tensors is about these.
    const UnplacedVariant& candidates = *one.candidates;
    if (candidates.plain.has_value() &&
        (!places.fits() || places.peak_sum_bytes() > candidates.plain_bytes) &&
        options_.constraints.entries.empty()) {
      place_plain(one, board, places);
    }
    if (candidates.measured.has_value() && options_.constraints.entries.empty()) {
      place_measured(one, board, places);
    }
    one.placed->fallback_bytes = places.fallback_bytes;
    if (options_.near_constants && !one.placed->plan.vulkan && places.fits()) {
      bring_constants_near(one, board, places.placed.memories);
    }
    finish(one, board, std::move(places.placed));
  }

  // Values already placed stay where they are; the copies go beside them.
  void bring_constants_near(const Unplaced& one, const Board& board,
                            memory::MemoryReport& memories) {
    Schedule& plan = one.placed->plan;
    const memory::Memory& first = board.memories.front().memory;
    if (first.size_bytes == memory::kUnbounded) return;
    const size_t before = plan.storages.size();
    NearConstants near = copy_constants_near(plan, first.name, first.size_bytes, first.alignment,
                                             pool_, one.candidates->forms);
    if (near.copies == 0) return;
    std::vector<std::optional<memory::Placement>> places(plan.storages.size());
    for (size_t i = 0; i < before; ++i) {
      const Storage& storage = plan.storages[i];
      if (!storage.shares_memory()) continue;
      for (uint32_t m = 0; m < board.memories.size(); ++m) {
        if (board.memories[m].memory.name == plan.arenas[storage.arena].name) {
          places[i] = {m, storage.offset};
        }
      }
    }
    for (size_t i = before; i < places.size(); ++i) places[i] = {0, near.offsets[i - before]};
    const Constrain fixed{[&places](memory::Problem& problem, std::span<const uint32_t> /*first*/) {
                            for (size_t k = 0; k < places.size(); ++k) {
                              problem.buffers[k].fixed = places[k];
                            }
                          },
                          ""};
    memory::MemoryReport with = place_as_fixed(job_of(one, false), board, fixed).memories;
    for (memory::PlacedBuffer& buffer : with.buffers) buffer.fixed = false;  // by no user
    for (size_t i = 0; i < before; ++i) {
      with.buffers[i].fixed = memories.buffers[i].fixed;
      with.buffers[i].relative = memories.buffers[i].relative;
    }
    memories = std::move(with);
    one.placed->near_constants = std::move(near);
  }

  // Facts proved of a shortage must hold for both ways to lay the steps out.
  static void agree(Shortage& a, Shortage& b) {
    const bool same = a.memory == b.memory;
    const bool proved = same && a.least_is_proved && b.least_is_proved;
    a.floor_bytes = b.floor_bytes = same ? std::min(a.floor_bytes, b.floor_bytes) : 0;
    a.impossible = b.impossible = a.impossible && b.impossible;
    a.least_is_proved = proved && a.least_bytes <= b.least_bytes;
    b.least_is_proved = proved && b.least_bytes <= a.least_bytes;
  }

  // Takes the steps in their native layout and order instead where that takes less.
  void place_plain(const Unplaced& one, const Board& board, Places& places) {
    VariantCandidate& plain = *one.candidates->plain;
    std::swap(one.placed->plan, plain.plan);
    Places other = place_as_it_is(one, board, {});
    if (!places.fits() && !other.fits()) {
      agree(*places.placed.shortage, *other.placed.shortage);
    }
    if (!other.better_than(places)) {
      std::swap(one.placed->plan, plain.plan);
      return;
    }
    places = std::move(other);
    take_facts(one, plain);
  }

  // Takes the steps as measured costs would have them where that takes no more.
  void place_measured(const Unplaced& one, const Board& board, Places& places) {
    VariantCandidate& measured = *one.candidates->measured;
    std::swap(one.placed->plan, measured.plan);
    Places other = place_as_it_is(one, board, {});
    if (places.better_than(other) || !other.fits()) {
      std::swap(one.placed->plan, measured.plan);
      return;
    }
    places = std::move(other);
    take_facts(one, measured);
  }

  static void take_facts(const Unplaced& one, VariantCandidate& candidate) {
    one.placed->lowering = std::move(candidate.lowering);
    one.placed->explained = std::move(candidate.explained);
    one.placed->recipe = std::move(candidate.recipe);
  }

  // A machine without what the board's last variant is planned for runs it, and the same forms of
  // others, with references.
  void require_features(const Unplaced& one, const Board& board) {
    const bool last = one.candidates->board_variant + 1 == board.variants.size();
    const bool exact = has_exact_forms(options_, board);
    if (last && !exact) return;
    CpuFeatures used = used_features(one.placed->plan);
    if (!exact) used &= ~board.variants.back().cpu_features;
    one.placed->cpu_features = used;
  }

  void finish(const Unplaced& one, const Board& board, Placing placing) {
    Schedule& plan = one.placed->plan;
    const OverlapPasses& passes = one.candidates->overlaps;
    require_features(one, board);
    set_barriers(plan, one.candidates->has_symbols);
    one.placed->memories = std::move(placing.memories);
    if (placing.shortage) result_.shortages.push_back(std::move(*placing.shortage));
    PeakReport& lowering = one.placed->lowering;
    lowering.final_bytes = one.placed->memories.peak_sum_bytes;
    for (const OverlapPermission& permission :
         find_overlaps(plan, pool_, passes, one.candidates->reserves_fallback)) {
      const auto distance = shared_distance(plan, permission);
      if (!distance.has_value()) continue;
      const bool in_place = permission.in_place &&
                            (*distance == permission.overlap.lead_bytes || !passes.partial_overlap);
      for (PeakEffect& effect : lowering.effects) {
        if (effect.pass == (in_place ? "in_place" : "partial_overlap")) ++effect.places;
      }
    }
  }

  const PlanOptions& options_;
  ConstantPool& pool_;
  PlanProgress& progress_;
  PlacedMethods result_;
};

}  // namespace

PlacedMethods place_variants(std::vector<UnplacedMethod> methods, const PlanOptions& options,
                             ConstantPool& pool, PlanProgress& progress) {
  return VariantPlacer(options, pool, progress).place_all(methods);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
