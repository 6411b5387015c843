#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <abut/abut.hpp>

#include "files/bodies_file.hpp"
#include "screen/progress.hpp"

/// What the verbs that search ask for in common: which bodies, and what counts as touching.
namespace abut::cli {

/// The options as they stand on the command line.
struct search_arguments {
  std::string bodies{};
  bool demo = false;
  std::string columns{}, radius{}, scale{}, margin{}, threads{}, periodic{}, domain{};

  /// The name of the bodies in messages and reports.
  [[nodiscard]] std::string source() const { return demo ? "demo" : bodies; }
};

/// The options, understood. What depends on the bodies (the axes they have) is checked later.
struct search_request {
  columns_request columns{};
  std::optional<double> scale{};
  double margin = 0;
  int threads = 0;
  std::optional<std::array<bool, 3>> periodic{};  ///< nothing: as the file says
  std::vector<interval> domain{};                 ///< empty: not given
};

/// BODIES and --demo; and the others, which a verb may want after its own.
void add_bodies_options(CLI::App& verb, search_arguments& given);
void add_search_options(CLI::App& verb, search_arguments& given);

/// Throws `error` for an option that is given and empty, as from --pairs "$OUT" where OUT is not set.
void refuse_empty(const CLI::App& verb);

/// Throws `error` for the first option that makes no sense.
[[nodiscard]] search_request understand_search(const search_arguments& given);

/// The bodies that are asked for, their radii scaled, with a note of what was understood. Warns on stderr of what looks
/// wrong. Throws `error` with the place.
[[nodiscard]] bodies_file obtain(const search_arguments& given, const search_request& request, progress_line& progress);

/// What the search is to keep to for these bodies. Throws `error` where an axis or a stretch is missing.
[[nodiscard]] options options_for(const search_request& request, const bodies_file& file, const std::string& name);

/// Does what looks at the bodies of `file`. The library knows the row of a body that cannot be; the user knows the line
/// of a file, so the error says that.
[[noreturn]] void refuse_in_place(const error& problem, const bodies_file& file, const search_arguments& given);
template <class F>
auto in_place(const bodies_file& file, const search_arguments& given, F&& f) {
  try {
    return f();
  } catch (const error& problem) {
    refuse_in_place(problem, file, given);
  }
}

/// Updates the search with `now`, the bodies of `file`.
void update_in_place(search& search, const bodies& now, const bodies_file& file, const search_arguments& given);

/// A finite number that fits; `range` says in words which do.
[[nodiscard]] double number_option(std::string_view name, const std::string& text, std::string_view range,
                                   bool (*fits)(double));
[[nodiscard]] std::uint64_t whole_option(std::string_view name, const std::string& text, std::uint64_t least,
                                         std::uint64_t most);

}  // namespace abut::cli
