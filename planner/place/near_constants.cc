// Sorts constants by the bytes that a copy saves, and copies each into a free place.
#include "planner/place/near_constants.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "planner/graph/work.h"
#include "planner/steps/lower/lower.h"

namespace arenite::planner {
namespace {

constexpr uint64_t kReadsMin = 3;  // a copy reads once and writes once

// Counts the elements in dims [first, last); elements repeated by a stride of 0 count once.
uint64_t distinct_elements(const Strided& form, size_t first, size_t last) {
  uint64_t count = 1;
  for (size_t d = first; d < last; ++d) {
    if (form.strides[d] != 0) count *= std::max(form.dims[d], 1u);
  }
  return count;
}

struct Candidate {
  uint32_t step = 0, input = 0;
  uint64_t bytes = 0;  // over-read included
  uint64_t reads = 0;
  uint64_t offset = 0;  // in the memory, once chosen

  uint64_t saved_bytes() const { return (reads - 1) * bytes; }
};

class Copier {
 public:
  Copier(Schedule& plan, const std::string& memory, uint64_t memory_bytes, uint32_t alignment,
         const ConstantPool& pool, const TargetForms& forms)
      : plan_(plan),
        memory_bytes_(memory_bytes),
        alignment_(alignment),
        pool_(pool),
        forms_(forms) {
    result_.memory = memory;
  }

  NearConstants run() {
    choose(candidates());
    insert();
    return std::move(result_);
  }

 private:
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> found;
    for (uint32_t s = 0; s < plan_.steps.size(); ++s) {
      const ScheduledStep& step = plan_.steps[s];
      if (plan_.steps[s].where != format::Where::kCpu) continue;
      for (uint32_t i = 0; i < step.inputs.size(); ++i) {
        if (!step.inputs[i].has_value() || !step.inputs[i]->constant) continue;
        if (step.inputs[i]->form.offset != 0) continue;  // a part of a larger one
        const StoredConstant& constant = pool_.entries()[step.inputs[i]->index];
        const uint64_t reads = reads_of_constant(step, i);
        if (constant.bytes.empty() || reads < kReadsMin) continue;
        found.push_back({s, i, constant.bytes.size() + constant.over_read_bytes, reads});
      }
    }
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
      return a.saved_bytes() > b.saved_bytes();
    });
    return found;
  }

  void choose(const std::vector<Candidate>& all) {
    for (Candidate candidate : all) {
      const auto gap = gap_at(candidate.step, candidate.bytes);
      if (!gap.has_value()) continue;
      candidate.offset = *gap;
      chosen_.push_back(candidate);
    }
  }

  // The lowest place in the memory that is free at a step.
  std::optional<uint64_t> gap_at(uint32_t step, uint64_t bytes) const {
    std::vector<std::pair<uint64_t, uint64_t>> taken;  // begin, end
    for (const Storage& storage : plan_.storages) {
      if (!storage.shares_memory() || storage.lifetime.first > step ||
          storage.lifetime.last < step || plan_.arenas[storage.arena].name != result_.memory) {
        continue;
      }
      taken.emplace_back(storage.offset, storage.offset + storage.bytes);
    }
    for (const Candidate& other : chosen_) {
      if (other.step == step) taken.emplace_back(other.offset, other.offset + other.bytes);
    }
    std::sort(taken.begin(), taken.end());
    uint64_t at = 0;
    for (const auto& [begin, end] : taken) {
      if (at + bytes <= begin) break;
      at = std::max(at, (end + alignment_ - 1) / alignment_ * alignment_);
    }
    return at + bytes <= memory_bytes_ ? std::optional(at) : std::nullopt;
  }

  void insert() {
    std::stable_sort(chosen_.begin(), chosen_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.step < b.step; });
    std::vector<ScheduledStep> steps;
    size_t next = 0;
    for (uint32_t s = 0; s < plan_.steps.size(); ++s) {
      ScheduledStep step = std::move(plan_.steps[s]);
      for (; next < chosen_.size() && chosen_[next].step == s; ++next) {
        steps.push_back(copy_before(step, chosen_[next]));
      }
      steps.push_back(std::move(step));
    }
    plan_.steps = std::move(steps);
  }

  // The bytes as they are, whatever they mean; the reader sees them in its own form.
  ScheduledStep copy_before(ScheduledStep& reader, const Candidate& candidate) {
    Operand& operand = *reader.inputs[candidate.input];
    const StoredConstant& constant = pool_.entries()[operand.index];
    const auto storage = static_cast<uint32_t>(plan_.storages.size());
    const Strided form = row_major({static_cast<uint32_t>(constant.bytes.size())});
    Storage copy;
    copy.name = reader.name + ", constant " + std::to_string(candidate.input);
    copy.dtype = DType::kUint8;
    copy.form = form;
    copy.bytes = candidate.bytes;
    plan_.storages.push_back(copy);

    ScheduledStep step;
    step = copy_step(Operand{true, operand.index, DType::kUint8, form},
                     Operand{false, storage, DType::kUint8, form}, forms_);
    step.name = copy.name;
    step.sources = reader.sources;
    operand.constant = false;
    operand.index = storage;
    operand.packed_bytes = candidate.bytes;

    ++result_.copies;
    result_.copied_bytes += constant.bytes.size();
    result_.near_bytes += candidate.reads * constant.bytes.size();
    result_.offsets.push_back(static_cast<uint32_t>(candidate.offset));
    return step;
  }

  Schedule& plan_;
  const uint64_t memory_bytes_;
  const uint64_t alignment_;
  const ConstantPool& pool_;
  const TargetForms& forms_;
  std::vector<Candidate> chosen_;
  NearConstants result_;
};

}  // namespace

uint64_t reads_of_constant(const ScheduledStep& step, uint32_t i) {
  if (step.outputs.empty() || !step.outputs[0].has_value()) return 1;
  const uint64_t results = element_count(step.outputs[0]->form.dims);
  const Strided& constant = step.inputs[i]->form;
  const bool strided = !in_blocks(constant.layout);
  const uint64_t elements =
      strided ? distinct_elements(constant, 0, constant.dims.size()) : element_count(constant.dims);
  const Contract& contract = contract_of(step.op);
  switch (contract.layout.kind) {
    case LayoutClass::kElementwise:
      return results / elements;
    case LayoutClass::kSpatial:
    case LayoutClass::kMatrix: {
      if (i == 0) return 1;
      // Weights are read for every result; what is added to the results, once for each.
      const auto dims_of = [&](size_t k) {
        const bool there = k < step.inputs.size() && step.inputs[k].has_value();
        return there ? step.inputs[k]->form.dims : std::vector<uint32_t>();
      };
      const uint64_t each =
          i == 1
              ? operations_each({contract.work, dims_of(0), dims_of(1), results, step.attributes})
              : 1;
      return results * each / std::max<uint64_t>(elements, 1);
    }
    default:
      return 1;
  }
}

NearConstants copy_constants_near(Schedule& plan, const std::string& memory, uint64_t memory_bytes,
                                  uint32_t alignment, const ConstantPool& pool,
                                  const TargetForms& forms) {
  return Copier(plan, memory, memory_bytes, alignment, pool, forms).run();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
