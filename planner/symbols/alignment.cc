// Walks a schedule and the one that it is compared with side by side.
#include "planner/symbols/alignment.h"

#include <algorithm>
#include <cstring>

#include "core/types.h"
#include "planner/graph/names.h"
#include "planner/graph/strides.h"
#include "planner/place/place.h"
#include "planner/symbols/expressions.h"

namespace arenite::planner {
namespace {

// The forms of a schedule in the order of their words.
enum class Part : uint8_t { kStorage, kInput, kOutput, kAttributes };

struct Place {
  Part part;
  uint32_t index;  // of the storage or step
  uint32_t operand = 0;
};

// Scratch memory is as large as for the most. It lies behind all other storages, but for that of a
// Vulkan variant, which samples have too.
size_t storage_count(const Schedule& schedule) {
  if (schedule.vulkan) return schedule.storages.size();
  const auto scratches = std::ranges::count_if(
      schedule.steps, [](const ScheduledStep& step) { return step.scratch.has_value(); });
  return schedule.storages.size() - static_cast<size_t>(scratches);
}

// Calls visit(place, form or null) for all parts that have words; null: attributes.
template <typename Visit>
void walk(const Schedule& schedule, Visit visit) {
  for (uint32_t i = 0; i < storage_count(schedule); ++i) {
    visit(Place{Part::kStorage, i}, &schedule.storages[i].form);
  }
  for (uint32_t s = 0; s < schedule.steps.size(); ++s) {
    const ScheduledStep& step = schedule.steps[s];
    for (uint32_t i = 0; i < step.inputs.size(); ++i) {
      if (step.inputs[i]) visit(Place{Part::kInput, s, i}, &step.inputs[i]->form);
    }
    for (uint32_t i = 0; i < step.outputs.size(); ++i) {
      if (step.outputs[i]) visit(Place{Part::kOutput, s, i}, &step.outputs[i]->form);
    }
    visit(Place{Part::kAttributes, s}, nullptr);
  }
}

size_t word_count(const Schedule& schedule, const Place& place, const Strided* form) {
  return form != nullptr ? 2 * form->dims.size() + 1
                         : schedule.steps[place.index].attributes.size();
}

class Aligner {
 public:
  Aligner(const Schedule& schedule, const Schedule& base, bool in_range, const ConstantPool& pool)
      : schedule_(schedule), base_(base), in_range_(in_range), pool_(pool) {}

  std::vector<int64_t> run() {
    expect(schedule_.storages.size() == storage_count(base_), "the results in memory");
    expect(schedule_.steps.size() == base_.steps.size(), "the number of steps");
    expect(schedule_.inputs == base_.inputs && schedule_.outputs == base_.outputs,
           "the inputs and outputs");
    for (size_t i = 0; i < schedule_.storages.size(); ++i) add_storage(i);
    for (uint32_t s = 0; s < base_.steps.size(); ++s) add_step(s);
    return std::move(words_);
  }

 private:
  static void expect(bool same, const std::string& what) {
    if (!same) throw InputError(what + " would be other ones");
  }

  void add_form(const Strided& form, DType dtype, uint32_t begin) {
    words_.insert(words_.end(), form.dims.begin(), form.dims.end());
    for (size_t d = 0; d < form.dims.size(); ++d) {
      words_.push_back(form.dims[d] == 1 ? kAnyResult : int64_t{form.strides[d]});
    }
    words_.push_back(static_cast<int64_t>(begin + form.offset * element_bytes(dtype)));
  }

  void add_storage(size_t i) {
    const Storage& storage = schedule_.storages[i];
    const Storage& base = base_.storages[i];
    const std::string name = "value " + printable(base.name);
    expect(storage.dtype == base.dtype && storage.kind == base.kind &&
               storage.form.dims.size() == base.form.dims.size(),
           "the type or rank of " + name);
    if (in_range_ && storage.bytes > base.bytes) {
      throw InputError(name + " would take more memory than with the most");
    }
    add_form(storage.form, storage.dtype, base.offset);
  }

  // Whether base's constant has the same elements at the places that strides lead to.
  bool holds_elements(const Operand& operand, const Operand& base) const {
    if (operand.form.layout != Layout::kStrided || base.form.layout != Layout::kStrided ||
        operand.form.dims.size() != base.form.dims.size() || operand.dtype != base.dtype) {
      return false;
    }
    const std::vector<std::byte>& ours = pool_.entries()[operand.index].bytes;
    const std::vector<std::byte>& theirs = pool_.entries()[base.index].bytes;
    for (size_t d = 0; d < operand.form.dims.size(); ++d) {
      if (operand.form.dims[d] > base.form.dims[d]) return false;
    }
    const size_t bytes = element_bytes(operand.dtype);
    bool same = true;
    for_each_element(operand.form, base.form, [&](uint64_t from, uint64_t to) {
      same =
          same && std::memcmp(ours.data() + from * bytes, theirs.data() + to * bytes, bytes) == 0;
    });
    return same;
  }

