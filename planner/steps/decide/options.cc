// Makes the step once for each packing that forms want, and asks forms and shaders about it.
#include "planner/steps/decide/options.h"

#include <algorithm>
#include <optional>

#include "ops/packings.h"
#include "planner/graph/names.h"
#include "planner/steps/decide/costs.h"
#include "planner/steps/lower/probe.h"

namespace arenite::planner {
namespace {

using format::Where;

class OptionFinder {
 public:
  OptionFinder(const LaidNode& node, DType type, const Target& target, OptionScope scope,
               StepMaker& maker, const ConstantPool& pool, const GivenOption& given)
      : node_(node),
        type_(type),
        target_(target),
        scope_(scope),
        maker_(maker),
        pool_(pool),
        given_(given),
        wants_shaders_(target.shaders != nullptr &&
                       !target.left_to_cpu.contains(node_name(node.node))) {}

  StepOptions run() {
    for (const Form* form : candidate_forms(target_.forms, node_.node.op, type_)) {
      // It reads blocks that other forms want, and wants none itself.
      if (form->packings == kAnyBlocks) continue;
      if (given_.form != nullptr && form != given_.form) continue;
      if (is_needed(*form)) add_form(*form);
    }
    if (result_.options.empty()) {
      throw InputError("node " + printable(node_name(node_.node)) + ": no form of " +
                       op_name(node_.node.op) + " accepts it");
    }
    if (scope_ == OptionScope::kAll) add_barred_forms();
    rank();
    measure();
    return std::move(result_);
  }

 private:
  // By rank the first form that takes the step is enough on the CPU, and the first packings that a
  // shader reads: those of a form before may be none that shaders know.
  bool is_needed(const Form& form) const {
    if (scope_ == OptionScope::kAll || target_.costs != nullptr) return true;
    if (result_.options.empty()) return true;
    const bool wants_shader = wants_shaders_ && result_.options.front().where != Where::kVulkan;
    return wants_shader && wanted_packings(target_, form) != asked_for_;
  }

  // The step is made again only if the form wants other packings than the one before it did.
  void add_form(const Form& form) {
    const Packings wanted = wanted_packings(target_, form);
    const bool is_new = made_for_ != wanted;
    if (is_new) step_ = maker_.make(node_, wanted);
    made_for_ = wanted;
    const Probe probe(step_, pool_);
    // Where a given form does not take a step of these dims, the reference does, if it may, or the
    // device, which runs none.
    const bool is_given_device = given_.form != nullptr && given_.machine == Where::kVulkan;
    const bool may_refuse = given_.form != nullptr && (!target_.forms.exact || is_given_device);
    if (!accepts(form, probe.step()) && !may_refuse) {
      refuse(option_name(form, Where::kCpu), "does not accept the step");
      return;
    }
    const DType stored = arenite::type_of(probe.step(), contract_of(step_.op));
    const Form& reference = reference_form(target_.forms, probe.step(), stored);
    const auto made = static_cast<uint32_t>(result_.steps.size());
    result_.steps.push_back(step_);
    result_.steps.back().forms = StepForms(&form, target_.forms.exact ? nullptr : &reference);
    if (is_given_device) {
      result_.options.push_back({Where::kVulkan, &form, made});
      return;
    }
    // Shaders are asked once for each step that was made.
    if (wants_shaders_ && asked_for_ != made_for_) {
      asked_for_ = made_for_;
      if (target_.shaders(probe.step())) {
        const auto on_cpu = std::ranges::find(result_.options, Where::kCpu, &StepOption::where);
        result_.options.insert(on_cpu, {Where::kVulkan, &form, made});
      } else {
        refuse(option_name(form, Where::kVulkan), "no shader takes the step on such a device");
      }
    } else if (target_.shaders && !wants_shaders_) {
      refuse(option_name(form, Where::kVulkan), "no shader takes the step at every size");
    }
    result_.options.push_back({Where::kCpu, &form, made});
  }

  void refuse(const std::string& name, const std::string& why) {
    if (scope_ == OptionScope::kAll) result_.refused.push_back({name, why});
  }

  // Forms that are no candidates, whatever the step.
  void add_barred_forms() {
    const OpEntry* entry = find_op(target_.forms.ops, node_.node.op);
    for (const Form* const* form = entry->forms; *form != nullptr; ++form) {
      const std::string why = why_barred(target_.forms, **form, type_);
      if (!why.empty()) refuse(option_name(**form, Where::kCpu), why);
    }
  }

  void rank() {
    for (size_t i = 0; i < result_.options.size(); ++i) result_.options[i].cost = i;
  }

  void measure() {
    if (target_.costs == nullptr) return;
    std::vector<assignment::Cost> costs;
    for (const StepOption& option : result_.options) {
      const ScheduledStep& step = result_.steps[option.step];
      const MeasuredCost* cost =
          find_cost(*target_.costs, option_name(*option.form, option.where), step);
      if (cost == nullptr) return;
      costs.push_back(measured(*cost, step));
    }
    for (size_t i = 0; i < costs.size(); ++i) result_.options[i].cost = costs[i];
    result_.is_measured = true;
  }

  const LaidNode& node_;
  const DType type_;
  const Target& target_;
  const OptionScope scope_;
  StepMaker& maker_;
  const ConstantPool& pool_;
  const GivenOption given_;
  const bool wants_shaders_;
  ScheduledStep step_;  // made for the packings:
  std::optional<Packings> made_for_, asked_for_;
  StepOptions result_;
};

}  // namespace

StepOptions options_of(const LaidNode& node, const Target& target, OptionScope scope,
                       StepMaker& maker, const ConstantPool& pool, const GivenOption& given) {
  return OptionFinder(node, type_of_node(node), target, scope, maker, pool, given).run();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
