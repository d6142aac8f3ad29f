// Takes steps whose weights are rows, and hands their lines to a kernel in pieces.
#include "portable_fallback/shared/integer_dots.h"

#include "core/platform.h"
#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/integer_taps.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Words of a vector, at a multiple of which panels lie.
constexpr uint32_t kAligned = 16;

struct DotWork : ProductWork {
  decltype(IntegerDots::add) add;
  uint32_t groups = 1;
  // From one group to the next: bytes of weights, and biases.
  size_t w_g = 0, bias_g = 0;
};

// Makes the products of a group those of the next.
void take_next_group(const DotWork& work, IntegerProducts& p) {
  p.x += p.channels * p.x_c;
  p.y += p.columns * p.y_c;
  p.w += work.w_g;
  p.results.bias += work.bias_g;
  p.results.multipliers += p.columns * p.results.factor_step;
  p.results.shifts += p.columns * p.results.factor_step;
}

void product_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const DotWork*>(argument);
  for_pieces(work, first, last, thread, work.add);
}

// All groups of the places that are computed at once, then those of the next places.
void group_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const DotWork*>(argument);
  for_pieces(work, first, last, thread,
             [&](const IntegerProducts& all, uint32_t line, uint32_t place, uint32_t end) {
               while (place < end) {
                 const uint32_t places = dot_places_at_once(end - place);
                 IntegerProducts p = all;
                 for (uint32_t g = 0; g < work.groups; ++g) {
                   if (g != 0) take_next_group(work, p);
                   work.add(p, line, place, place + places);
                 }
                 place += places;
               }
             });
}

// The places of a piece of a line: a multiple of what is computed at once.
uint32_t places_of_dots(const IntegerProducts& p, uint32_t depth) {
  return blocks_over(places_of_piece(p, depth), kDotPlaces) * kDotPlaces;
}

// Columns of all groups, each of whole panels.
uint32_t panel_columns(uint32_t groups, uint32_t columns) {
  return groups * blocks_over(columns, kPanelColumns) * kPanelColumns;
}

// Words that all threads share for the products of so many places: panels with their biases, or
// biases alone; `columns`: of a group.
uint64_t shared_words(uint64_t places, uint32_t groups, uint32_t columns, uint32_t depth) {
  const uint32_t in_panels = panel_columns(groups, columns);
  return are_worth_panels(places, in_panels, depth) ? panels_words(in_panels, depth)
                                                    : uint64_t{groups} * columns;
}

bool makes_sums(const Step& step) { return !step.has_input(kMultipliersInput); }

// Has products make sums, whose places are counted in bytes as those of other results are. A zero
// point that is an operand is what lies outside, too.
void set_sums(const Step& step, int32_t zero_point, int32_t outside, IntegerProducts& p) {
  p.results = sums_of_products(step);
  p.y_h *= sizeof(int32_t);
  p.y_w *= sizeof(int32_t);
  p.y_c *= sizeof(int32_t);
  if (step.has_input(kXZeroPointInput)) {
    const Tensor of_run = step.input(kXZeroPointInput);
    const Src<std::byte> byte = of_run.read<std::byte>();
    zero_point = of_run.dtype() == DType::kInt8 ? int32_t{std::to_integer<int8_t>(byte[0])}
                                                : int32_t{std::to_integer<uint8_t>(byte[0])};
    outside = zero_point;
  }
  set_numbers(step, zero_point, outside, p);
}

// Makes panels and biases of each group, or biases alone, where the kernel wants them.
void prepare(const IntegerDots& kernel, bool in_panels, uint32_t depth, uint32_t* words,
             DotWork& work) {
  if (!in_panels && kernel.fold == nullptr) return;
  IntegerProducts& p = work.products;
  // Of a group: columns that have biases, and words of panels.
  const uint32_t columns = in_panels ? panel_columns(1, p.columns) : p.columns;
  const uint32_t panels = in_panels ? columns / kPanelColumns * panel_words(depth) : 0;
  auto* const biases =
      static_cast<int32_t*>(static_cast<void*>(words + size_t{work.groups} * panels));
  IntegerProducts group = p;
  for (uint32_t g = 0; g < work.groups; ++g) {
    if (g != 0) take_next_group(work, group);
    int32_t* const of_group = biases + size_t{g} * columns;
    if (in_panels) {
      kernel.pack(group, words + size_t{g} * panels, of_group);
    } else {
      kernel.fold(group, of_group);
    }
  }
  p.results.bias = biases;
  p.results.bias_step = 1;
  work.bias_g = columns;
  if (in_panels) {
    p.w = static_cast<const std::byte*>(static_cast<const void*>(words));
    work.w_g = size_t{panels} * sizeof(uint32_t);
    work.add = kernel.add_panels;
  }
}

