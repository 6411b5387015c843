#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abut/api.h>

namespace abut {

class bodies;
struct options;

/// How much to do for a plan.
enum class effort {
  estimate,  ///< look at the bodies, and predict by models: costs a few percent of an update
  measure    ///< try the promising few on the bodies themselves, and remember: costs a few dozen updates
};

/// A method with its parameters, as one line of text, with the reason for it.
///
///     abut::plan p("neighboring-cell store=center cell=1.5");
///     p.text();  // the same line: save it, show it, give it back
///
/// Parameters that are left out are chosen from the bodies at each update; `search::planned` tells what was chosen.
/// The method `auto` leaves the method open too.
class ABUT_API plan {
 public:
  /// A parameter's name and its value.
  using parameter = std::pair<std::string, std::string>;

  /// The plan `auto`.
  plan();

  /// Reads a plan's line. Throws `error` for an unknown method or key (with the nearest right name) and for a value out
  /// of its range.
  explicit plan(std::string_view text);
  /// The same.
  explicit plan(const char* text) : plan(std::string_view(text)) {}
  /// The same.
  explicit plan(const std::string& text) : plan(std::string_view(text)) {}

  /// The plan for these bodies that is expected to cost least, with the reason. `estimate` depends on the bodies, the
  /// options and the constants of this machine (abut/planner.hpp), never on the time or the number of threads. Throws
  /// `error` as `search::update` does.
  explicit plan(const bodies& b, effort e = effort::estimate);
  /// The same for a search with these options.
  plan(const bodies& b, effort e, const options& o);

  /// The line: the method's name, then `key=value` for each parameter, with a space between.
  [[nodiscard]] std::string text() const;

  /// The method's name, or `auto`.
  [[nodiscard]] const std::string& method() const { return method_; }
  /// The parameters that are given, in the order in which they were.
  [[nodiscard]] const std::vector<parameter>& parameters() const { return parameters_; }

  /// The value of a parameter, where it is given.
  [[nodiscard]] std::optional<std::string_view> parameter_value(std::string_view name) const;

  /// Why this plan: one sentence, or nothing where the user asked for just this.
  [[nodiscard]] const std::string& reason() const { return reason_; }

  /// Sets a parameter, checked as in the constructor.
  plan& set(std::string_view name, std::string_view value);
  /// Sets the reason.
  plan& because(std::string reason);

  /// The same method with the same parameters, whatever the reasons.
  friend bool operator==(const plan& a, const plan& b) {
    return a.method_ == b.method_ && a.parameters_ == b.parameters_;
  }

 private:
  std::string method_;
  std::vector<parameter> parameters_;
  std::string reason_;
};

}  // namespace abut