  void add_operand(const std::optional<Operand>& operand, const std::optional<Operand>& base,
                   const std::string& step) {
    expect(operand.has_value() == base.has_value(), "the operands of " + step);
    if (!operand) return;
    expect(operand->constant == base->constant && operand->dtype == base->dtype &&
               operand->form.dims.size() == base->form.dims.size() &&
               operand->form.layout == base->form.layout &&
               (operand->constant || operand->index == base->index),
           "the operands of " + step);
    if (!operand->constant) {
      add_form(operand->form, operand->dtype, base_.storages[base->index].offset);
      return;
    }
    if (operand->index == base->index && operand->form.offset == base->form.offset) {
      add_form(operand->form, operand->dtype, 0);
      return;
    }
    if (!holds_elements(*operand, *base)) {
      throw InputError("a constant that " + step +
                       " reads would have other elements: expected one "
                       "whose elements do not follow from the dim");
    }
    Strided form = base->form;
    form.dims = operand->form.dims;
    add_form(form, base->dtype, 0);
  }

  void add_step(uint32_t s) {
    const ScheduledStep& step = schedule_.steps[s];
    const ScheduledStep& base = base_.steps[s];
    const std::string text = step_text(base_, s);
    expect(step.op == base.op && step.where == base.where &&
               step.forms.chosen() == base.forms.chosen() && step.conditions == base.conditions &&
               step.inputs.size() == base.inputs.size() &&
               step.outputs.size() == base.outputs.size() &&
               step.attributes.size() == base.attributes.size(),
           "the operator or form of " + text);
    const uint64_t scratch = base.scratch ? base_.storages[*base.scratch].bytes : 0;
    if (in_range_ && step.scratch_bytes > scratch) {
      throw InputError(text + " would take more scratch memory than with the most");
    }
    for (size_t i = 0; i < base.inputs.size(); ++i)
      add_operand(step.inputs[i], base.inputs[i], text);
    for (size_t i = 0; i < base.outputs.size(); ++i) {
      add_operand(step.outputs[i], base.outputs[i], text);
    }
    words_.insert(words_.end(), step.attributes.begin(), step.attributes.end());
  }

  const Schedule& schedule_;
  const Schedule& base_;
  const bool in_range_;
  const ConstantPool& pool_;
  std::vector<int64_t> words_;
};

}  // namespace

std::vector<int64_t> words_of(const Schedule& schedule, const Schedule& base, bool in_range,
                              const ConstantPool& pool) {
  return Aligner(schedule, base, in_range, pool).run();
}

SymbolicSchedule symbolic_of(const Schedule& base, const std::vector<uint32_t>& expressions) {
  SymbolicSchedule result;
  result.storages.resize(base.storages.size());
  for (const ScheduledStep& step : base.steps) {
    result.steps.emplace_back();
    result.steps.back().inputs.resize(step.inputs.size());
    result.steps.back().outputs.resize(step.outputs.size());
  }
  size_t at = 0;
  walk(base, [&](const Place& place, const Strided* form) {
    const size_t count = word_count(base, place, form);
    const auto first = expressions.begin() + static_cast<std::ptrdiff_t>(at);
    std::vector<uint32_t> words(first, first + static_cast<std::ptrdiff_t>(count));
    at += count;
    if (std::ranges::all_of(words, [](uint32_t word) { return word == kFixedWord; })) return;
    if (form == nullptr) {
      result.steps[place.index].attributes = std::move(words);
      return;
    }
    const uint32_t offset = words.back();
    words.pop_back();
    SymbolicForm& to = place.part == Part::kStorage ? result.storages[place.index]
                       : place.part == Part::kInput
                           ? result.steps[place.index].inputs[place.operand]
                           : result.steps[place.index].outputs[place.operand];
    to.shape = std::move(words);
    to.offset_bytes = offset;
  });
  return result;
}

std::string word_text(const Schedule& base, size_t word) {
  size_t at = 0;
  std::string text;
  walk(base, [&](const Place& place, const Strided* form) {
    const size_t count = word_count(base, place, form);
    if (word >= at && word < at + count) {
      const size_t i = word - at;
      const std::string of = place.part == Part::kStorage
                                 ? "value " + printable(base.storages[place.index].name)
                                 : step_text(base, place.index);
      if (form == nullptr) {
        text = "an attribute of " + of;
      } else if (i < form->dims.size()) {
        text = "a dim of " + of;
      } else {
        text = (i + 1 < count ? "a stride of " : "a place in memory of ") + of;
      }
    }
    at += count;
  });
  return text;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
