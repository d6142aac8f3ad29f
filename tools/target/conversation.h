// Talks a board's harness through loading, running and profiling.
#pragma once

#include <string>
#include <vector>

#include "planner/board/board.h"
#include "tools/run/program_file.h"
#include "tools/target/link.h"
#include "tools/target/target.h"

namespace arenite::tools {

// The program and the tasks on their way to a board and back.
class Conversation {
 public:
  Conversation(Line& line, const LinkOptions& link, const planner::Board& board,
               const ProgramFile& file, const TargetOptions& options)
      : link_(line, link),
        piece_bytes_(link.piece_bytes),
        board_(board),
        file_(file),
        options_(options) {}

  void greet();
  void stream_program();
  TargetTaskResult run(const TargetTask& task, const std::vector<uint32_t>* offsets);
  void say_bye() { link_.say_bye(); }
  const LinkCounts& counts() const { return link_.counts(); }

 private:
  std::string where() const;
  void expect_good(const TargetReply& reply, const std::string& what) const;
  TargetReply ask(const harness::Request& request, const std::string& what);
  void load(uint32_t variant);
  void add_inputs(const TargetTask& task, uint32_t run, const std::vector<uint32_t>* offsets,
                  std::vector<Asked>& asked, std::vector<std::string>& what) const;
  std::vector<HostTensor> run_once(const TargetTask& task, uint32_t run,
                                   const std::vector<uint32_t>* offsets,
                                   std::vector<HostTensor> outputs);
  harness::Reply profile();

  TargetLink link_;
  const size_t piece_bytes_;
  const planner::Board& board_;
  const ProgramFile& file_;
  const TargetOptions& options_;
  uint32_t method_ = 0, variant_ = 0;  // of the task at hand, for messages
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
