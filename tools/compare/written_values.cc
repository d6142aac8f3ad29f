// Walks a variant's steps for what they write.
#include "tools/compare/written_values.h"

#include <algorithm>
#include <map>

#include "core/sections.h"
#include "support/printable.h"

namespace arenite::tools {
namespace {

using format::StepRecord;
using format::ValueRecord;
using format::Where;

class Walk {
 public:
  Walk(const ProgramFile& file, uint32_t method, uint32_t variant)
      : file_(file),
        program_(file.program()),
        method_(method),
        variant_(variant),
        record_(program_.variants()[program_.methods()[method].variant_first + variant]),
        values_(program_.values_of(record_)) {}

  std::vector<WrittenValue> run() {
    const auto steps = program_.steps_of(record_);
    std::map<uint32_t, uint32_t> last_writer;  // of storages that are filled in parts
    for (uint32_t s = 0; s < steps.size(); ++s) {
      for (const uint32_t value : written_by(steps[s])) {
        if (is_part(value)) last_writer[values_[value].below_or_root] = s;
      }
    }
    for (uint32_t s = 0; s < steps.size(); ++s) {
      for (const uint32_t value : written_by(steps[s])) {
        add(value, s);
        if (!is_part(value)) continue;
        const uint32_t root = values_[value].below_or_root;
        if (last_writer[root] != s) continue;
        last_writer[root] = kNoIndex;  // once, where a step writes two parts of it
        add(root, s);
      }
    }
    return std::move(written_);
  }

 private:
  bool is_part(uint32_t value) const { return format::is_view(values_[value]); }

  uint64_t elements(uint32_t value) const {
    uint64_t count = 1;
    const ValueRecord& record = values_[value];
    for (const uint32_t dim : program_.shapes().subspan(record.shape, record.rank)) count *= dim;
    return count;
  }

  // A storage that a step fills alone, in dims of its own, is meant where the view is written.
  uint32_t whole(uint32_t value) const {
    if (!is_part(value)) return value;
    const uint32_t root = values_[value].below_or_root;
    return elements(root) == elements(value) ? root : value;
  }

  std::vector<uint32_t> written_by(const StepRecord& step) const {
    const auto where = static_cast<Where>(step.where);
    if (where == Where::kView || where == Where::kTransfer) return {};
    const auto outputs =
        program_.operands().subspan(step.operand_first + step.input_count, step.output_count);
    std::vector<uint32_t> written;
    for (const uint32_t value : outputs) written.push_back(whole(value));
    return written;
  }

  void add(uint32_t value, uint32_t step) {
    const ValueRecord& record = values_[value];
    WrittenValue written;
    written.key.name = file_.value_name(method_, variant_, value);
    written.value = value;
    written.step = step;
    written.node = file_.step_name(method_, variant_, step);
    if (is_part(value)) {
      const ValueRecord& root = values_[record.below_or_root];
      written.key.part.push_back(record.offset - root.offset);
      const auto words = program_.shapes().subspan(record.shape, 2u * record.rank);
      written.key.part.insert(written.key.part.end(), words.begin(), words.end());
    }
    written.key.occurrence = seen_[written.key]++;
    written_.push_back(std::move(written));
  }

  const ProgramFile& file_;
  const Program& program_;
  const uint32_t method_, variant_;
  const format::VariantRecord& record_;
  const Records<ValueRecord> values_;
  std::map<ValueKey, uint32_t> seen_;
  std::vector<WrittenValue> written_;
};

}  // namespace

std::vector<WrittenValue> written_values(const ProgramFile& file, uint32_t method,
                                         uint32_t variant) {
  if (file.program().section(format::SectionKind::kNames).empty()) return {};
  return Walk(file, method, variant).run();
}

std::string describe(const ValueKey& key) {
  std::string text = printable(key.name);
  if (!key.part.empty()) {
    text += ", part [";
    const size_t rank = key.part.size() / 2;
    for (size_t d = 0; d < rank; ++d) {
      text += (d == 0 ? "" : ",") + std::to_string(key.part[1 + d]);
    }
    text += "] from byte " + std::to_string(key.part[0]);
  }
  if (key.occurrence == 1) text += ", its copy";
  if (key.occurrence > 1) text += ", copy " + std::to_string(key.occurrence);
  return text;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
