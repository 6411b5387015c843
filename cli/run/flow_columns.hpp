#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <abut/dem/dem.hpp>

namespace abut::cli {

/// How many bodies have come and gone, in all pours and removals.
struct flow_sums {
  std::uint64_t poured = 0, waiting = 0, removed = 0;
  double poured_mass = 0, removed_mass = 0;
};
[[nodiscard]] flow_sums flow_of(const dem::simulation& now);

/// The columns of a series that say what has come and gone. The mass flow of a row is the mass removed since the row
/// before it, per time: 0 in the first row.
class flow_columns {
 public:
  explicit flow_columns(const dem::settings& s) : pours_(!s.pours.empty()), removals_(!s.removals.empty()) {}
  /// ",poured,waiting,..."; empty if the settings have neither pours nor removals.
  [[nodiscard]] std::string header() const;
  /// ",120,3,...": the columns of `header`, for the row after the last one.
  [[nodiscard]] std::string row_of(const dem::simulation& now, const dem::measures& m);
  /// Goes on after this row of a series with this header.
  void go_on_after(const std::string& series_header, const std::string& row);

 private:
  struct moment {
    double time, removed_mass;
  };
  bool pours_, removals_;
  std::optional<moment> last_{};  // of the last row
};

/// "poured 2,000 of 2,000, 12 wait; removed 1,204"; empty if the settings have neither.
[[nodiscard]] std::string flow_in_words(const dem::settings& s, const flow_sums& all);

}  // namespace abut::cli
