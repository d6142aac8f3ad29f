// Small programs with Vulkan steps, written by hand with the counts worked out by hand.
#include "tests/vk/programs.h"

#include "kernels/dispatch/dispatch.h"
#include "tests/core/program_builder.h"

namespace arenite::tests {
namespace {

using format::ArenaKind;
using format::Where;

constexpr uint32_t kSlot = 4096;
constexpr uint32_t kAlignment = 256;
constexpr uint32_t kHostAlignment = 64;

std::vector<uint32_t> no_activation() { return words_of(BinaryAttributes{}); }

std::vector<float> constant_numbers() {
  std::vector<float> numbers(kElements);
  for (uint32_t i = 0; i < kElements; ++i) {
    numbers[i] = static_cast<float>(i) / 8;
  }
  return numbers;
}

ValueSpec in_arena(uint32_t arena, uint32_t slot, uint32_t first, uint32_t last) {
  return {.dims = {kElements},
          .place = arena,
          .offset = slot * kSlot,
          .first_step = first,
          .last_step = last};
}

void transfer(ProgramBuilder& builder, uint32_t from, uint32_t to) {
  builder.step({.op = Op::kCopy, .where = Where::kTransfer, .inputs = {from}, .outputs = {to}});
}

void binary(ProgramBuilder& builder, Op op, Where where, uint32_t a, uint32_t b, uint32_t y) {
  builder.step(
      {.op = op, .where = where, .inputs = {a, b}, .outputs = {y}, .attributes = no_activation()});
}

// The three arenas of a Vulkan variant, `slots` values each.
void device_arenas(ProgramBuilder& builder, uint32_t slots) {
  builder.requirement(Capability::kVulkanVersion, 1001);
  builder.arena(ArenaKind::kUpload, slots * kSlot, kAlignment);
  builder.arena(ArenaKind::kDevice, slots * kSlot, kAlignment);
  builder.arena(ArenaKind::kReadback, slots * kSlot, kAlignment);
}
constexpr uint32_t kUpload = 0, kDevice = 1, kReadback = 2;

void set_barriers(planner::ProgramTables& tables, std::initializer_list<uint32_t> steps) {
  for (const uint32_t step : steps) {
    tables.steps[step].flags = format::kBarrierBefore;
  }
}

// One dispatch for each Vulkan step of variant 0.
void set_counts(planner::ProgramTables& tables, uint32_t pipelines, uint32_t buffers) {
  format::VariantRecord& variant = tables.variants[0];
  variant.pipelines = pipelines;
  for (uint32_t i = 0; i < variant.step_count; ++i) {
    if (tables.steps[i].where == static_cast<uint8_t>(Where::kVulkan)) {
      tables.steps[i].dispatches = 1;
      ++variant.dispatches;
    }
  }
  variant.descriptor_set_count = 1;
  tables.descriptor_sets = {{layout_word(buffers, false), variant.dispatches}};
  for (size_t v = 1; v < tables.variants.size(); ++v) tables.variants[v].descriptor_set_first = 1;
}

// One symbol n from 1 to `most`, from which variant 0 follows by the expressions and patches that
// are there.
void let_callers_choose(planner::ProgramTables& tables, uint32_t most) {
  const planner::TextRange name = planner::add_text(tables, "n");
  tables.symbols = {{0, name.offset, name.bytes, 1, most}};
  tables.symbolic_variants = {{0, 0, static_cast<uint32_t>(tables.expressions.size()), 0,
                               static_cast<uint32_t>(tables.patches.size()),
                               static_cast<uint32_t>(tables.shapes.size()), 0}};
  tables.required_features |= format::kDimsFeature;
}

}  // namespace

planner::ProgramTables chain_tables() {
  ProgramBuilder builder;
  const uint32_t c = builder.constant(constant_numbers());

  builder.method("chain", 1, 1);
  builder.variant("vulkan");
  device_arenas(builder, 2);
  uint32_t x = builder.value(in_arena(kUpload, 0, 0, 0));
  const uint32_t d0 = builder.value(in_arena(kDevice, 0, 0, 1));
  const uint32_t d1 = builder.value(in_arena(kDevice, 1, 1, 2));
  const uint32_t d2 = builder.value(in_arena(kDevice, 0, 2, 3));
  uint32_t y = builder.value(in_arena(kReadback, 0, 3, 3));
  transfer(builder, x, d0);
  binary(builder, Op::kAdd, Where::kVulkan, d0, c, d1);
  binary(builder, Op::kMul, Where::kVulkan, d1, d1, d2);
  transfer(builder, d2, y);
  builder.io({x, y});

  builder.variant("cpu");
  builder.arena(ArenaKind::kHost, 3 * kSlot, kHostAlignment);
  x = builder.value(in_arena(0, 0, 0, 0));
  const uint32_t t = builder.value(in_arena(0, 1, 0, 1));
  y = builder.value(in_arena(0, 2, 1, 1));
  binary(builder, Op::kAdd, Where::kCpu, x, c, t);
  binary(builder, Op::kMul, Where::kCpu, t, t, y);
  builder.io({x, y});

  planner::ProgramTables tables = builder.tables();
  set_barriers(tables, {1, 2, 3});
  set_counts(tables, 2, 3);
  return tables;
}

planner::ProgramTables sandwich_tables() {
  ProgramBuilder builder;
  builder.method("sandwich", 1, 1);
  builder.variant("vulkan");
  device_arenas(builder, 2);
  uint32_t x = builder.value(in_arena(kUpload, 0, 0, 0));
  const uint32_t d0 = builder.value(in_arena(kDevice, 0, 0, 1));
  const uint32_t d1 = builder.value(in_arena(kDevice, 1, 1, 2));
  const uint32_t r = builder.value(in_arena(kReadback, 0, 2, 3));
  const uint32_t u = builder.value(in_arena(kUpload, 1, 3, 4));
  const uint32_t d2 = builder.value(in_arena(kDevice, 0, 4, 5));
  const uint32_t d3 = builder.value(in_arena(kDevice, 1, 5, 6));
  uint32_t y = builder.value(in_arena(kReadback, 1, 6, 6));
  transfer(builder, x, d0);
  binary(builder, Op::kAdd, Where::kVulkan, d0, d0, d1);
  transfer(builder, d1, r);
  binary(builder, Op::kMul, Where::kCpu, r, r, u);
  transfer(builder, u, d2);
  binary(builder, Op::kAdd, Where::kVulkan, d2, d2, d3);
  transfer(builder, d3, y);
  builder.io({x, y});

  builder.variant("cpu");
  builder.arena(ArenaKind::kHost, 4 * kSlot, kHostAlignment);
  x = builder.value(in_arena(0, 0, 0, 0));
  const uint32_t t = builder.value(in_arena(0, 1, 0, 1));
  const uint32_t m = builder.value(in_arena(0, 2, 1, 2));
  y = builder.value(in_arena(0, 3, 2, 2));
  binary(builder, Op::kAdd, Where::kCpu, x, x, t);
  binary(builder, Op::kMul, Where::kCpu, t, t, m);
  binary(builder, Op::kAdd, Where::kCpu, m, m, y);
  builder.io({x, y});

  planner::ProgramTables tables = builder.tables();
  set_barriers(tables, {1, 2, 5, 6});
  set_counts(tables, 1, 3);
  return tables;
}

planner::ProgramTables product_tables(uint32_t n) {
  const uint32_t bytes = n * n * static_cast<uint32_t>(sizeof(float));
  const uint32_t slot = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  ProgramBuilder builder;
  builder.method("product", 2, 1);
  builder.variant("vulkan");
  builder.arena(ArenaKind::kUpload, 2 * slot, kAlignment);
  builder.arena(ArenaKind::kReadback, slot, kAlignment);
  const uint32_t a = builder.value({.dims = {n, n}});
  const uint32_t b = builder.value({.dims = {n, n}, .offset = slot});
  const uint32_t y = builder.value({.dims = {n, n}, .place = 1});
  builder.step({.op = Op::kMatMul,
                .where = Where::kVulkan,
                .inputs = {a, b},
                .outputs = {y},
                .attributes = words_of(MatMulAttributes{.alpha = 1, .beta = 0, .activation = {}})});
  builder.io({a, b, y});
  planner::ProgramTables tables = builder.tables();
  set_counts(tables, 1, 4);
  return tables;
}

planner::ProgramTables scaled_tables(const std::vector<float>& weights, float scale) {
  const auto n = static_cast<uint32_t>(weights.size());
  const uint32_t slot = (n * uint32_t{sizeof(float)} + kAlignment - 1) / kAlignment * kAlignment;
  ProgramBuilder builder;
  const uint32_t w = builder.constant(weights);
  const uint32_t s = builder.constant({scale}, {n}, {{0}});
  for (const char* name : {"scaled0", "scaled1"}) {
    builder.method(name, 1, 1);
    builder.variant("vulkan");
    builder.arena(ArenaKind::kUpload, slot, kAlignment);
    builder.arena(ArenaKind::kDevice, slot, kAlignment);
    builder.arena(ArenaKind::kReadback, slot, kAlignment);
    const ValueSpec whole{.dims = {n}};
    ValueSpec spec = whole;
    const uint32_t x = builder.value(spec);
    spec.place = 1;
    spec.last_step = 1;
    const uint32_t sum = builder.value(spec);
    spec.place = 2;
    spec.first_step = 1;
    const uint32_t y = builder.value(spec);
    binary(builder, Op::kAdd, Where::kVulkan, x, w, sum);
    binary(builder, Op::kMul, Where::kVulkan, sum, s, y);
    builder.io({x, y});
  }
  planner::ProgramTables tables = builder.tables();
  for (format::VariantRecord& variant : tables.variants) {
    variant.dispatches = variant.pipelines = 2;
    variant.descriptor_set_first = static_cast<uint32_t>(tables.descriptor_sets.size());
    variant.descriptor_set_count = 1;
    tables.descriptor_sets.push_back({layout_word(3, false), 2});
  }
  for (format::StepRecord& step : tables.steps) step.dispatches = 1;
  set_barriers(tables, {1, 3});
  return tables;
}

planner::ProgramTables split_tables() {
  ProgramBuilder builder;
  builder.method("split", 2, 1);
  builder.variant("vulkan");
  builder.arena(ArenaKind::kUpload, 8 * kSlot, kAlignment);
  builder.arena(ArenaKind::kReadback, kSlot, kAlignment);
  builder.arena(ArenaKind::kDevice, kSlot, kAlignment);
  const uint32_t a = builder.value({.dims = {2, 512}});
  const uint32_t b = builder.value({.dims = {512, 8}, .offset = kSlot});
  const uint32_t y = builder.value({.dims = {2, 8}, .place = 1});
  const uint32_t scratch = builder.value({.dims = {256}, .place = 2, .dtype = DType::kUint8});
  builder.step({.op = Op::kMatMul,
                .where = Where::kVulkan,
                .inputs = {a, b},
                .outputs = {y},
                .scratch = {scratch},
                .attributes = words_of(MatMulAttributes{.alpha = 1, .beta = 0, .activation = {}}),
                .form = 1});
  builder.io({a, b, y});
  planner::ProgramTables tables = builder.tables();
  tables.steps[0].choice = 1;
  tables.steps[0].dispatches = 2;
  format::VariantRecord& variant = tables.variants[0];
  variant.dispatches = variant.pipelines = 2;
  variant.parameter_bytes = 512;
  variant.descriptor_set_count = 1;
  tables.descriptor_sets = {{layout_word(3, true), 2}};
  return tables;
}

planner::ProgramTables softmax_tables() {
  ProgramBuilder builder;
  builder.method("softmax", 1, 1);
  builder.variant("vulkan");
  builder.arena(ArenaKind::kUpload, kSlot, kAlignment);
  builder.arena(ArenaKind::kReadback, kSlot, kAlignment);
  const uint32_t x = builder.value({.dims = {3, 300}});
  const uint32_t y = builder.value({.dims = {3, 300}, .place = 1});
  SoftmaxAttributes attributes{};
  attributes.axes = 1u << 1;
  builder.step({.op = Op::kSoftmax,
                .where = Where::kVulkan,
                .inputs = {x},
                .outputs = {y},
                .attributes = words_of(attributes),
                .form = 1});
  builder.io({x, y});
  planner::ProgramTables tables = builder.tables();
  set_counts(tables, 1, 2);
  return tables;
}

planner::ProgramTables picks_tables(uint8_t form) {
  ProgramBuilder builder;
  builder.method("picks", 3, 1);
  builder.variant("vulkan");
  builder.arena(ArenaKind::kUpload, 3 * kAlignment, kAlignment);
  builder.arena(ArenaKind::kDevice, kAlignment, kAlignment);
  builder.arena(ArenaKind::kReadback, kAlignment, kAlignment);
  const uint32_t x = builder.value({.dims = {4}});
  const uint32_t i = builder.value({.dims = {3}, .offset = kAlignment, .dtype = DType::kInt32});
  const uint32_t j = builder.value(
      {.dims = {2}, .offset = 2 * kAlignment, .last_step = 1, .dtype = DType::kInt32});
  const uint32_t picked = builder.value({.dims = {3}, .place = kDevice, .last_step = 1});
  const uint32_t y =
      builder.value({.dims = {2}, .place = kReadback, .first_step = 1, .last_step = 1});
  const auto gather = [&](uint32_t data, uint32_t indices, uint32_t result) {
    builder.step({.op = Op::kGather,
                  .where = Where::kVulkan,
                  .inputs = {data, indices},
                  .outputs = {result},
                  .attributes = words_of(GatherAttributes{.axis = 0}),
                  .form = form});
  };
  gather(x, i, picked);
  gather(picked, j, y);
  builder.io({x, i, j, y});
  planner::ProgramTables tables = builder.tables();
  set_barriers(tables, {1});
  format::VariantRecord& variant = tables.variants[0];
  const uint32_t checks = form == 1 ? 1 : 0;
  for (format::StepRecord& step : tables.steps) step.dispatches = static_cast<uint16_t>(1 + checks);
  variant.dispatches = 2 + 2 * checks;
  variant.pipelines = 1 + checks;
  variant.parameter_bytes = 512 * checks;
  variant.descriptor_set_count = 1 + checks;
  tables.descriptor_sets = {{layout_word(3, false), 2}};
  if (checks != 0) tables.descriptor_sets.push_back({layout_word(2, true), 2});
  return tables;
}

planner::ProgramTables stack_tables() {
  using format::ExpressionKind;
  using format::PatchTarget;
  ProgramBuilder builder;
  const uint32_t c = builder.constant(constant_numbers());
  builder.method("stack", 1, 1);
  builder.variant("vulkan");
  device_arenas(builder, 4);
  const uint32_t x = builder.value(in_arena(kUpload, 0, 0, 0));
  const uint32_t d0 = builder.value(in_arena(kDevice, 0, 0, 2));
  ValueSpec both = in_arena(kDevice, 1, 1, 3);
  both.dims = {2 * kElements};
  const uint32_t d1 = builder.value(both);
  ValueSpec part = in_arena(kDevice, 1, 1, 3);
  part.kind = format::ValueKind::kView;
  part.root = d1;
  const uint32_t sum = builder.value(part);
  part.offset += kElements * 4;
  part.first_step = 2;
  const uint32_t product = builder.value(part);
  ValueSpec out = in_arena(kReadback, 0, 3, 3);
  out.dims = both.dims;
  const uint32_t y = builder.value(out);
  transfer(builder, x, d0);
  binary(builder, Op::kAdd, Where::kVulkan, d0, c, sum);
  binary(builder, Op::kMul, Where::kVulkan, d0, d0, product);
  transfer(builder, d1, y);
  builder.io({x, y});
  planner::ProgramTables tables = builder.tables();
  set_barriers(tables, {1, 2, 3});
  set_counts(tables, 2, 3);

  const auto add = [&](ExpressionKind kind, uint32_t a, uint32_t b = 0) {
    tables.expressions.push_back({static_cast<uint32_t>(kind), a, b});
    return static_cast<uint32_t>(tables.expressions.size()) - 1;
  };
  const uint32_t n = add(ExpressionKind::kSymbol, 0);
  const uint32_t twice = add(ExpressionKind::kAdd, n, n);
  const uint32_t bytes = add(ExpressionKind::kAdd, twice, twice);
  const uint32_t begin = add(ExpressionKind::kConstant, tables.values[d1].offset);
  const uint32_t second = add(ExpressionKind::kAdd, begin, bytes);
  const auto follow = [&](PatchTarget target, uint32_t index, uint32_t expression) {
    tables.patches.push_back({static_cast<uint32_t>(target), index, expression});
  };
  follow(PatchTarget::kShape, tables.constants[0].shape, n);
  for (uint32_t v = 0; v < tables.values.size(); ++v) {
    follow(PatchTarget::kShape, tables.values[v].shape, v == d1 || v == y ? twice : n);
  }
  follow(PatchTarget::kValueOffset, product, second);
  let_callers_choose(tables, kElements);
  return tables;
}

planner::ProgramTables products_tables(bool both, uint32_t pipelines) {
  constexpr uint32_t kSide = 8;
  ProgramBuilder builder;
  builder.method("products", 3, 2);
  builder.variant("vulkan");
  device_arenas(builder, 3);
  const auto matrix = [&](uint32_t arena, uint32_t slot) {
    return builder.value(
        {.dims = {kSide, kSide}, .place = arena, .offset = slot * kSlot, .last_step = 1});
  };
  const uint32_t a = matrix(kUpload, 0), b = matrix(kUpload, 1), c = matrix(kUpload, 2);
  const uint32_t y = matrix(kReadback, 0);
  const uint32_t z = builder.value({.dims = {kSide, kSide},
                                    .place = kReadback,
                                    .offset = kSlot,
                                    .first_step = 1,
                                    .last_step = 1});
  const auto multiply = [&](uint32_t right, uint32_t result) {
    builder.step(
        {.op = Op::kMatMul,
         .where = Where::kVulkan,
         .inputs = {a, right},
         .outputs = {result},
         .attributes = words_of(MatMulAttributes{.alpha = 1, .beta = 0, .activation = {}})});
  };
  multiply(b, y);
  multiply(c, z);
  builder.io({a, b, c, y, z});
  planner::ProgramTables tables = builder.tables();
  set_counts(tables, pipelines, 4);
  tables.expressions = {{static_cast<uint32_t>(format::ExpressionKind::kSymbol), 0, 0}};
  for (const uint32_t v : {b, c, y, z}) {
    if ((v == c || v == z) && !both) continue;
    const uint32_t shape = tables.values[v].shape;
    // The dim of columns, and the stride of rows.
    for (const uint32_t word : {shape + 1, shape + 2}) {
      tables.patches.push_back({static_cast<uint32_t>(format::PatchTarget::kShape), word, 0});
    }
  }
  let_callers_choose(tables, kSide);
  return tables;
}

std::vector<float> stack_output(const std::vector<float>& x) {
  const std::vector<float> c = constant_numbers();
  std::vector<float> y;
  for (size_t i = 0; i < x.size(); ++i) y.push_back(x[i] + c[i]);
  for (const float number : x) y.push_back(number * number);
  return y;
}

std::vector<float> sample_input() {
  std::vector<float> x(kElements);
  for (uint32_t i = 0; i < kElements; ++i) {
    x[i] = static_cast<float>(i % 97) - 40;
  }
  return x;
}

std::vector<float> chain_output() {
  std::vector<float> y = sample_input();
  for (uint32_t i = 0; i < kElements; ++i) {
    const float sum = y[i] + static_cast<float>(i) / 8;
    y[i] = sum * sum;
  }
  return y;
}

std::vector<float> sandwich_output() {
  std::vector<float> y = sample_input();
  for (float& number : y) {
    const float sum = number + number;
    number = sum * sum + sum * sum;
  }
  return y;
}

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
