// Matches what two runs wrote by the values' names.
#include "tools/compare/comparison.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

struct Seen {
  WrittenValue written;
  std::optional<HostTensor> tensor;
};

// For each name of `to`, its index in `from`; both have the same names.
std::vector<uint32_t> order_of(const std::vector<std::string>& from,
                               const std::vector<std::string>& to) {
  std::vector<uint32_t> order;
  for (const std::string& name : to) {
    const auto found = std::find(from.begin(), from.end(), name);
    order.push_back(static_cast<uint32_t>(found - from.begin()));
  }
  return order;
}

std::string describe_all(const ProgramFile& file, uint32_t method, bool outputs) {
  const std::vector<std::string> names =
      outputs ? file.output_names(method) : file.input_names(method);
  std::vector<std::string> lines;
  for (uint32_t i = 0; i < names.size(); ++i) {
    const HostTensor form =
        outputs ? output_form(file.program(), method, i) : input_form(file.program(), method, i);
    const bool state = !outputs && file.state_of(method, i) != nullptr;
    lines.push_back(names[i] + " " + describe(form.dtype, form.dims) + (state ? " (state)" : ""));
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : ", ") + line;
  return text.empty() ? "none" : text;
}

// The numbers of a tensor of 16-bit floats in float32.
HostTensor widened(const HostTensor& half) {
  HostTensor wide;
  wide.dtype = DType::kFloat32;
  wide.dims = half.dims;
  const uint64_t count = half.bytes.size() / element_bytes(half.dtype);
  wide.bytes.resize(count * sizeof(float));
  for (uint64_t i = 0; i < count; ++i) {
    const auto number = static_cast<float>(number_at(half, i));
    std::memcpy(wide.bytes.data() + i * sizeof(float), &number, sizeof(number));
  }
  return wide;
}

// Whether one of them has in 16 bits what the other has in float32.
bool differ_in_width(const HostTensor& a, const HostTensor& b) {
  return (a.dtype == DType::kFloat16 && b.dtype == DType::kFloat32) ||
         (a.dtype == DType::kFloat32 && b.dtype == DType::kFloat16);
}

// Of values that a run keeps in 16 bits: each step rounds what it reads, and its result.
constexpr double kNarrowTolerance = 2e-2;

class Comparer {
 public:
  explicit Comparer(const std::optional<Tolerance>& tolerance) : tolerance_(tolerance) {}

  Comparison run(const Contender& a, const Contender& b, const std::vector<HostTensor>& inputs) {
    const Recording of_a =
        record_run(*a.file, a.options, a.vulkan, inputs,
                   [this](const WrittenValue& written, std::optional<HostTensor> tensor) {
                     a_.emplace(written.key, Seen{written, std::move(tensor)});
                   });
    const uint32_t method_a = a.file->find_method(a.options.method);
    const uint32_t method_b = b.file->find_method(b.options.method);
    std::vector<HostTensor> inputs_b;
    for (const uint32_t i :
         order_of(a.file->input_names(method_a), b.file->input_names(method_b))) {
      inputs_b.push_back(inputs[i]);
    }
    const Recording of_b =
        record_run(*b.file, b.options, b.vulkan, inputs_b,
                   [this](const WrittenValue& written, std::optional<HostTensor> tensor) {
                     meet(written, std::move(tensor));
                   });
    finish();
    for (const Contender* one : {&a, &b}) {
      if (!one->file->program().section(format::SectionKind::kNames).empty()) continue;
      result_.uncompared = {{"all values", one->file->name() + " carries no names"}};
    }
    result_.a = {a.file->name(), of_a.info, of_a.watching_changed_outputs};
    result_.b = {b.file->name(), of_b.info, of_b.watching_changed_outputs};
    const std::vector<std::string> names = a.file->output_names(method_a);
    const std::vector<uint32_t> order = order_of(b.file->output_names(method_b), names);
    for (size_t i = 0; i < names.size(); ++i) {
      result_.outputs.push_back(
          {names[i], difference(of_a.outputs[i], of_b.outputs[order[i]], tolerance())});
    }
    return std::move(result_);
  }

 private:
  void leave_out(const ValueKey& key, const std::string& why) {
    result_.uncompared.push_back({describe(key), why});
  }

  // Where one of them keeps floats in 16 bits that are float32 to the other, for outputs too.
  std::optional<Tolerance> tolerance() const {
    if (tolerance_ || !keeps_halves_) return tolerance_;
    return kNarrowTolerance;
  }

  Difference compared(const HostTensor& a, const HostTensor& b) {
    if (!differ_in_width(a, b)) return difference(a, b, tolerance());
    keeps_halves_ = true;
    if (a.dtype == DType::kFloat16) return difference(widened(a), b, tolerance());
    return difference(a, widened(b), tolerance());
  }

  void meet(const WrittenValue& written, std::optional<HostTensor> tensor) {
    const auto found = a_.find(written.key);
    if (found == a_.end()) {
      leave_out(written.key, "only B writes it, " + written.node);
      return;
    }
    const Seen seen = std::move(found->second);
    a_.erase(found);
    if (!tensor || !seen.tensor) {
      leave_out(written.key, "its elements are packed");
      return;
    }
    Difference apart = compared(*seen.tensor, *tensor);
    if (!apart.form.empty()) {
      leave_out(written.key, "it has another form in B: " + apart.form);
      return;
    }
    steps_.emplace_back(seen.written.step, result_.values.size());
    result_.values.push_back({written.key, seen.written.node, written.node, tensor->dtype,
                              tensor->dims, std::move(apart)});
  }

  void finish() {
    for (const auto& [key, seen] : a_) leave_out(key, "only A writes it, " + seen.written.node);
    a_.clear();
    std::stable_sort(steps_.begin(), steps_.end());
    std::vector<ComparedValue> ordered;
    for (const auto& [step, i] : steps_) ordered.push_back(std::move(result_.values[i]));
    result_.values = std::move(ordered);
    for (size_t i = 0; i < result_.values.size() && !result_.first; ++i) {
      if (!result_.values[i].difference.agrees()) result_.first = i;
    }
  }

  const std::optional<Tolerance> tolerance_;
  bool keeps_halves_ = false;
  std::map<ValueKey, Seen> a_;                      // what A wrote and B has not yet
  std::vector<std::pair<uint32_t, size_t>> steps_;  // A's step, and the place in result_.values
  Comparison result_;
};

}  // namespace

bool Comparison::outputs_agree() const {
  return std::all_of(outputs.begin(), outputs.end(),
                     [](const ComparedOutput& output) { return output.difference.agrees(); });
}

void check_comparable(const ProgramFile& a, uint32_t method_a, const ProgramFile& b,
                      uint32_t method_b) {
  for (const bool outputs : {false, true}) {
    const std::string of_a = describe_all(a, method_a, outputs);
    const std::string of_b = describe_all(b, method_b, outputs);
    if (of_a == of_b) continue;
    std::string message = "A and B do not have the same ";
    message.append(outputs ? "outputs: " : "inputs: ").append(a.name()).append(" has ");
    message.append(of_a).append("; ").append(b.name()).append(" has ").append(of_b);
    throw InputError(message);
  }
}

Comparison compare_runs(const Contender& a, const Contender& b,
                        const std::vector<HostTensor>& inputs,
                        const std::optional<Tolerance>& tolerance) {
  return Comparer(tolerance).run(a, b, inputs);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
