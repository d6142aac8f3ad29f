// Builds the sample's tables by hand: two methods, one of which has a variant for the device.
#include "tests/core/sample_programs.h"

#include <initializer_list>

namespace arenite::tests {
namespace {

using format::ArenaKind;
using format::ValueKind;
using format::Where;

const std::vector<uint32_t> kMatrix = {2, 4};
const std::vector<uint32_t> kFlat = {8};
// 32 bytes and the 8 that mul may touch behind them.
constexpr uint32_t kTailed = 40;

std::vector<uint32_t> no_activation() { return words_of(BinaryAttributes{}); }

void gpu_variant(ProgramBuilder& b, uint32_t c) {
  b.variant("board with a device");
  b.requirement(Capability::kVulkanVersion, 1001);
  const uint32_t upload = b.arena(ArenaKind::kUpload, 64, 256);
  const uint32_t device = b.arena(ArenaKind::kDevice, 88, 256);
  const uint32_t readback = b.arena(ArenaKind::kReadback, 80, 256);
  const uint32_t host = b.arena(ArenaKind::kHost, 80);
  const uint32_t x = b.value({.dims = kMatrix, .place = upload});
  const uint32_t d0 = b.value({.dims = kMatrix, .place = device, .last_step = 1});
  const uint32_t d1 = b.value({.dims = kMatrix,
                               .place = device,
                               .offset = 48,
                               .first_step = 1,
                               .last_step = 3,
                               .bytes = kTailed});
  const uint32_t v = b.value({.dims = kFlat,
                              .kind = ValueKind::kView,
                              .place = device,
                              .offset = 48,
                              .first_step = 2,
                              .last_step = 3,
                              .root = d1,
                              .bytes = kTailed});
  const uint32_t r = b.value(
      {.dims = kFlat, .place = readback, .first_step = 3, .last_step = 4, .bytes = kTailed});
  const uint32_t m =
      b.value({.dims = kFlat, .place = host, .first_step = 4, .last_step = 5, .bytes = kTailed});
  const uint32_t s =
      b.value({.dims = kFlat, .place = host, .offset = 48, .first_step = 4, .last_step = 4});
  const uint32_t u =
      b.value({.dims = kFlat, .place = upload, .offset = 32, .first_step = 5, .last_step = 6});
  const uint32_t y =
      b.value({.dims = kMatrix, .place = readback, .offset = 48, .first_step = 6, .last_step = 6});
  const uint32_t y8 = b.value({.dims = kFlat,
                               .kind = ValueKind::kView,
                               .place = readback,
                               .offset = 48,
                               .first_step = 6,
                               .last_step = 6,
                               .root = y});
  b.step({.op = Op::kCopy, .where = Where::kTransfer, .inputs = {x}, .outputs = {d0}});
  b.step({.op = Op::kAdd,
          .where = Where::kVulkan,
          .inputs = {d0, c},
          .outputs = {d1},
          .attributes = no_activation()});
  b.step({.op = Op::kReshape, .where = Where::kView, .inputs = {d1}, .outputs = {v}});
  b.step({.op = Op::kCopy, .where = Where::kTransfer, .inputs = {v}, .outputs = {r}});
  b.step({.op = Op::kMul,
          .inputs = {r, r},
          .outputs = {m},
          .scratch = {s},
          .attributes = no_activation()});
  b.step({.op = Op::kAdd, .inputs = {m, m}, .outputs = {u}, .attributes = no_activation()});
  b.step({.op = Op::kCopy, .where = Where::kVulkan, .inputs = {u}, .outputs = {y8}});
  b.io({x, y});
}

void cpu_variant(ProgramBuilder& b, uint32_t c) {
  b.variant("board");
  const uint32_t host = b.arena(ArenaKind::kHost, 136);
  const uint32_t x = b.value({.dims = kMatrix, .place = host});
  const uint32_t t =
      b.value({.dims = kMatrix, .place = host, .offset = 48, .last_step = 2, .bytes = kTailed});
  const uint32_t v = b.value({.dims = kFlat,
                              .kind = ValueKind::kView,
                              .place = host,
                              .offset = 48,
                              .first_step = 1,
                              .last_step = 2,
                              .root = t,
                              .bytes = kTailed});
  const uint32_t m = b.value({.dims = kFlat,
                              .place = host,
                              .offset = 96,
                              .first_step = 2,
                              .last_step = 3,
                              .bytes = kTailed});
  const uint32_t s = b.value(
      {.dims = {32}, .place = host, .first_step = 2, .last_step = 2, .dtype = DType::kUint8});
  const uint32_t y = b.value({.dims = kMatrix, .place = host, .first_step = 3, .last_step = 3});
  const uint32_t y8 = b.value({.dims = kFlat,
                               .kind = ValueKind::kView,
                               .place = host,
                               .first_step = 3,
                               .last_step = 3,
                               .root = y});
  b.step({.op = Op::kAdd, .inputs = {x, c}, .outputs = {t}, .attributes = no_activation()});
  b.step({.op = Op::kReshape, .where = Where::kView, .inputs = {t}, .outputs = {v}});
  b.step({.op = Op::kMul,
          .inputs = {v, v},
          .outputs = {m},
          .scratch = {s},
          .attributes = no_activation()});
  b.step({.op = Op::kAdd, .inputs = {m, m}, .outputs = {y8}, .attributes = no_activation()});
  b.io({x, y});
}

void twice_method(ProgramBuilder& b) {
  b.method("twice", 1, 1);
  b.variant("board");
  const uint32_t host = b.arena(ArenaKind::kHost, 28);
  const uint32_t x = b.value({.dims = {3}, .place = host});
  const uint32_t y = b.value({.dims = {3}, .place = host, .offset = 16});
  b.step({.op = Op::kAdd, .inputs = {x, x}, .outputs = {y}, .attributes = no_activation()});
  b.io({x, y});
}

}  // namespace

ProgramBuilder twice_builder() {
  ProgramBuilder b;
  twice_method(b);
  return b;
}

ProgramBuilder sample_builder() {
  ProgramBuilder b;
  const uint32_t c = b.constant({1, 2, 3, 4, 5, 6, 7, 8}, kMatrix);
  b.method("scale", 1, 1);
  gpu_variant(b, c);
  cpu_variant(b, c);
  twice_method(b);
  return b;
}

Sums sums(bool from_constant) {
  ProgramBuilder b;
  b.method("m", 2, 2);
  b.variant("board");
  b.arena(ArenaKind::kHost, 64);
  b.arena(ArenaKind::kState, 16);
  const uint32_t initial = b.constant({10, 20, 30});
  Sums sums;
  sums.x = b.value({.dims = {3}, .last_step = 1});
  sums.s = b.value({.dims = {3}, .place = Sums::kStateArena, .last_step = 1});
  sums.next = b.value({.dims = {3}, .offset = 16, .last_step = 1});
  sums.y = b.value({.dims = {3}, .offset = 32, .first_step = 1, .last_step = 1});
  const auto attributes = words_of(BinaryAttributes{});
  b.step({.inputs = {sums.s, sums.x}, .outputs = {sums.next}, .attributes = attributes});
  b.step({.inputs = {sums.next, sums.x}, .outputs = {sums.y}, .attributes = attributes});
  b.io({sums.x, sums.s, sums.next, sums.y});
  sums.tables = b.tables();
  sums.tables.states.push_back(
      {0, 1, 0, from_constant ? format::constant_index(initial) : kNoIndex});
  return sums;
}

planner::ProgramTables choices(const std::vector<format::PredicateRecord>& predicates) {
  ProgramBuilder b;
  b.method("m", 2, 1);
  b.variant("board");
  b.arena(ArenaKind::kHost, 112);
  const auto words = words_of(BinaryAttributes{});
  const auto add = [&](uint32_t first, uint32_t second, uint32_t to) {
    b.step({.inputs = {first, second}, .outputs = {to}, .attributes = words});
  };
  const auto sum = [&](uint32_t offset, uint32_t step) {
    return b.value({.dims = {3}, .offset = offset, .first_step = step, .last_step = 4});
  };
  const uint32_t x = b.value({.dims = {3}, .last_step = 4});
  const uint32_t condition =
      b.value({.dims = {1}, .offset = 96, .last_step = 4, .dtype = DType::kBool, .bytes = 1});
  const uint32_t first = sum(16, 0), second = sum(32, 1);
  const uint32_t view = b.value({.dims = {1, 3},
                                 .kind = ValueKind::kView,
                                 .offset = 32,
                                 .first_step = 2,
                                 .last_step = 4,
                                 .root = second});
  const uint32_t other = sum(48, 3), y = sum(64, 4);
  add(x, x, first);
  add(first, x, second);
  b.step({.op = Op::kReshape, .where = Where::kView, .inputs = {second}, .outputs = {view}});
  add(x, x, other);
  add(x, x, y);
  b.io({x, condition, y});
  planner::ProgramTables tables = b.tables();
  tables.predicates = predicates;
  tables.required_features |= format::kPredicatesFeature;
  return tables;
}

planner::ProgramTables device_choices(const std::vector<format::PredicateRecord>& predicates,
                                      uint32_t more) {
  ProgramBuilder b;
  b.method("m", 2, 1);
  b.variant("board with a device");
  b.requirement(Capability::kVulkanVersion, 1001);
  const uint32_t last = 4 + more;
  const uint32_t upload = b.arena(ArenaKind::kUpload, 32, 256);
  const uint32_t device = b.arena(ArenaKind::kDevice, 16 * (3 + more), 256);
  const uint32_t readback = b.arena(ArenaKind::kReadback, 32, 256);
  const auto number = [&](uint32_t place) {
    return b.value({.dims = {1}, .place = place, .offset = 16, .last_step = last});
  };
  const auto truth_of = [&](uint32_t value, uint32_t place) {
    return b.value({.dims = {1},
                    .kind = ValueKind::kView,
                    .place = place,
                    .offset = 16,
                    .last_step = last,
                    .root = value,
                    .dtype = DType::kBool,
                    .bytes = 1});
  };
  const uint32_t x = b.value({.dims = {3}, .place = upload, .last_step = last});
  const uint32_t c = number(upload), r = number(readback);
  truth_of(c, upload);
  truth_of(r, readback);
  uint32_t steps = 1;
  std::vector<uint32_t> sums;
  for (; steps < last; ++steps) {
    sums.push_back(b.value({.dims = {3},
                            .place = device,
                            .offset = 16 * (steps - 1),
                            .first_step = steps,
                            .last_step = last}));
  }
  const uint32_t y =
      b.value({.dims = {3}, .place = readback, .first_step = last, .last_step = last});
  b.step({.op = Op::kCopy, .where = Where::kTransfer, .inputs = {c}, .outputs = {r}});
  for (const uint32_t sum : sums) {
    b.step({.where = Where::kVulkan,
            .inputs = {x, x},
            .outputs = {sum},
            .attributes = no_activation(),
            .flags = format::kBeginsStretch});
  }
  b.step({.op = Op::kCopy,
          .where = Where::kTransfer,
          .inputs = {sums[0]},
          .outputs = {y},
          .flags = format::kBeginsStretch});
  b.io({x, c, y});
  planner::ProgramTables tables = b.tables();
  tables.predicates = predicates;
  tables.required_features |= format::kPredicatesFeature | format::kCutsFeature;
  return tables;
}

planner::ProgramTables fixed_rows(const Rows& rows) {
  const uint32_t n = rows.n, k = rows.k;
  ProgramBuilder b;
  b.method("rows", 1, 3);
  b.variant("board");
  b.arena(ArenaKind::kHost, 176);
  const uint32_t bias = b.constant({10, 20, 30}, {n, k}, std::vector<uint32_t>{0, 1});
  constexpr uint32_t kUpper = 48, kSums = 144, kLast = 160;
  const auto rows_of = [&](uint32_t count, uint32_t offset, uint32_t step) {
    return ValueSpec{.dims = {count, k}, .offset = offset, .first_step = step, .last_step = 3};
  };
  const auto half = [&](uint32_t offset, uint32_t step) {
    ValueSpec spec = rows_of(n, offset, step);
    spec.kind = ValueKind::kView;
    spec.root = Rows::kY;
    return spec;
  };
  b.value(rows_of(n, 0, 0));
  b.value(rows_of(2 * n, kUpper, 0));
  b.value(half(kUpper, 0));
  b.value(half(kUpper + 4 * n * k, 1));
  b.value(rows_of(1, kSums, 2));
  b.value(rows_of(1, kLast, 3));
  const auto add = words_of(BinaryAttributes{});
  SliceAttributes last{};
  last.start[0] = static_cast<int32_t>(2 * n - 1);
  last.step[0] = last.step[1] = 1;
  b.step({.inputs = {Rows::kX, bias}, .outputs = {Rows::kY0}, .attributes = add});
  b.step({.inputs = {Rows::kX, Rows::kX}, .outputs = {Rows::kY1}, .attributes = add});
  b.step({.op = Op::kReduceSum,
          .inputs = {Rows::kY},
          .outputs = {Rows::kSums},
          .attributes = words_of(ReduceAttributes{.axes = 1})});
  b.step({.op = Op::kSlice,
          .inputs = {Rows::kY},
          .outputs = {Rows::kLast},
          .attributes = words_of(last)});
  b.io({Rows::kX, Rows::kY, Rows::kSums, Rows::kLast});
  return b.tables();
}

namespace {

struct SampleSymbol {
  const char* name;
  uint32_t least, most;
};

// The symbols of the only method, from which all expressions and patches of its variant follow.
void add_symbols(planner::ProgramTables& tables, std::initializer_list<SampleSymbol> symbols) {
  for (const SampleSymbol& symbol : symbols) {
    const planner::TextRange name = planner::add_text(tables, symbol.name);
    tables.symbols.push_back({0, name.offset, name.bytes, symbol.least, symbol.most});
  }
  tables.symbolic_variants = {{0, 0, static_cast<uint32_t>(tables.expressions.size()), 0,
                               static_cast<uint32_t>(tables.patches.size()),
                               static_cast<uint32_t>(tables.shapes.size()),
                               static_cast<uint32_t>(tables.attributes.size())}};
  tables.required_features |= format::kDimsFeature;
}

}  // namespace

planner::ProgramTables symbolic_rows() {
  using format::ExpressionKind;
  using format::PatchTarget;
  planner::ProgramTables tables = fixed_rows({});
  const auto expression = [&](ExpressionKind kind, uint32_t a, uint32_t b = 0) {
    tables.expressions.push_back({static_cast<uint32_t>(kind), a, b});
    return static_cast<uint32_t>(tables.expressions.size()) - 1;
  };
  const auto constant = [&](uint32_t number) {
    return expression(ExpressionKind::kConstant, number);
  };
  const uint32_t n = expression(ExpressionKind::kSymbol, 0);
  const uint32_t k = expression(ExpressionKind::kSymbol, 1);
  const uint32_t twice_n = expression(ExpressionKind::kMultiply, constant(2), n);
  const uint32_t half_bytes = expression(ExpressionKind::kMultiply, constant(4),
                                         expression(ExpressionKind::kMultiply, n, k));
  const uint32_t upper = constant(tables.values[Rows::kY].offset);
  const uint32_t lower = expression(ExpressionKind::kAdd, upper, half_bytes);
  const uint32_t last = expression(ExpressionKind::kSubtract, twice_n, constant(1));
  const auto patch = [&](PatchTarget target, uint32_t index, uint32_t to) {
    tables.patches.push_back({static_cast<uint32_t>(target), index, to});
  };
  // Dims, then the stride of rows where rows follow each other. The bias comes first.
  const auto rows = [&](uint32_t shape, uint32_t count, bool dense) {
    if (count != kNoIndex) patch(PatchTarget::kShape, shape, count);
    patch(PatchTarget::kShape, shape + 1, k);
    if (dense) patch(PatchTarget::kShape, shape + 2, k);
  };
  rows(tables.constants[0].shape, n, false);
  rows(tables.values[Rows::kX].shape, n, true);
  rows(tables.values[Rows::kY].shape, twice_n, true);
  rows(tables.values[Rows::kY0].shape, n, true);
  rows(tables.values[Rows::kY1].shape, n, true);
  rows(tables.values[Rows::kSums].shape, kNoIndex, true);
  rows(tables.values[Rows::kLast].shape, kNoIndex, true);
  patch(PatchTarget::kAttribute, tables.steps[3].attribute_first, last);
  patch(PatchTarget::kValueOffset, Rows::kY1, lower);
  add_symbols(tables, {{"n", 1, Rows::kRowsMost}, {"k", 1, Rows::kColumnsMost}});
  return tables;
}

planner::ProgramTables growing_log() {
  using format::ExpressionKind;
  constexpr uint32_t kRows = Log::kRowsMost, kMost = Log::kColumnsMost;
  ProgramBuilder b;
  b.method("log", 2, 2);
  b.variant("board");
  b.arena(ArenaKind::kHost, 80);
  b.arena(ArenaKind::kState, 4 * kRows * kMost);
  b.constant({1, 2, 3, 4, 5, 6}, {kRows, kMost});
  b.value({.dims = {kRows, 1}, .last_step = 1});
  b.value({.dims = {kRows, kMost}, .place = Log::kStateArena, .last_step = 1});
  b.value({.dims = {kRows, kMost + 1}, .offset = 16, .last_step = 1});
  b.value({.dims = {kRows, 1}, .offset = 64, .first_step = 1, .last_step = 1});
  b.step({.op = Op::kConcat,
          .inputs = {Log::kLog, Log::kX},
          .outputs = {Log::kAll},
          .attributes = words_of(ConcatAttributes{.axis = 1})});
  b.step({.op = Op::kReduceSum,
          .inputs = {Log::kAll},
          .outputs = {Log::kSums},
          .attributes = words_of(ReduceAttributes{.axes = 2})});
  b.io({Log::kX, Log::kLog, Log::kAll, Log::kSums});
  planner::ProgramTables tables = b.tables();
  tables.states.push_back({0, 1, 0, kNoIndex});
  const auto add = [&](ExpressionKind kind, uint32_t first, uint32_t second) {
    tables.expressions.push_back({static_cast<uint32_t>(kind), first, second});
  };
  add(ExpressionKind::kSymbol, 0, 0);
  add(ExpressionKind::kSymbol, 1, 0);
  add(ExpressionKind::kConstant, 1, 0);
  add(ExpressionKind::kAdd, Log::kColumns, Log::kOne);
  const auto patch = [&](uint32_t index, uint32_t to) {
    tables.patches.push_back({static_cast<uint32_t>(format::PatchTarget::kShape), index, to});
  };
  patch(tables.values[Log::kX].shape, Log::kRows);
  for (const auto& [value, columns] :
       {std::pair{Log::kLog, Log::kColumns}, std::pair{Log::kAll, Log::kNext}}) {
    const uint32_t shape = tables.values[value].shape;
    patch(shape, Log::kRows);
    patch(shape + 1, columns);
    patch(shape + 2, columns);
  }
  patch(tables.values[Log::kSums].shape, Log::kRows);
  add_symbols(tables, {{"b", 1, kRows}, {"n", 0, kMost}});
  return tables;
}

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