// The memory: what threads share, then the rows of each.
void run_products(const Step& step, const Platform& platform, const IntegerDots& kernel,
                  uint32_t parts, uint32_t depth, DotWork& work) {
  IntegerProducts& p = work.products;
  const uint64_t places = uint64_t{parts} * work.lines * p.out_w;
  uint32_t* const words = aligned_dot_words(step);
  p.rows = words + shared_words(places, work.groups, p.columns, depth);
  work.row_words = dot_row_words(p.out_w, depth);
  work.add = kernel.add;
  work.w_g = size_t{p.columns} * depth;
  work.bias_g = p.columns * p.results.bias_step;
  const bool worth = are_worth_panels(places, panel_columns(work.groups, p.columns), depth);
  prepare(kernel, kernel.pack != nullptr && worth, depth, words, work);
  split(platform, parts * work.lines * work.pieces(),
        places * work.groups * p.columns * work_of_result(depth),
        work.groups == 1 ? product_items : group_items, &work);
}

struct DepthwiseDotWork : DepthwiseWork<DotDepthwise> {
  decltype(DepthwiseDots::add) add;
};

void depthwise_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const DepthwiseDotWork*>(argument);
  for_lines(work, first, last, thread, *work.add);
}
void depthwise_phases(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const DepthwiseDotWork*>(argument);
  for_phases(work, first, last, thread, *work.add);
}
uint32_t places_of_item(const Step& step) {
  return has_taps_apart(step) ? places_of_phase(step) : step.dims(step.input_count())[3];
}

uint32_t depthwise_words(const Step& step) {
  QuantizedConvAttributes room;
  const uint32_t* w = step.dims(1);
  return depthwise_dot_words(places_of_item(step), w[2], w[3], step.attributes(room).stride[1]);
}
uint32_t packed_words(const Step& step) {
  const uint32_t* w = step.dims(1);
  return depthwise_packed_words(w[0], w[2], w[3]);
}

uint32_t groups_of(const Step& step) {
  QuantizedConvAttributes room;
  return step.attributes(room).groups;
}

uint64_t places_of(const uint32_t* y) { return uint64_t{y[0]} * y[2] * y[3]; }

}  // namespace

ScratchNeed aligned_dot_scratch(uint32_t thread_words, uint64_t shared) {
  return rows_scratch(thread_words, static_cast<uint32_t>(shared) + kAligned - 1);
}
uint32_t* aligned_dot_words(const Step& step) {
  constexpr uintptr_t kBytes = kAligned * sizeof(uint32_t);
  const auto address = reinterpret_cast<uintptr_t>(step.scratch().out);
  return reinterpret_cast<uint32_t*>((address + kBytes - 1) & ~(kBytes - 1));
}

void set_dot_results(const Step& step, const Requantization& output, uint32_t depth,
                     IntegerProducts& p) {
  const uint32_t products = products_of(depth, p.w_zero_point);
  p.results = integer_results(step, output, products);
  find_single_roundings(p.results, p.columns, products);
  p.results.rounds_twice = p.results.rounds_twice && only_divides(p.results, p.columns);
}

bool takes_dot_conv(const Step& step) {
  return step.input(1).layout() == Layout::kStrided &&
         (takes_conv_products(step, {}) || takes_grouped_taps(step, {}) || takes_conv_sums(step)) &&
         are_rows(step.input(1));
}

ScratchNeed dot_conv_scratch(const Step& step) {
  const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
  const uint64_t places = places_of(step.dims(step.input_count()));
  const uint32_t groups = groups_of(step);
  const uint32_t in_line = groups == 1 ? places_of_line(step) : step.dims(step.input_count())[3];
  return aligned_dot_scratch(dot_row_words(in_line, depth),
                             shared_words(places, groups, step.dims(1)[0] / groups, depth));
}

uint64_t dot_conv_distance(const Step& step, uint32_t input) {
  // Sums are larger than what they are made of.
  if (makes_sums(step)) return kNoOverlap;
  return groups_of(step) == 1 ? conv_products_distance(step, input, dot_places_at_once)
                              : grouped_taps_distance(step, input, dot_places_at_once);
}

