// Builds the sample's tables by hand: two methods, one of which has a variant for the device.
#include "tests/core/sample_programs.h"

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

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
