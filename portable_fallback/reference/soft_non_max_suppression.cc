// Soft non-maximum suppression: scores fall by the overlap with better boxes.
//
// Results are found one by one: each time the best box by what is left of its score, which is
// computed anew from the results before it. All that is kept between is what has been written.
#include <cstdint>

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/boxes.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

class SoftSuppression {
 public:
  explicit SoftSuppression(const Step& step)
      : attributes_(step.attributes<SoftNonMaxSuppressionAttributes>()),
        boxes_(step.input(0)),
        scores_(step.input(1)),
        best_(step.output(0)),
        places_(step.output(1)),
        sides_(boxes_.read<float>()),
        values_(scores_.read<float>()),
        left_(best_.write<float>()),
        rows_(places_.write<int64_t>()) {}

  // Fills all rows; how many results there are.
  uint32_t run() {
    uint32_t results = 0;
    while (results < places_.dims[0]) {
      const Candidate next = find_next(results);
      if (next.box == kNoIndex) break;
      write_row(results++, next.box, next.score);
    }
    for (uint32_t row = results; row < places_.dims[0]; ++row) write_row(row, 0, 0.0f);
    return results;
  }

 private:
  struct Candidate {
    float score = 0.0f;
    uint32_t box = kNoIndex;
  };

  template <typename T>
  static ptrdiff_t at(const T& tensor, uint32_t index) {
    return static_cast<ptrdiff_t>(index) * signed_stride(tensor, 0);
  }

  void write_row(uint32_t row, uint32_t box, float score) {
    rows_[at(places_, row)] = box;
    left_[at(best_, row)] = score;
  }

  Box box(uint32_t index) const {
    float corners[kCorners];
    for (uint32_t i = 0; i < kCorners; ++i) {
      corners[i] = sides_[at(boxes_, index) + static_cast<ptrdiff_t>(i) * signed_stride(boxes_, 1)];
    }
    return box_of(corners);
  }

  // Lets the score of a box fall by the results there are. False where it is out.
  bool is_left(uint32_t index, uint32_t results, float& score) const {
    const Box own = box(index);
    // A NaN is above nothing.
    bool left = score > attributes_.score_least;
    for (uint32_t row = results; left && row-- != 0;) {
      const auto other = static_cast<uint32_t>(int64_t{rows_[at(places_, row)]});
      const float common = overlap(box(other), own);
      score *= exp_f32(attributes_.weight * common * common);
      left =
          other != index && !(common > attributes_.overlap_most) && score > attributes_.score_least;
    }
    return left;
  }

  Candidate find_next(uint32_t results) const {
    Candidate best;
    for (uint32_t index = 0; index < boxes_.dims[0]; ++index) {
      float score = values_[at(scores_, index)];
      // Scores only fall.
      if (best.box != kNoIndex && !(score > best.score)) continue;
      if (!is_left(index, results, score)) continue;
      if (best.box == kNoIndex || score > best.score) best = {score, index};
    }
    return best;
  }

  SoftNonMaxSuppressionAttributes attributes_;
  Tensor boxes_, scores_;
  OutTensor best_, places_;
  Src<float> sides_, values_;
  Dst<float> left_;
  Dst<int64_t> rows_;
};

Status run_soft_non_max_suppression(const Step& step, const Platform& /*platform*/) {
  const uint32_t results = SoftSuppression(step).run();
  step.output(2).write<int64_t>()[0] = results;
  return ok_status();
}

}  // namespace

constexpr Form kSoftNonMaxSuppressionForm0 = make_form(Op::kSoftNonMaxSuppression, 0,
                                                       {
                                                           .parallel = false,
                                                           .run = run_soft_non_max_suppression,
                                                       });
ARENITE_FORM_CODE(SoftNonMaxSuppression, 0)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