Status run_dot_conv(const Step& step, const Platform& platform, const IntegerDots& kernel) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
  const uint32_t groups = attributes.groups;
  IntegerProducts p = groups == 1 ? line_products(step) : conv_products(step);
  size_t y_image = y.strides[0];
  if (makes_sums(step)) {
    set_sums(step, attributes.x_zero_point, attributes.outside, p);
    y_image *= sizeof(int32_t);
  } else {
    set_dot_results(step, attributes.output, depth, p);
  }
  const uint32_t piece = places_of_dots(p, depth);
  p.columns /= groups;
  DotWork work = {{p, step.input(0).strides[0], y_image, p.one_pixel ? 1 : y.dims[2], piece},
                  nullptr};
  work.groups = groups;
  run_products(step, platform, kernel, y.dims[0], depth, work);
  return ok_status();
}

bool takes_dot_matmul(const Step& step) {
  return step.input(1).layout() == Layout::kStrided &&
         (takes_matmul_products(step, {}) || takes_matmul_sums(step)) &&
         are_rows(MatMulGeometry(step, false));
}

ScratchNeed dot_matmul_scratch(const Step& step) {
  const MatMulGeometry geometry(step, false);
  const OutTensor& y = geometry.y;
  const uint64_t places = uint64_t{batches_of(y)} * y.dims[geometry.row()];
  return aligned_dot_scratch(dot_row_words(y.dims[geometry.row()], geometry.inner()),
                             shared_words(places, 1, y.dims[geometry.column()], geometry.inner()));
}

uint64_t dot_matmul_distance(const Step& step, uint32_t input) {
  if (makes_sums(step)) return kNoOverlap;
  return matmul_products_distance(step, input, dot_places_at_once);
}

Status run_dot_matmul(const Step& step, const Platform& platform, const IntegerDots& kernel) {
  const MatMulGeometry geometry(step, false);
  const OutTensor& y = geometry.y;
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<QuantizedMatMulAttributes>();
  IntegerProducts p = matmul_products(step, geometry);
  const uint32_t d = batch_dim(y);
  size_t y_part = y.strides[d];
  if (makes_sums(step)) {
    set_sums(step, attributes.a_zero_point, 0, p);
    y_part *= sizeof(int32_t);
  } else {
    set_dot_results(step, attributes.output, p.channels, p);
  }
  DotWork work = {{p, geometry.a.strides[d], y_part, 1, places_of_dots(p, p.channels)}, nullptr};
  run_products(step, platform, kernel, batches_of(y), p.channels, work);
  return ok_status();
}

bool takes_dot_depthwise(const Step& step) {
  // Larger windows would need more memory than they are worth.
  constexpr uint32_t kSideMax = 32;
  return step.input(1).layout() == Layout::kStrided &&
         (takes_depthwise_products(step, kSideMax, kSideMax, ColumnsOfChannel::kAny) ||
          takes_depthwise_phases(step, kSideMax, kSideMax, ColumnsOfChannel::kAny));
}

ScratchNeed dot_depthwise_scratch(const Step& step) {
  return aligned_dot_scratch(depthwise_words(step), packed_words(step));
}

uint64_t dot_depthwise_distance(const Step& step, uint32_t input) {
  return has_taps_apart(step) ? depthwise_phases_distance(step, input, kDotLanes)
                              : depthwise_distance(step, input, kDotLanes);
}

Status run_dot_depthwise(const Step& step, const Platform& platform, const DepthwiseDots& kernel) {
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const uint32_t taps = w.dims[2] * w.dims[3];
  uint32_t* const words = aligned_dot_words(step);
  DotDepthwise d = {conv_products(step), w.strides[2], w.strides[3], y.dims[1] / attributes.groups,
                    words};
  d.products.rows = words + packed_words(step);
  set_dot_results(step, attributes.output, taps, d.products);
  if (kernel.pack != nullptr) kernel.pack(d, words);
  const bool in_phases = has_taps_apart(step);
  DepthwiseDotWork work = {{d, x.strides[0], y.strides[0], y.dims[2], depthwise_words(step),
                            in_phases ? phases_of_line(step) : 1},
                           kernel.add};
  split(platform, y.dims[0] * y.dims[2] * work.phases, element_count(y) * work_of_result(taps),
        in_phases ? depthwise_phases : depthwise_items, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
