// Chooses tiles by how many groups there are.
#include "kernels/dispatch/matmul_tile.h"

#include "kernels/dispatch/matrices.h"
#include "kernels/dispatch/weights.h"
#include "kernels/shaders/matmul_tile.h"

namespace arenite {
namespace {

// Products of long sums are cut into so many parts where there are few tiles: on an H200 577x3072
// by 3072x768 takes 103 us instead of 150, 577x768 by 768x768 33 instead of 42.
constexpr uint32_t kManyParts = 4;
constexpr uint32_t kPartsLog = 2;
// Fewer groups than this, all parts counted, take longer than invocations with a tile each.
constexpr uint64_t kPartGroupsMin = 448;
constexpr uint32_t kPartDepthMin = 192;

struct Tiling {
  uint32_t row_choice;
  uint32_t parts;     // of k, in groups of their own
  bool wide = false;  // large products: a device may compute four tiles at a time
};
constexpr uint32_t kWideChoice = kMatMulTileChoices - 1;
Tiling tiling_of(uint32_t choice) {
  if (choice == kWideChoice) return {.row_choice = 0, .parts = 1, .wide = true};
  return {.row_choice = choice % kTileRowChoices, .parts = 1u << choice / kTileRowChoices};
}

uint64_t groups_of(const Matrices& m, const Tiling& tiling) {
  const uint64_t one = tiles_of_product(m.rows, m.columns, tiling.row_choice) * tiling.parts;
  return one < kMaxInvocations ? one * m.batch.count() : kMaxInvocations;
}

// So many tiles of 64 rows keep a large GPU busy four at a time: with cooperative matrices an H200
// takes 114 us for 2048x2048 by 2048x2048 so, and 194 tile by tile.
constexpr uint64_t kWideGroupsMin = 1024;

// Whether eight neighbors in k, or columns of b, are a vector.
bool has_vectors_of_eight(const Matrices& m) {
  const bool of_b = m.panels ? m.b.skip % 8 == 0 : m.b.groups_of(8, m.rank - 1);
  return of_b && m.a.groups_of(8, m.rank - 1);
}

// Parts are those of a single pair of matrices.
bool has_parts(const Matrices& m) { return m.batch.count() == 1 && m.outer.count() == 1; }

// Vectors of four sums of a part.
uint64_t quads_of(const Matrices& m) { return uint64_t{m.rows} * ((uint64_t{m.columns} + 3) / 4); }

}  // namespace

bool accepts_matmul_tile(const Step& step) {
  if (!are_matrices(step)) return false;
  const Operand y = output_operand(step, 0);
  if (y.count() == 0) return false;
  const Matrices m = describe_tall(step);
  const Tiling tiling = tiling_of(step.record().choice);
  if (tiling.parts != 1 && (!has_parts(m) || quads_of(m) * tiling.parts >= kMaxInvocations / 16)) {
    return false;
  }
  if (tiling.wide && !has_vectors_of_eight(m)) return false;
  return m.a.groups_of_four(m.rank - 1) && has_vectors_of_b(m) &&
         m.outer.count() <= kMaxStepDispatches &&
         groups_of(m, tiling) < kMaxInvocations / kWorkgroupSize;
}

uint32_t choose_matmul_tile(const Step& step, const Capabilities&) {
  const Matrices m = describe_tall(step);
  if (m.depth < kTileDepthMin || m.rows < 8) return kNotSuitable;
  const uint64_t groups = groups_of(m, {0, 1});
  if (groups >= kWideGroupsMin && has_vectors_of_eight(m)) return kWideChoice;
  if (groups >= kTileGroupsMany) return 0;
  const bool long_sums = m.depth >= kManyParts * kPartDepthMin;
  if (has_parts(m) && long_sums && groups_of(m, {0, kManyParts}) >= kPartGroupsMin) {
    return kPartsLog * kTileRowChoices;
  }
  return groups_of(m, {1, 1}) >= kTileGroupsMin ? 1 : kNotSuitable;
}

uint64_t scratch_bytes_of_matmul_tile(const Step& step) {
  const uint32_t parts = tiling_of(step.record().choice).parts;
  return parts == 1 ? 0 : quads_of(describe_tall(step)) * parts * 4 * sizeof(float);
}

Status emit_matmul_tile(const Step& step, const DispatchSink& sink) {
  const Matrices m = describe_tall(step);
  const Tiling tiling = tiling_of(step.record().choice);
  const auto pass_of = [&](bool add_parts, uint64_t count, const uint32_t* offsets) {
    return DispatchBuilder(shaders::MatMulTile{.spec = {.rows = tile_rows(tiling.row_choice),
                                                        .activation = m.attributes.activation.kind,
                                                        .has_c = m.has_c,
                                                        .panels = m.panels,
                                                        .vectors_y = m.y.groups_of_four(m.rank - 1),
                                                        .weights = weights_type(m.b),
                                                        .parts = tiling.parts,
                                                        .add_parts = add_parts,
                                                        .wide = tiling.wide},
                                               .push = push_of(m, count, offsets)});
  };
  const uint64_t groups = groups_of(m, tiling);
  if (tiling.parts != 1) {
    constexpr uint32_t kFirst[4] = {};
    const Operand scratch = scratch_operand(step);
    DispatchBuilder sums = pass_of(false, groups, kFirst);
    sums.buffer(m.a).buffer(m.b).buffer(m.c).buffer(scratch);
    ARENITE_TRY(sums.run_groups(sink, groups));
    DispatchBuilder added = pass_of(true, quads_of(m), kFirst);
    added.buffer(scratch).buffer(m.b).buffer(m.c).buffer(m.y);
    ARENITE_TRY(added.run_invocations(sink, quads_of(m)));
    return emit_rest(step, m, sink);
  }
  ARENITE_TRY(for_each_outer(m.outer, [&](const uint32_t* offsets) {
    DispatchBuilder builder = pass_of(false, groups, offsets);
    builder.buffer(m.a).buffer(m.b).buffer(m.c).buffer(m.y);
    return builder.run_groups(sink, groups);
  }));
  return emit_rest(step, m, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
