// Options of a user about a model beside its file: shapes, constants, and where it ends. All
// commands that read models take the same options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "planner/import/import.h"
#include "planner/options.h"
#include "tools/arenite/options.h"
#include "tools/run/sources.h"

namespace arenite::tools {

// The options as the command line has them.
struct ModelOptions {
  std::vector<std::string> shapes;         // INPUT=1,3,224,224
  std::vector<std::string> dims;           // NAME=N, NAME=N|N|N, NAME=N..N or NAME=OTHER+1
  std::string batch;                       // N, N|N|N or N..N
  std::vector<std::string> fixed;          // INPUT=VALUE or INPUT=FILE
  std::vector<std::string> outputs;        // NAME,...
  std::vector<std::string> max_trips;      // LOOP=N
  std::vector<std::string> states;         // OUT=IN
  std::vector<std::string> shared_states;  // IN
  bool variables_are_io = false;

  // The first of these options that was given, "--dim seq=4"; "" where none was.
  std::string first() const;
};

// Declares --shape, --dim, --batch, --fix, --outputs and --max-trips.
void add_model_options(Options& options, ModelOptions& model);
// Declares --state, --share-state and --no-state.
void add_state_options(Options& options, ModelOptions& model);

// Models, and the files beside them that hold their tensors.
void add_models(Sources& sources, std::span<const std::string> paths);

// One of the sizes that --dim lists: a number, or a range of which callers choose one before runs.
struct DimSize {
  uint32_t least = 0, most = 0;

  bool is_range() const { return least != most; }
  auto operator<=>(const DimSize&) const = default;
};

// "64"; "1..64" of a range.
std::string size_text(const DimSize& size);

// One of the sizes of each dim that has several, or a range, by name.
using DimSizes = std::map<std::string, DimSize>;
// The name that --batch has among them.
inline constexpr const char* kBatch = "batch";

// The same for one model after another: each takes what is about it.
class GivenOptions {
 public:
  // Throws InputError for what is no shape, no dim, or is given twice.
  explicit GivenOptions(const ModelOptions& options);

  // Every combination of the sizes that --dim lists; a single empty one where no dim has several or
  // a range.
  std::vector<DimSizes> sizes() const;
  // Whether --dim lists several sizes of a dim.
  bool has_several(const std::string& name) const { return dims_.at(name).size() > 1; }
  // Import options of the model at `path`, whose bytes are `file`. Reads the files of --fix. Throws
  // InputError for values that do not suit their inputs, and where a dim has several sizes, or a
  // range, of which `sizes` has none. Of a range, the dim is the most. If the model is `alone`, all
  // options are about it.
  planner::ImportOptions of_model(const std::filesystem::path& path,
                                  std::span<const std::byte> file, bool alone,
                                  const DimSizes& sizes = {});
  // Throws InputError for an option that no model took.
  void check_all_used() const;
  // Throws InputError for a state to be shared that only one of the methods has, or none.
  void check_shared(std::span<const planner::NamedGraph> methods) const;

 private:
  using Names = std::set<std::string>;

  std::map<std::string, std::vector<uint32_t>> shapes_;
  std::map<std::string, std::vector<DimSize>> dims_;
  std::map<std::string, std::string> following_dims_;  // "past+len", by name
  std::map<std::string, std::string> fixed_;
  std::vector<std::string> outputs_;           // as given: a name may hold a comma
  std::map<std::string, std::string> states_;  // the output by its input
  std::set<std::string> shared_states_;
  std::map<std::string, uint32_t> max_trips_;  // by loop
  bool variables_are_io_;
  bool has_batch_ = false;  // --batch is given, as a dim of its name
  Names used_shapes_, used_dims_, used_fixed_, used_outputs_, used_states_, used_loops_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
