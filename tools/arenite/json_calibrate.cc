// Writes how well fitted costs predict the programs that they were fitted to.
#include "tools/arenite/calibrate_report.h"
#include "tools/arenite/json_value.h"
#include "tools/calibrate/board_costs.h"

namespace arenite::tools {

std::string to_json(const FittedBoard& fitted, const std::string& file) {
  constexpr double kPicosecondsInMicrosecond = 1e6;
  Json json{{"file", file}, {"costs", count_entries(fitted.costs)}, {"programs", Json::array()}};
  for (const Judgement& one : fitted.judgements) {
    Json program{{"name", one.name},
                 {"measured_us", one.measured_ps / kPicosecondsInMicrosecond},
                 {"predicted_us", nullptr},
                 {"left_out_us", nullptr},
                 {"lacking", one.lacking}};
    if (one.predicted_ps) {
      program["predicted_us"] = *one.predicted_ps / kPicosecondsInMicrosecond;
    }
    if (one.left_out_ps) program["left_out_us"] = *one.left_out_ps / kPicosecondsInMicrosecond;
    json["programs"].push_back(std::move(program));
  }
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
