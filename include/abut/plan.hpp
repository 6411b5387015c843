#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abut/api.h>

namespace abut {

/// A method with its parameters, as one line of text, with the reason for it.
///
///     abut::plan p("neighboring-cell store=center cell=1.5");
///     p.text();  // the same line: save it, show it, make the plan from it again
///
/// Parameters that are left out are chosen from the bodies at each update; `search::planned` returns the plan with all
/// of them. With the method `auto`, the method is chosen too. abut/planner.hpp makes plans from bodies.
class ABUT_API plan {
 public:
  /// A parameter's name and value.
  using parameter = std::pair<std::string, std::string>;

  /// The plan `auto`.
  plan();

  /// Reads a plan from its line of text. Throws `error` for an unknown method or parameter (with the nearest right
  /// name) and for a value outside its range.
  explicit plan(std::string_view text);
  /// The same, from a C string.
  explicit plan(const char* text) : plan(std::string_view(text)) {}
  /// The same, from a string.
  explicit plan(const std::string& text) : plan(std::string_view(text)) {}

  /// The plan as a line: the method's name, then `name=value` for each parameter, separated by spaces.
  [[nodiscard]] std::string text() const;

  /// The method's name, or `auto`.
  [[nodiscard]] const std::string& method() const { return method_; }
  /// The parameters that have been set, in that order.
  [[nodiscard]] const std::vector<parameter>& parameters() const { return parameters_; }

  /// The value of a parameter, if it has been set. Valid until the plan changes.
  [[nodiscard]] std::optional<std::string_view> parameter_value(std::string_view name) const;

  /// Why this plan was chosen: one sentence, or empty if the user chose all of it.
  [[nodiscard]] const std::string& reason() const { return reason_; }

  /// Sets a parameter. Throws `error` as the constructor does.
  plan& set(std::string_view name, std::string_view value);
  /// Sets the reason.
  plan& because(std::string reason);

  /// Whether the methods and parameters are the same; reasons are not compared.
  friend bool operator==(const plan& a, const plan& b) {
    return a.method_ == b.method_ && a.parameters_ == b.parameters_;
  }

 private:
  std::string method_;
  std::vector<parameter> parameters_;
  std::string reason_;
};

}  // namespace abut
