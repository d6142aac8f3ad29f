// Random damage to steps that pass the loader's general rules: whatever a check lets through must
// run inside its bytes and come to an end.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "core/shape.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "tests/environment_count.h"
#include "tests/ops/case_step.h"
#include "tests/ops/cases.h"
#include "tests/ops/harness.h"
#include "tests/ops/with_scratch.h"

namespace arenite::ops_test {
namespace {

constexpr uint32_t kMaxBytes = 16384;  // of a value, so that the work of any step is small

// A step as a program has it.
struct Tables {
  std::vector<format::ValueRecord> values;
  std::vector<uint32_t> shapes, operands, attributes;
  format::StepRecord record{};

  explicit Tables(const OpCase& c);
};

// A step with memory of exact size for each value.
struct Mutant : Tables {
  std::vector<std::unique_ptr<std::byte[]>> memory;
  std::vector<std::byte*> arenas;

  explicit Mutant(const Tables& whole) : Tables(whole) {}

  uint32_t* shape(uint32_t value) { return shapes.data() + values[value].shape; }
  uint32_t operand_count() const { return record.input_count + uint32_t{record.output_count}; }
  Bindings bindings() const;
  bool is_loadable() const;
  void allocate(std::mt19937& random);
};

Tables::Tables(const OpCase& c) {
  CaseStep step(c);
  record = step.record();
  attributes.assign(step.attributes().begin(), step.attributes().end());
  operands.assign(step.operands().begin(), step.operands().end());
  for (uint32_t operand : operands) {
    if (operand == kNoIndex) continue;
    format::ValueRecord value = step.value(operand);
    // Room for eight dims and strides, wherever the rank goes.
    const std::span<uint32_t> shape = step.shape(operand);
    value.shape = static_cast<uint32_t>(shapes.size());
    value.place = static_cast<uint8_t>(values.size());
    value.offset = 0;
    // A view of itself: elements of what owns its bytes never share any.
    value.kind = static_cast<uint8_t>(format::ValueKind::kView);
    value.below_or_root = static_cast<uint32_t>(values.size());
    values.push_back(value);
    shapes.insert(shapes.end(), shape.begin(), shape.end());
    shapes.resize(value.shape + 2 * kMaxRank, 1);
  }
}

Bindings Mutant::bindings() const {
  Bindings bindings;
  bindings.values = values.data();
  bindings.shapes = shapes.data();
  bindings.operands = operands.data();
  bindings.attributes = attributes.data();
  bindings.arenas = arenas.data();
  return bindings;
}

// The facts of values and operands that core/ has proved before it calls a check.
bool Mutant::is_loadable() const {
  const Bindings tables = bindings();
  for (uint32_t i = 0; i < operand_count(); ++i) {
    if (operands[i] == kNoIndex && i >= record.input_count) return false;
    for (uint32_t j = record.input_count; j < operand_count(); ++j) {
      if (i != j && operands[i] == operands[j]) return false;
    }
    if (operands[i] == kNoIndex) continue;
    const Tensor tensor = tensor_of(tables, operands[i]);
    const uint32_t size = element_bytes(tensor.dtype());
    if (size == 0 || tensor.rank() > kMaxRank || tensor.bytes() > kMaxBytes) return false;
    if (!holds_elements(*tensor.record, tensor.dims, size, false)) return false;
  }
  return true;
}

void Mutant::allocate(std::mt19937& random) {
  const bool small_numbers = random() % 2 == 0;
  for (const format::ValueRecord& value : values) {
    memory.push_back(std::make_unique<std::byte[]>(value.bytes));
    arenas.push_back(memory.back().get());
    for (uint32_t b = 0; b < value.bytes; ++b) {
      // Values that the step no longer uses may have no type.
      const bool low = b % std::max(1u, element_bytes(static_cast<DType>(value.dtype))) == 0;
      memory.back()[b] =
          small_numbers ? std::byte(low ? random() % 4 : 0) : std::byte(random() & 0xff);
    }
  }
}

uint32_t pick(std::mt19937& random, std::initializer_list<uint32_t> choices) {
  return choices.begin()[random() % choices.size()];
}

uint32_t any_word(std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      return static_cast<uint32_t>(random());
    case 1:
      return pick(random, {0x1fffffff, 0x20000000, 0x3fffffff, 0x7fffffff, 0x80000000, 0x80000001,
                           0xfffffffe, 0xffffffff, 65536});
    case 2:
      return 0u - static_cast<uint32_t>(random() % 9);
    default:
      return static_cast<uint32_t>(random() % 12);
  }
}

void damage_shape(Mutant& m, std::mt19937& random) {
  const auto value = static_cast<uint32_t>(random() % m.values.size());
  const uint32_t rank = m.values[value].rank;
  if (rank == 0) return;
  uint32_t* dims = m.shape(value);
  const auto d = static_cast<uint32_t>(random() % rank);
  switch (random() % 4) {
    case 0:
      dims[d] = pick(random, {0, 1, 2, 3, 15, 16, 17, 33});
      break;
    case 1: {
      // The same dim of every value: these often agree again.
      const uint32_t size = pick(random, {0, 1, 2, 5, 17, 1u << 28, 1u << 30});
      for (uint32_t v = 0; v < m.values.size(); ++v) {
        if (d < m.values[v].rank) m.shape(v)[d] = size;
      }
      break;
    }
    case 2:
      dims[rank + d] = pick(random, {0, 1, 2, 7, 64, 0xffffffff});
      break;
    default:
      dims[d] = any_word(random);
      break;
  }
}

void damage_value(Mutant& m, std::mt19937& random) {
  format::ValueRecord& value = m.values[random() % m.values.size()];
  switch (random() % 4) {
    case 0:
      value.dtype = static_cast<uint8_t>(random() % 18);
      break;
    case 1:
      value.layout = static_cast<uint8_t>(random() % 4);
      break;
    case 2:
      // The start of the strides moves with the rank.
      value.rank = static_cast<uint8_t>(random() % (kMaxRank + 1));
      break;
    default:
      for (format::ValueRecord& other : m.values) other.dtype = value.dtype;
      break;
  }
}

void damage_record(Mutant& m, std::mt19937& random) {
  switch (random() % 3) {
    case 0:
      m.operands[random() % m.operands.size()] = kNoIndex;
      break;
    case 1:
      m.operands[random() % m.operands.size()] = static_cast<uint32_t>(random() % m.values.size());
      break;
    default:
      if (m.record.input_count > 0) {
        --m.record.input_count;
        ++m.record.operand_first;
        m.operands.erase(m.operands.begin());
        m.record.operand_first = 0;
      }
      break;
  }
}

// Storage for what the dims and strides reach, sometimes a little more.
void fit_bytes(Mutant& m, std::mt19937& random) {
  const Bindings bindings = m.bindings();
  for (uint32_t i = 0; i < m.values.size(); ++i) {
    const Tensor tensor = tensor_of(bindings, i);
    if (tensor.layout() != Layout::kStrided || element_bytes(tensor.dtype()) == 0) continue;
    const uint64_t extent = extent_bytes(tensor);
    if (extent <= kMaxBytes) m.values[i].bytes = static_cast<uint32_t>(extent);
    if (random() % 8 == 0) m.values[i].bytes += 64;
  }
}

std::vector<Op> kernel_ops() {
  return {
#define ARENITE_KERNEL_OP(number, name, Type, shader) Op::k##Type,
#include "schema/ops.def"
  };
}

std::string name_of(const testing::TestParamInfo<Op>& info) { return op_name(info.param); }

class Mutation : public testing::TestWithParam<Op> {};

TEST_P(Mutation, NeverLeavesItsBytes) {
  std::vector<Tables> steps;
  for (const OpCase& c : all_cases()) {
    if (c.op != GetParam() || c.name.find("large") != std::string::npos) continue;
    steps.emplace_back(c);
    for (const OpCase& blocked : other_blocks(c)) steps.emplace_back(blocked);
  }
  const Contract& contract = *find_contract(GetParam());
  std::mt19937 random(static_cast<uint32_t>(GetParam()) * 7919);
  uint32_t loadable = 0;
  uint32_t ran = 0;
  const uint32_t mutants = test::environment_count("ARENITE_TEST_MUTANTS", 6000);
  for (uint32_t i = 0; i < mutants; ++i) {
    Mutant m(steps[random() % steps.size()]);
    for (uint32_t n = 1 + static_cast<uint32_t>(random() % 3); n != 0; --n) {
      switch (random() % 8) {
        case 0:
        case 1:
        case 2:
          damage_shape(m, random);
          break;
        case 3:
          damage_value(m, random);
          break;
        case 4:
          damage_record(m, random);
          break;
        default:
          if (!m.attributes.empty()) {
            m.attributes[random() % m.attributes.size()] = any_word(random);
          }
          break;
      }
    }
    fit_bytes(m, random);
    if (!m.is_loadable()) continue;
    ++loadable;
    const Bindings unbound = m.bindings();
    // Checks see no data.
    Bindings without_memory = unbound;
    without_memory.arenas = nullptr;
    if (!check_contract(Step(without_memory, m.record, 0), contract).ok()) continue;
    m.allocate(random);
    const Bindings bindings = m.bindings();
    const Step step(bindings, m.record, 0);
    const Form* form = reference_of(step);
    if (form == nullptr) {
      // Contracts leave blocks to the forms that read them.
      EXPECT_EQ(step.input(kWeightsInput).layout(), Layout::kBlocked);
      continue;
    }
    ++ran;
    const WithScratch whole(step, *form);
    EXPECT_NE(whole.run(*form, Platform{}).code, Code::kBadScratch);
  }
  RecordProperty("loadable", static_cast<int>(loadable));
  RecordProperty("ran", static_cast<int>(ran));
  EXPECT_GT(ran, mutants / 20) << "of " << loadable << " loadable";
  EXPECT_LT(loadable - ran, loadable) << "some must be refused";
}

INSTANTIATE_TEST_SUITE_P(Ops, Mutation, testing::ValuesIn(kernel_ops()), name_of);

}  // namespace
}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
