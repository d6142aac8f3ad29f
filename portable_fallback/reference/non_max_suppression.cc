// Greedy non-maximum suppression: of each class the boxes of the best scores, but none that
// overlaps a better one.
//
// Results are found one by one, by falling score, of equal ones the first: each time the best box
// behind the last result that none of the results of its class overlaps. All that is kept between
// is what has been written.
#include <cstdint>

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/boxes.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

constexpr uint32_t kNumbers = 3;

class Suppression {
 public:
  explicit Suppression(const Step& step)
      : attributes_(step.attributes<NonMaxSuppressionAttributes>()),
        boxes_(step.input(0)),
        scores_(step.input(1)),
        places_(step.output(0)),
        sides_(boxes_.read<float>()),
        values_(scores_.read<float>()),
        rows_(places_.write<int64_t>()) {}

  // Fills all rows; how many results there are.
  uint32_t run() {
    uint32_t results = 0;
    for (uint32_t batch = 0; batch < scores_.dims[0]; ++batch) {
      for (uint32_t label = 0; label < scores_.dims[1]; ++label) {
        const uint32_t first = results;
        Candidate last;
        while (results - first < attributes_.class_boxes &&
               find_next({batch, label}, first, results, last)) {
          write_row(results++, batch, label, last.box);
        }
      }
    }
    for (uint32_t row = results; row < places_.dims[0]; ++row) write_row(row, 0, 0, 0);
    return results;
  }

 private:
  struct Class {
    uint32_t batch, label;
  };
  struct Candidate {
    float score = 0.0f;
    uint32_t box = kNoIndex;
  };

  ptrdiff_t place(uint32_t row, uint32_t number) const {
    return static_cast<ptrdiff_t>(row) * signed_stride(places_, 0) +
           static_cast<ptrdiff_t>(number) * signed_stride(places_, 1);
  }

  void write_row(uint32_t row, uint32_t batch, uint32_t label, uint32_t box) {
    const uint32_t numbers[kNumbers] = {batch, label, box};
    for (uint32_t i = 0; i < kNumbers; ++i) rows_[place(row, i)] = numbers[i];
  }

  float score(const Class& of, uint32_t box) const {
    return values_[static_cast<ptrdiff_t>(of.batch) * signed_stride(scores_, 0) +
                   static_cast<ptrdiff_t>(of.label) * signed_stride(scores_, 1) +
                   static_cast<ptrdiff_t>(box) * signed_stride(scores_, 2)];
  }

  Box box(uint32_t batch, uint32_t index) const {
    float sides[kCorners];
    for (uint32_t i = 0; i < kCorners; ++i) {
      sides[i] = sides_[static_cast<ptrdiff_t>(batch) * signed_stride(boxes_, 0) +
                        static_cast<ptrdiff_t>(index) * signed_stride(boxes_, 1) +
                        static_cast<ptrdiff_t>(i) * signed_stride(boxes_, 2)];
    }
    for (uint32_t i = 0; i < 2 && attributes_.centers != 0; ++i) {
      const float center = sides[i];
      const float half = sides[i + 2] / 2.0f;
      sides[i] = center - half;
      sides[i + 2] = center + half;
    }
    return box_of(sides);
  }

  // Whether a result of the class, from row `first` on, overlaps the box.
  bool is_out(const Class& of, uint32_t index, uint32_t first, uint32_t results) const {
    const Box own = box(of.batch, index);
    for (uint32_t row = first; row < results; ++row) {
      const auto other = static_cast<uint32_t>(int64_t{rows_[place(row, 2)]});
      if (overlap(box(of.batch, other), own) > attributes_.overlap_most) return true;
    }
    return false;
  }

  bool find_next(const Class& of, uint32_t first, uint32_t results, Candidate& last) const {
    Candidate best;
    for (uint32_t index = 0; index < boxes_.dims[1]; ++index) {
      const float value = score(of, index);
      // A NaN is above nothing.
      if (!(value > attributes_.score_least)) continue;
      if (best.box != kNoIndex && !(value > best.score)) continue;
      const bool behind =
          last.box == kNoIndex || value < last.score || (value == last.score && index > last.box);
      if (behind && !is_out(of, index, first, results)) best = {value, index};
    }
    last = best;
    return best.box != kNoIndex;
  }

  NonMaxSuppressionAttributes attributes_;
  Tensor boxes_, scores_;
  OutTensor places_;
  Src<float> sides_, values_;
  Dst<int64_t> rows_;
};

Status run_non_max_suppression(const Step& step, const Platform& /*platform*/) {
  const uint32_t results = Suppression(step).run();
  step.output(1).write<int64_t>()[0] = results;
  return ok_status();
}

}  // namespace

constexpr Form kNonMaxSuppressionForm0 = make_form(Op::kNonMaxSuppression, 0,
                                                   {
                                                       .parallel = false,
                                                       .run = run_non_max_suppression,
                                                   });
ARENITE_FORM_CODE(NonMaxSuppression, 0)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
