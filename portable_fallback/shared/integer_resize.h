// Serves the forms that resize images of integers of 8 or 16 bits along one or two axes by a kernel
// of lines.
#pragma once

#include "portable_fallback/fast/integer_resize.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/resize_axes.h"

namespace arenite {

struct ResizeWork {
  explicit ResizeWork(const Step& step) : task(step) {}

  Resize task;
  uint32_t piece = 1;  // channels that are neighbors
  uint32_t rows = 1;   // of all that is not resized
};

// Whether the elements have so many bytes, and a kernel the taps.
bool takes_integer_resize(const Step& step, uint32_t bytes);
inline bool takes_bytes_resize(const Step& step) { return takes_integer_resize(step, 1); }
inline bool takes_int16_resize(const Step& step) {
  return step.dtype(0) == DType::kInt16 && takes_integer_resize(step, 2);
}
// What all lines share, and then what a line has of its own.
ResizeLine resize_lines(const ResizeWork& work);
void enter_line(const ResizeWork& work, uint32_t item, ResizeLine& line);
// `items` takes a ResizeWork.
Status run_integer_resize(const Step& step, const Platform& platform, PieceFunction items);

template <void (&kKernel)(const ResizeLine& line)>
void resize_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& work = *static_cast<const ResizeWork*>(argument);
  ResizeLine line = resize_lines(work);
  for (uint32_t item = first; item < last; ++item) {
    enter_line(work, item, line);
    kKernel(line);
  }
}

template <void (&kKernel)(const ResizeLine& line)>
Status run_resize_kernel(const Step& step, const Platform& platform) {
  return run_integer_resize(step, platform, resize_items<kKernel>);
}

// Places read what others read, so that y overlaps nothing, as of the references.
inline uint64_t integer_resize_distance(const Step&, uint32_t) { return kNoOverlap; }

template <void (&kKernel)(const ResizeLine& line)>
constexpr Form integer_resize_form(uint8_t number) {
  return make_form(Op::kResize, number,
                   {.parallel = true,
                    .safe_distance = integer_resize_distance,
                    .accepts = takes_bytes_resize,
                    .run = run_resize_kernel<kKernel>});
}

template <void (&kKernel)(const ResizeLine& line)>
constexpr Form int16_resize_form(uint8_t number) {
  return make_form(Op::kResize, number,
                   {.parallel = true,
                    .safe_distance = integer_resize_distance,
                    .accepts = takes_int16_resize,
                    .run = run_resize_kernel<kKernel>});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
