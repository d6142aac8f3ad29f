// Reads options about models, and hands each model its part.
#include "tools/arenite/model_options.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "planner/import/model/dim_expression.h"
#include "planner/import/model/external_data.h"
#include "support/parse_number.h"
#include "support/printable.h"
#include "support/split.h"
#include "support/suggest.h"
#include "tools/arenite/fixed_input.h"

namespace arenite::tools {
namespace {

// Each is planned wholly.
constexpr size_t kSizesMax = 64;

uint32_t parse_dim(const std::string& option, const std::string& text) {
  const auto dim = parse_number<uint32_t>(text);
  if (!dim) throw InputError(option + ": expected a whole number, found " + quote(text));
  return *dim;
}

// "1,3,224,224"; "" is a scalar.
std::vector<uint32_t> parse_dims(const std::string& option, const std::string& text) {
  std::vector<uint32_t> dims;
  if (text.empty()) return dims;
  const std::vector<std::string> words = split_at_commas(text);
  for (const std::string& word : words) {
    if (!dims.empty() && dims.size() + 1 == words.size() && word.empty()) {
      throw InputError(option + ": ends in a comma");
    }
    dims.push_back(parse_dim(option, word));
  }
  return dims;
}

// "64" or "1..64".
DimSize parse_size(const std::string& option, const std::string& text) {
  const size_t dots = text.find("..");
  if (dots == std::string::npos) {
    const uint32_t size = parse_dim(option, text);
    return {size, size};
  }
  const DimSize range{parse_dim(option, text.substr(0, dots)),
                      parse_dim(option, text.substr(dots + 2))};
  if (range.least > range.most) {
    throw InputError(option + ": expected a range from the least up, found " + quote(text));
  }
  return range;
}

// "64|128|256", "1..64", "1|2..64".
std::vector<DimSize> parse_sizes(const std::string& option, const std::string& text) {
  std::vector<DimSize> sizes;
  for (const std::string& word : split_at(text, '|')) {
    const DimSize size = parse_size(option, word);
    for (const DimSize& other : sizes) {
      if (other == size) throw InputError(option + ": " + size_text(size) + " is listed twice");
      if (size.least <= other.most && other.least <= size.most) {
        throw InputError(option + ": " + size_text(other) + " and " + size_text(size) +
                         " have sizes in common");
      }
    }
    sizes.push_back(size);
  }
  return sizes;
}

// At the last '=' where numbers follow it, as these hold none; else at the first.
std::pair<std::string, std::string> split(const std::string& text, size_t at,
                                          const std::string& option, const char* expected) {
  if (at == std::string::npos || at == 0) throw InputError(option + ": expected " + expected);
  return {text.substr(0, at), text.substr(at + 1)};
}

template <typename T>
void add_once(std::map<std::string, T>& known, const char* option, const std::string& name,
              T value) {
  if (known.emplace(name, std::move(value)).second) return;
  throw InputError(std::string(option) + " names " + quote(name) + " twice: expected one");
}

// Whether a text begins as names do, so that --dim may take the number of another dim.
bool is_name(const std::string& text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_');
}

std::vector<std::string> listed_names(const std::string& text) {
  std::vector<std::string> names = split_at_commas(text);
  std::erase(names, "");
  return names;
}

std::string input_names(const planner::OpenNames& open) {
  std::string text;
  for (const auto& [name, input] : open.inputs) text += (text.empty() ? "" : ", ") + quote(name);
  return text.empty() ? "none" : text;
}

}  // namespace

std::string size_text(const DimSize& size) {
  return std::to_string(size.least) + (size.is_range() ? ".." + std::to_string(size.most) : "");
}

std::string ModelOptions::first() const {
  if (!shapes.empty()) return "--shape " + shapes[0];
  if (!dims.empty()) return "--dim " + dims[0];
  if (!batch.empty()) return "--batch " + batch;
  if (!fixed.empty()) return "--fix " + fixed[0];
  if (!states.empty()) return "--state " + states[0];
  if (!shared_states.empty()) return "--share-state " + shared_states[0];
  if (variables_are_io) return "--no-state";
  if (!max_trips.empty()) return "--max-trips " + max_trips[0];
  return outputs.empty() ? "" : "--outputs " + outputs[0];
}

void add_model_options(Options& options, ModelOptions& model) {
  options.add("--shape", model.shapes, "Shape of an input").value_name("INPUT=1,3,224,224");
  options
      .add("--dim", model.dims,
           "Value of a symbolic dimension; several make a method for each, of which a run takes "
           "the one that its inputs fit; of a range, each run takes a number; or an expression of "
           "other "
           "dimensions, as past+1")
      .value_name("NAME=N|N|LO..HI");
  options
      .add(
          "--batch", model.batch,
          "The leading dimension of inputs where that counts a batch, also where the model says 1; "
          "sizes as of --dim")
      .value_name("N|N|LO..HI");
  options
      .add("--fix", model.fixed,
           "Make an input a constant: a number, numbers with commas between them, or a tensor file "
           "(.npy, .pb or .bin)")
      .value_name("INPUT=VALUE|FILE");
  options
      .add("--outputs", model.outputs,
           "End the model at these values instead of its outputs; what they do not need is left "
           "out")
      .value_name("NAME,...");
  options
      .add("--max-trips", model.max_trips,
           "Most trips of a loop whose number each run decides; a run that wants more fails")
      .value_name("LOOP=N");
}

void add_state_options(Options& options, ModelOptions& model) {
  options
      .add("--state", model.states,
           "Keep an input between runs: it begins at zero, and takes what an output holds at the "
           "end "
           "of each run")
      .value_name("OUT=IN");
  options
      .add("--share-state", model.shared_states,
           "Let all methods that have an input of this name share one state; one where it takes no "
           "output reads what the others leave")
      .value_name("IN");
  options.add("--no-state", model.variables_are_io,
              "Make variables of TensorFlow Lite models inputs and outputs, for you to keep");
}

void add_models(Sources& sources, std::span<const std::string> paths) {
  for (const std::string& path : paths) {
    sources.add(path);
    for (const auto& file : planner::external_files(path)) sources.add(file.string());
  }
}

GivenOptions::GivenOptions(const ModelOptions& options)
    : variables_are_io_(options.variables_are_io) {
  for (const std::string& text : options.shapes) {
    const std::string option = "--shape " + text;
    const auto [name, dims] = split(text, text.rfind('='), option, "INPUT=1,3,224,224");
    add_once(shapes_, "--shape", name, parse_dims(option, dims));
  }
  for (const std::string& text : options.dims) {
    const std::string option = "--dim " + text;
    const auto [name, numbers] = split(text, text.rfind('='), option, "NAME=N");
    if (dims_.contains(name) || following_dims_.contains(name)) {
      throw InputError("--dim names " + quote(name) + " twice: expected one");
    }
    if (planner::names_in_dim(numbers).empty() && !is_name(numbers)) {
      dims_.emplace(name, parse_sizes(option, numbers));
    } else {
      following_dims_.emplace(name, numbers);
    }
  }
  if (!options.batch.empty()) {
    has_batch_ = true;
    const auto sizes = parse_sizes("--batch " + options.batch, options.batch);
    if (!dims_.emplace(kBatch, sizes).second) {
      throw InputError("--batch and --dim both name dimension " + quote(kBatch) + ": expected one");
    }
  }
  for (const std::string& text : options.fixed) {
    const char* expected = "INPUT=VALUE or INPUT=FILE";
    const auto [name, value] = split(text, text.find('='), "--fix " + text, expected);
    if (value.empty()) throw InputError("--fix " + text + ": expected " + expected);
    add_once(fixed_, "--fix", name, value);
    if (shapes_.contains(name)) {
      throw InputError("--fix and --shape both name input " + quote(name) +
                       ": a constant has dims of its own");
    }
  }
  for (const std::string& text : options.states) {
    const auto [output, input] = split(text, text.find('='), "--state " + text, "OUT=IN");
    if (input.empty()) throw InputError("--state " + text + ": expected OUT=IN");
    add_once(states_, "--state", input, output);
  }
  shared_states_ = {options.shared_states.begin(), options.shared_states.end()};
  for (const std::string& text : options.max_trips) {
    const std::string option = "--max-trips " + text;
    const auto [name, number] = split(text, text.rfind('='), option, "LOOP=N");
    add_once(max_trips_, "--max-trips", name, parse_dim(option, number));
  }
  outputs_ = options.outputs;
  for (const std::string& text : outputs_) {
    if (listed_names(text).empty()) throw InputError("--outputs " + text + ": expected NAME,...");
  }
}

std::vector<DimSizes> GivenOptions::sizes() const {
  std::vector<DimSizes> all(1);
  for (const auto& [name, sizes] : dims_) {
    if (sizes.size() == 1 && !sizes[0].is_range()) continue;
    std::vector<DimSizes> longer;
    for (const DimSizes& chosen : all) {
      for (const DimSize& size : sizes) {
        longer.push_back(chosen);
        longer.back().emplace(name, size);
      }
    }
    all = std::move(longer);
    if (all.size() > kSizesMax) {
      throw InputError("--dim: expected at most " + std::to_string(kSizesMax) +
                       " combinations of sizes, found more");
    }
  }
  return all;
}

planner::ImportOptions GivenOptions::of_model(const std::filesystem::path& path,
                                              std::span<const std::byte> file, bool alone,
                                              const DimSizes& sizes) {
  planner::ImportOptions options;
  options.is_tflite = path.extension() == ".tflite";
  options.folder = planner::folder_of_model(path);
  options.variables_are_io = variables_are_io_;
  options.shared_states = shared_states_;
  if (shapes_.empty() && dims_.empty() && following_dims_.empty() && fixed_.empty() &&
      outputs_.empty() && states_.empty() && max_trips_.empty()) {
    return options;
  }
  const planner::OpenNames open = planner::open_names(file, options.is_tflite);
  // With one model import says what is wrong.
  for (const auto& [name, dims] : shapes_) {
    if (!alone && !open.inputs.contains(name)) continue;
    options.shapes.emplace(name, dims);
    used_shapes_.insert(name);
  }
  for (const auto& [name, numbers] : dims_) {
    const bool is_batch = has_batch_ && name == kBatch;
    if (!alone && !is_batch && !open.dims.contains(name)) continue;
    const auto chosen = sizes.find(name);
    if (chosen == sizes.end() && (numbers.size() != 1 || numbers[0].is_range())) {
      throw InputError(
          (is_batch ? std::string("--batch") : "--dim " + name) + ": expected one size, found " +
          (numbers.size() == 1 ? size_text(numbers[0]) : std::to_string(numbers.size())) +
          ": `arenite plan` alone takes several");
    }
    const uint32_t size = (chosen == sizes.end() ? numbers[0] : chosen->second).most;
    if (is_batch) {
      options.batch = size;
    } else {
      options.dims.emplace(name, size);
      if (chosen != sizes.end() && chosen->second.is_range()) options.chosen_dims.insert(name);
    }
    used_dims_.insert(name);
  }
  for (const auto& [name, text] : following_dims_) {
    if (!alone && !open.dims.contains(name)) continue;
    options.following_dims.emplace(name, text);
    used_dims_.insert(name);
  }
  for (const auto& [name, value] : fixed_) {
    const auto input = open.inputs.find(name);
    if (input == open.inputs.end()) {
      if (!alone) continue;
      throw InputError("--fix names input " + quote(name) + ", the model has " + input_names(open));
    }
    used_fixed_.insert(name);
    // Import tells of types that are not supported.
    if (input->second.dtype == DType::kNone) continue;
    options.bound.emplace(name, fixed_input(name, value, input->second, options));
  }
  for (const auto& [input, output] : states_) {
    if (!alone && !open.inputs.contains(input)) continue;
    options.states.emplace(input, output);
    used_states_.insert(input);
  }
  for (const auto& [loop, trips] : max_trips_) {
    if (!alone && !open.loops.contains(loop)) continue;
    options.max_trips.emplace(loop, trips);
    used_loops_.insert(loop);
  }
  for (const std::string& text : outputs_) {
    const Names& values = open.values;
    for (const std::string& name :
         values.contains(text) ? std::vector<std::string>{text} : listed_names(text)) {
      if (!alone && !values.contains(name)) continue;
      options.outputs.push_back(name);
      used_outputs_.insert(name);
    }
  }
  return options;
}

void GivenOptions::check_all_used() const {
  for (const auto& [name, dims] : shapes_) {
    if (used_shapes_.contains(name)) continue;
    throw InputError("--shape names input " + quote(name) + ", which no model has");
  }
  const auto expect_used = [&](const std::string& name) {
    if (used_dims_.contains(name)) return;
    throw InputError("--dim names dimension " + quote(name) + ", which no model has");
  };
  for (const auto& [name, sizes] : dims_) expect_used(name);
  for (const auto& [name, text] : following_dims_) expect_used(name);
  for (const auto& [name, value] : fixed_) {
    if (used_fixed_.contains(name)) continue;
    throw InputError("--fix names input " + quote(name) + ", which no model has");
  }
  for (const auto& [input, output] : states_) {
    if (used_states_.contains(input)) continue;
    throw InputError("--state names input " + quote(input) + ", which no model has");
  }
  for (const auto& [loop, trips] : max_trips_) {
    if (used_loops_.contains(loop)) continue;
    throw InputError("--max-trips names loop " + quote(loop) + ", which no model has");
  }
  for (const std::string& text : outputs_) {
    if (used_outputs_.contains(text)) continue;
    for (const std::string& name : listed_names(text)) {
      if (used_outputs_.contains(name)) continue;
      throw InputError("--outputs names value " + quote(name) + ", which no model has");
    }
  }
}

void GivenOptions::check_shared(std::span<const planner::NamedGraph> methods) const {
  for (const std::string& name : shared_states_) {
    const auto has = [&](const planner::NamedGraph& named) {
      return std::ranges::find(named.graph.states, name, &planner::GraphState::shared) !=
             named.graph.states.end();
    };
    const auto count = std::ranges::count_if(methods, has);
    if (count > 1) continue;
    throw InputError("--share-state " + name + ": " + std::to_string(count) + " of " +
                     std::to_string(methods.size()) +
                     " methods have such an input: expected several that share it");
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
