#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/abut.hpp>

#include "files/bodies_file.hpp"
#include "screen/progress.hpp"

/// The options that find, plan and bench share: which bodies, and what counts as touching.
namespace abut::cli {

class verb;

/// The options as given on the command line.
struct search_arguments {
  std::string bodies{};
  bool demo = false;
  std::string columns{}, radius{}, scale{}, margin{}, threads{}, periodic{}, domain{}, constants{};

  /// The name of the bodies in messages and reports.
  [[nodiscard]] std::string source() const { return demo ? "demo" : bodies; }
};

/// The parsed options. What depends on the bodies (the axes that they have) is checked later.
struct search_request {
  columns_request columns{};
  std::optional<double> scale{};
  double margin = 0;
  int threads = 0;
  std::optional<std::array<bool, 3>> periodic{};  ///< if not given: as the file says
  std::vector<interval> domain{};                 ///< empty: not given
  std::string constants{};                        ///< for `options::constants`; empty: not given
};

/// Adds BODIES and --demo.
void add_bodies_options(verb& to, search_arguments& given);
/// Adds the other options.
void add_search_options(verb& to, search_arguments& given);

/// Parses the options. Throws `error` for the first that is invalid.
[[nodiscard]] search_request understand_search(const search_arguments& given);

/// Reads or generates the bodies, scales their radii, and notes how the file was understood. Warns on stderr if they
/// look wrong. Throws `error` with the place in the file.
[[nodiscard]] bodies_file obtain(const search_arguments& given, const search_request& request, progress_line& progress);

/// The options of a search for these bodies. Throws `error` if an axis or a period is missing.
[[nodiscard]] options options_for(const search_request& request, const bodies_file& file, const std::string& name);

/// The plan of --method with each --param, as key=value. Throws `error` for one that is invalid.
[[nodiscard]] plan plan_of(const std::string& method, const std::vector<std::string>& parameters);

/// Throws the library's error again with the place in the file of the body at fault: the library knows its row, the
/// user its line.
[[noreturn]] void refuse_in_place(const error& problem, const bodies_file& file, const search_arguments& given);

/// Calls `f`, which uses the bodies of `file`, and translates its errors by `refuse_in_place`.
template <class F>
auto in_place(const bodies_file& file, const search_arguments& given, F&& f) {
  try {
    return f();
  } catch (const error& problem) {
    refuse_in_place(problem, file, given);
  }
}

/// Throws `error` if the path that the option names is the file of the bodies.
void refuse_overwriting(std::string_view option, const std::string& path, const search_arguments& given);

/// Updates the search with `now`, the bodies of `file`.
void update_in_place(search& search, const bodies& now, const bodies_file& file, const search_arguments& given);

/// The value of an option that is a finite number for which `fits` is true; `range` says in words which those are.
[[nodiscard]] double number_option(std::string_view name, const std::string& text, std::string_view range,
                                   bool (*fits)(double));
/// A whole number from `least` to `most`.
[[nodiscard]] std::uint64_t whole_option(std::string_view name, const std::string& text, std::uint64_t least,
                                         std::uint64_t most);
/// The value of --seed; 1 if it is not given.
[[nodiscard]] std::uint64_t seed_option(const std::string& text);

}  // namespace abut::cli
