// Narrows operands and constants; what is written in parts is narrow in all of them or in none.
#include "planner/steps/variant/halves.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "planner/graph/half_floats.h"
#include "planner/graph/op_facts.h"
#include "planner/graph/target_forms.h"

namespace arenite::planner {

DType type_of(const ScheduledStep& step) {
  const auto types = [](const std::vector<std::optional<Operand>>& operands) {
    std::vector<DType> result;
    for (const std::optional<Operand>& operand : operands) {
      result.push_back(operand.has_value() ? operand->dtype : DType::kNone);
    }
    return result;
  };
  return type_of(contract_of(step.op), types(step.inputs), types(step.outputs));
}

namespace {

// A cast is a dispatch, and takes about what a step with half the bytes saves: fewer steps than
// this for each are not worth it.
constexpr size_t kStepsACast = 4;

// Nothing where a finite number would not be finite.
std::optional<std::vector<std::byte>> halves_of(std::span<const std::byte> floats) {
  std::vector<std::byte> halves(floats.size() / sizeof(float) * sizeof(uint16_t));
  for (size_t i = 0; i < floats.size() / sizeof(float); ++i) {
    float number = 0;
    std::memcpy(&number, floats.data() + i * sizeof(float), sizeof(float));
    const std::optional<uint16_t> half = half_of(number);
    if (!half.has_value()) return std::nullopt;
    std::memcpy(halves.data() + i * sizeof(*half), &*half, sizeof(*half));
  }
  return halves;
}

// Whether it could be done.
bool narrow_constant(Operand& operand, ConstantPool& pool) {
  const StoredConstant constant = pool.entries()[operand.index];
  auto halves = halves_of(constant.bytes);
  if (!halves.has_value()) return false;
  operand.index = pool.add(*std::move(halves));
  pool.set_name(operand.index, constant.name, constant.dims);
  pool.need_over_read(operand.index, (constant.over_read_bytes + 1) / 2);
  return true;
}

bool is_of_t(std::span<const OperandType> rules, size_t i) {
  return rules[std::min(i, rules.size() - 1)] == OperandType::kT;
}

// Calls `visit` with each operand of type T that lies in a storage.
template <typename Operands, typename Visit>
void each_of_t(Operands& operands, std::span<const OperandType> rules, const Visit& visit) {
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].has_value() && !operands[i]->constant && is_of_t(rules, i)) visit(*operands[i]);
  }
}

bool is_elementwise(Op op) {
  return contract_of(op).layout.kind == LayoutClass::kElementwise &&
         contract_of(op).work == Work::kOne;
}

bool sums_up(Op op) { return facts_of(op).sums_up; }

// Statistics of a schedule, step by step.
std::vector<bool> find_statistics(const Schedule& schedule) {
  std::vector<bool> goes_on(schedule.storages.size());  // read by arithmetic
  for (const ScheduledStep& step : schedule.steps) {
    if (step.is_view() || !is_elementwise(step.op)) continue;
    each_of_t(step.inputs, contract_of(step.op).inputs,
              [&](const Operand& input) { goes_on[input.index] = true; });
  }
  std::vector<bool> found(schedule.storages.size());
  for (const ScheduledStep& step : schedule.steps) {
    if (step.is_view() || step.outputs.empty() || !step.outputs[0].has_value() ||
        type_of(step) != DType::kFloat32) {
      continue;
    }
    const uint32_t result = step.outputs[0]->index;
    if (sums_up(step.op)) {
      found[result] = goes_on[result];
    } else if (is_elementwise(step.op)) {
      bool all = false;
      uint64_t most = 0;
      each_of_t(step.inputs, contract_of(step.op).inputs, [&](const Operand& input) {
        all = (most == 0 || all) && found[input.index];
        most = std::max<uint64_t>(most, schedule.storages[input.index].bytes);
      });
      found[result] = all && schedule.storages[result].bytes <= most;
    }
  }
  return found;
}

}  // namespace

Halves::Halves(const Schedule& schedule)
    : schedule_(schedule), statistics_(find_statistics(schedule)) {}

bool Halves::narrow_operand(Operand& operand, ConstantPool& pool) const {
  if (operand.dtype != DType::kFloat32 || operand.packed_bytes != 0) return false;
  if (operand.constant) {
    if (!narrow_constant(operand, pool)) return false;
  } else if (!schedule_.storages[operand.index].half_will_do) {
    return false;
  }
  operand.over_read_bytes = (operand.over_read_bytes + 1) / 2;
  operand.dtype = DType::kFloat16;
  return true;
}

