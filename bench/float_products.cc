// Prints what the kernels of float products reach on the 1x1 convolutions of mobilenet_v2 and
// resnet50 with each instruction set of this machine, beside the peak that a loop of multiply-adds
// in registers reaches in the same run. On one thread, in time of the thread.
//
// usage: bench_float_products
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "core/cpu_features.h"
#include "portable_fallback/fast/float_products_avx2_kernel.h"
#include "portable_fallback/fast/float_products_avx512_kernel.h"
#include "portable_fallback/fast/float_products_base_kernel.h"
#include "support/cpu_features.h"

namespace arenite {
namespace {

double seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Twelve sums in registers: more than a multiply-add has cycles of latency times units.
constexpr uint32_t kSums = 12, kLoops = 2'000'000;

// A product and a sum where the set has no instruction for both. The empty asm keeps each in its
// register.
#define ARENITE_PEAK(name, bytes, target_of)                              \
  target_of double name() {                                               \
    typedef float Vector __attribute__((vector_size(bytes)));             \
    Vector sums[kSums];                                                   \
    const Vector factor = Vector{} + 0.999f, term = Vector{} + 0.001f;    \
    _Pragma("GCC unroll 16") for (uint32_t i = 0; i < kSums; ++i) {       \
      sums[i] = term + static_cast<float>(i);                             \
    }                                                                     \
    const double start = seconds();                                       \
    for (uint32_t loop = 0; loop < kLoops; ++loop) {                      \
      _Pragma("GCC unroll 16") for (uint32_t i = 0; i < kSums; ++i) {     \
        sums[i] = sums[i] * factor + term;                                \
        ARENITE_KEEP(sums[i]);                                            \
      }                                                                   \
    }                                                                     \
    const double taken = seconds() - start;                               \
    return 2.0 * kSums * (bytes / sizeof(float)) * kLoops / taken * 1e-9; \
  }

#ifdef __x86_64__
#define ARENITE_KEEP(value) asm volatile("" : "+v"(value))
ARENITE_PEAK(peak_base, 16, )
ARENITE_PEAK(peak_avx2, 32, [[gnu::target("avx2,fma")]])
ARENITE_PEAK(peak_avx512, 64, [[gnu::target("avx512f")]])
#else
#define ARENITE_KEEP(value) asm volatile("" : "+w"(value))
ARENITE_PEAK(peak_base, 16, )
#endif

struct InstructionSet {
  const char* name;
  CpuFeatures needs;
  uint32_t rows;
  void (*add)(const FloatProducts& products, const FloatRange& range);
  double (*peak)();
};

constexpr InstructionSet kSets[] = {
    {"f32x4", cpu_features::kF32x4, kTileRowsBase, float_products_base, peak_base},
#ifdef __x86_64__
    {"avx2", cpu_features::kAvx2 | cpu_features::kFma, kTileRowsAvx2, float_products_avx2,
     peak_avx2},
    {"avx512", cpu_features::kAvx512f, kTileRowsAvx512, float_products_avx512, peak_avx512},
#endif
};

struct Shape {
  uint32_t places, channels, outputs;
  uint32_t times;  // that the model has it
};
struct Model {
  const char* name;
  std::vector<Shape> shapes;
};

const Model kModels[] = {{"mobilenet_v2",
                          {{12544, 32, 16, 1},
                           {12544, 16, 96, 1},
                           {3136, 96, 24, 1},
                           {3136, 24, 144, 2},
                           {3136, 144, 24, 1},
                           {784, 144, 32, 1},
                           {784, 32, 192, 3},
                           {784, 192, 32, 2},
                           {196, 192, 64, 1},
                           {196, 64, 384, 4},
                           {196, 384, 64, 3},
                           {196, 384, 96, 1},
                           {196, 96, 576, 3},
                           {196, 576, 96, 2},
                           {49, 576, 160, 1},
                           {49, 160, 960, 3},
                           {49, 960, 160, 2},
                           {49, 960, 320, 1},
                           {49, 320, 1280, 1}}},
                         {"resnet50",
                          {{3136, 64, 64, 1},
                           {3136, 64, 256, 4},
                           {3136, 256, 64, 2},
                           {3136, 256, 128, 1},
                           {784, 128, 512, 4},
                           {784, 256, 512, 1},
                           {784, 512, 128, 3},
                           {784, 512, 256, 1},
                           {196, 256, 1024, 6},
                           {196, 512, 1024, 1},
                           {196, 1024, 256, 5},
                           {196, 1024, 512, 1},
                           {49, 512, 2048, 3},
                           {49, 1024, 2048, 1},
                           {49, 2048, 512, 2}}}};

// Seconds of one product, the least of some.
double time_of(const InstructionSet& set, const Shape& shape) {
  const uint32_t panels = (shape.outputs + kProductColumns - 1) / kProductColumns;
  const std::vector<float> x(size_t{shape.places} * shape.channels, 0.5f);
  const std::vector<float> w(size_t{panels} * kProductColumns * shape.channels, 0.25f);
  std::vector<float> y(size_t{shape.places} * shape.outputs);
  FloatProducts p = {};
  p.x = x.data();
  p.w = w.data();
  p.y = y.data();
  p.x_c = p.w_n = p.y_c = 1;
  p.x_w = p.channels = shape.channels;
  p.w_k = kProductColumns;
  p.w_panel = size_t{kProductColumns} * shape.channels;
  p.y_w = p.columns = shape.outputs;
  p.padded = true;
  p.in_h = p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = 1;
  p.in_w = p.out_w = shape.places;
  // The ranges of portable_fallback/shared/float_work.cc on one thread.
  const uint32_t rows = 16 * set.rows;
  const uint32_t columns = 256;
  double least = 1e9;
  const double end = seconds() + 0.1;
  while (seconds() < end) {
    const double start = seconds();
    for (uint32_t column = 0; column < shape.outputs; column += columns) {
      for (uint32_t row = 0; row < shape.places; row += rows) {
        set.add(p, {row, std::min(row + rows, shape.places), column,
                    std::min(column + columns, shape.outputs)});
      }
    }
    least = std::min(least, seconds() - start);
  }
  return least;
}

void print_model(const InstructionSet& set, const Model& model) {
  // The peak is measured between the shapes, as the speed of a shared machine changes.
  double peak = set.peak();
  std::vector<double> times;
  for (const Shape& shape : model.shapes) {
    times.push_back(time_of(set, shape));
    peak = std::max(peak, set.peak());
  }
  fmt::print("## {} with {}: peak {:.1f} GFLOP/s\n", model.name, set.name, peak);
  fmt::print("{:>7} {:>9} {:>8} {:>6} {:>9} {:>8}\n", "places", "channels", "outputs", "times",
             "GFLOP/s", "of peak");
  double all = 0;
  double taken = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    const Shape& shape = model.shapes[i];
    const double work = 2e-9 * shape.places * shape.channels * shape.outputs;
    all += shape.times * work;
    taken += shape.times * times[i];
    fmt::print("{:>7} {:>9} {:>8} {:>6} {:>9.1f} {:>6.1f} %\n", shape.places, shape.channels,
               shape.outputs, shape.times, work / times[i], 100 * work / times[i] / peak);
  }
  fmt::print("all {:.3f} ms, {:.1f} GFLOP/s, {:.1f} % of peak\n\n", 1e3 * taken, all / taken,
             100 * all / taken / peak);
}

}  // namespace
}  // namespace arenite

int main() {
  using namespace arenite;
  for (const InstructionSet& set : kSets) {
    if ((set.needs & ~host_cpu_features()) != 0) continue;
    for (const Model& model : kModels) print_model(set, model);
  }
}
// SPDX-License-Identifier: Apache-2.0
