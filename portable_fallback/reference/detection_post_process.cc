// Picks the boxes that a detector is surest of: decodes offsets to anchors, and drops what overlaps
// a better one (greedy non-maximum suppression).
//
// Results are found one by one, by falling score, of equal ones the first: each time the best
// candidate behind the last result that none of the results so far overlaps. All that is kept
// between is what has been written.
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

float greatest(float a, float b) { return a > b ? a : b; }

// Rows of floats.
template <typename Pointer>
struct Rows {
  Pointer data;
  ptrdiff_t row, column;
  ptrdiff_t at(uint32_t i, uint32_t j = 0) const {
    return static_cast<ptrdiff_t>(i) * row + static_cast<ptrdiff_t>(j) * column;
  }
};

Rows<Src<float>> rows_of(const Tensor& x) {
  return {x.read<float>(), signed_stride(x, 0), signed_stride(x, 1)};
}
Rows<Dst<float>> rows_of(const OutTensor& y) {
  return {y.write<float>(), signed_stride(y, 0), y.rank() > 1 ? signed_stride(y, 1) : 0};
}

struct Candidate {
  uint32_t box = 0, label = 0;
  float score = kInfinity;
};

class Picking {
 public:
  explicit Picking(const Step& step)
      : attributes_(step.attributes<DetectionPostProcessAttributes>()),
        offsets_(rows_of(step.input(0))),
        scores_(rows_of(step.input(1))),
        anchors_(rows_of(step.input(2))),
        corners_(rows_of(step.output(0))),
        labels_(rows_of(step.output(1))),
        values_(rows_of(step.output(2))),
        count_(step.input(0).dims[0]),
        first_class_(step.input(1).dims[1] - attributes_.classes),
        by_class_(attributes_.per_class_boxes != 0),
        listed_(by_class_ ? 1 : attributes_.box_classes) {}

  // Fills all rows; how many results there are.
  uint32_t run() {
    uint32_t results = 0;
    Candidate last;
    bool first = true;
    while (results < attributes_.boxes && find_next(results, last, first)) {
      write_result(results++, last);
      first = false;
    }
    const uint32_t rows = attributes_.boxes * attributes_.box_classes;
    for (uint32_t row = results * listed_; row < rows; ++row) write_row(row, {}, 0.0f, 0.0f);
    return results;
  }

 private:
  // NaN is below all numbers.
  float score(uint32_t box, uint32_t label) const {
    const float value = scores_.data[scores_.at(box, first_class_ + label)];
    return value == value ? value : -kInfinity;
  }

  // By which a box competes: for one class, or by its best.
  float key(uint32_t box, uint32_t label) const {
    float most = score(box, label);
    if (by_class_) return most;
    for (uint32_t other = 1; other < attributes_.classes; ++other) {
      most = greatest(score(box, other), most);
    }
    return most;
  }

  Box decode(uint32_t box) const {
    const auto offset = [&](uint32_t c) {
      return offsets_.data[offsets_.at(box, c)] / attributes_.scale[c];
    };
    const auto anchor = [&](uint32_t c) { return anchors_.data[anchors_.at(box, c)]; };
    const float y = offset(0) * anchor(2) + anchor(0);
    const float x = offset(1) * anchor(3) + anchor(1);
    const float half_height = 0.5f * exp_f32(offset(2)) * anchor(2);
    const float half_width = 0.5f * exp_f32(offset(3)) * anchor(3);
    return {{y - half_height, x - half_width, y + half_height, x + half_width}};
  }

  // Whether a result that the candidate competes with overlaps it, or its class is full.
  bool is_out(const Candidate& candidate, uint32_t results) const {
    const Box own = decode(candidate.box);
    const auto label = static_cast<float>(candidate.label);
    uint32_t of_class = 0;
    for (uint32_t r = 0; r < results; ++r) {
      const uint32_t row = r * listed_;
      if (by_class_ && labels_.data[labels_.at(row)] != label) continue;
      ++of_class;
      Box other;
      for (uint32_t c = 0; c < kCorners; ++c) {
        other.sides[c] = corners_.data[corners_.at(row, c)];
      }
      if (overlap(other, own) > attributes_.overlap_most) return true;
    }
    return by_class_ && of_class >= attributes_.class_boxes;
  }

  static bool is_behind(const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score < b.score;
    return a.label != b.label ? a.label > b.label : a.box > b.box;
  }

  bool find_next(uint32_t results, Candidate& last, bool first) const {
    Candidate best;
    bool found = false;
    const uint32_t labels = by_class_ ? attributes_.classes : 1;
    for (uint32_t label = 0; label < labels; ++label) {
      for (uint32_t box = 0; box < count_; ++box) {
        const Candidate candidate = {box, label, key(box, label)};
        const bool better = !found || candidate.score > best.score;
        if (!better || !(candidate.score >= attributes_.score_least)) continue;
        if ((!first && !is_behind(candidate, last)) || is_out(candidate, results)) continue;
        best = candidate;
        found = true;
      }
    }
    last = best;
    return found;
  }

  // The class of a box that is the n-th best, of equal ones the first; `classes` beyond the last.
  uint32_t best_class(uint32_t box, uint32_t n) const {
    for (uint32_t label = 0; label < attributes_.classes; ++label) {
      const float value = score(box, label);
      uint32_t before = 0;
      for (uint32_t other = 0; other < attributes_.classes; ++other) {
        const float its = score(box, other);
        before += its > value || (its == value && other < label) ? 1u : 0u;
      }
      if (before == n) return label;
    }
    return attributes_.classes;
  }

  void write_result(uint32_t result, const Candidate& picked) {
    const Box corners = decode(picked.box);
    for (uint32_t n = 0; n < listed_; ++n) {
      const uint32_t label = by_class_ ? picked.label : best_class(picked.box, n);
      if (label < attributes_.classes) {
        write_row(result * listed_ + n, corners, static_cast<float>(label),
                  score(picked.box, label));
      } else {
        write_row(result * listed_ + n, {}, 0.0f, 0.0f);
      }
    }
  }

  void write_row(uint32_t row, const Box& corners, float label, float value) {
    for (uint32_t c = 0; c < kCorners; ++c) corners_.data[corners_.at(row, c)] = corners.sides[c];
    labels_.data[labels_.at(row)] = label;
    values_.data[values_.at(row)] = value;
  }

  DetectionPostProcessAttributes attributes_;
  Rows<Src<float>> offsets_, scores_, anchors_;
  Rows<Dst<float>> corners_, labels_, values_;
  uint32_t count_, first_class_;
  bool by_class_;
  uint32_t listed_;  // rows a result has
};

Status run_detection_post_process(const Step& step, const Platform& /*platform*/) {
  const uint32_t results = Picking(step).run();
  step.output(3).write<float>()[0] = static_cast<float>(results);
  return ok_status();
}

}  // namespace

constexpr Form kDetectionPostProcessForm0 = make_form(Op::kDetectionPostProcess, 0,
                                                      {
                                                          .parallel = false,
                                                          .run = run_detection_post_process,
                                                      });
ARENITE_FORM_CODE(DetectionPostProcess, 0)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