std::optional<ScheduledStep> Halves::narrowed(const ScheduledStep& step, ConstantPool& pool) const {
  if (step.op == Op::kCast && type_of(step) != DType::kFloat32) {
    ScheduledStep cast = step;
    if (!narrow_operand(*cast.outputs[0], pool)) return std::nullopt;
    return cast;
  }
  if (type_of(step) != DType::kFloat32) return std::nullopt;
  const Contract& contract = contract_of(step.op);
  const auto is_statistic = [&](const std::optional<Operand>& operand) {
    return operand.has_value() && !operand->constant && statistics_[operand->index];
  };
  ScheduledStep result = step;
  if (const auto narrow_attributes = facts_of(step.op).narrow) {
    if (!narrow_attributes(result.attributes)) return std::nullopt;
  }
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    if (!step.outputs[i].has_value() || !is_of_t(contract.outputs, i)) continue;
    if (is_statistic(step.outputs[i])) {
      if (!sums_up(step.op)) return std::nullopt;
    } else if (!narrow_operand(*result.outputs[i], pool)) {
      return std::nullopt;
    }
  }
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    std::optional<Operand>& input = result.inputs[i];
    if (!input.has_value()) continue;
    const bool may_be_wide = i == kWeightsInput && contract.inputs[1] == OperandType::kTOrHalf;
    if (!may_be_wide && !is_of_t(contract.inputs, i)) continue;
    if (may_be_wide && (input->constant || input->dtype != DType::kFloat32)) continue;
    if (!narrow_operand(*input, pool)) return std::nullopt;
  }
  return result;
}

void Halves::keep_storages_whole(std::vector<bool>& narrow) const {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<bool> wide(schedule_.storages.size());
    const auto each_output = [&](const auto& visit) {
      for (size_t s = 0; s < schedule_.steps.size(); ++s) {
        if (schedule_.steps[s].is_view()) continue;
        for (const std::optional<Operand>& output : schedule_.steps[s].outputs) {
          if (output.has_value() && !output->constant) visit(s, output->index);
        }
      }
    };
    each_output([&](size_t s, uint32_t storage) {
      if (!narrow[s]) wide[storage] = true;
    });
    each_output([&](size_t s, uint32_t storage) {
      if (!narrow[s] || !wide[storage]) return;
      narrow[s] = false;
      changed = true;
    });
  }
}

bool Halves::leave_out_islands(std::vector<bool>& narrow) const {
  // Steps that share storages are of one island.
  const size_t count = schedule_.steps.size();
  std::vector<size_t> island(count);
  std::iota(island.begin(), island.end(), size_t{0});
  const auto root_of = [&](size_t s) {
    while (island[s] != s) s = island[s] = island[island[s]];
    return s;
  };
  struct Users {
    std::vector<size_t> narrow;  // steps
    bool wide = false;           // some step of the device
  };
  std::vector<Users> users(schedule_.storages.size());
  for (size_t s = 0; s < count; ++s) {
    const ScheduledStep& step = schedule_.steps[s];
    if (step.where != format::Where::kVulkan) continue;
    const Contract& contract = contract_of(step.op);
    const auto use = [&](const Operand& operand) {
      if (!schedule_.storages[operand.index].half_will_do) return;
      if (narrow[s]) {
        users[operand.index].narrow.push_back(s);
      } else {
        users[operand.index].wide = true;
      }
    };
    each_of_t(step.inputs, contract.inputs, use);
    if (step.op == Op::kCast) {
      use(*step.outputs[0]);
    } else if (!sums_up(step.op) || !statistics_[step.outputs[0]->index]) {
      each_of_t(step.outputs, contract.outputs, use);
    }
  }
  std::vector<size_t> steps(count), casts(count);
  for (const Users& of : users) {
    for (const size_t s : of.narrow) island[root_of(s)] = root_of(of.narrow.front());
  }
  for (const Users& of : users) {
    if (of.wide && !of.narrow.empty()) ++casts[root_of(of.narrow.front())];
  }
  for (size_t s = 0; s < count; ++s) {
    if (narrow[s]) ++steps[root_of(s)];
  }
  bool changed = false;
  for (size_t s = 0; s < count; ++s) {
    const size_t root = root_of(s);
    if (!narrow[s] || casts[root] * kStepsACast <= steps[root]) continue;
    narrow[s] = false;
    changed = true;
  }
  return changed;
}

void Halves::leave_out_bad(std::vector<bool>& narrow) const {
  do {
    keep_storages_whole(narrow);
  } while (leave_out_islands(narrow));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
