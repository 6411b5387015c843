#include "command_line.hpp"

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <abut/error.hpp>
#include <abut/version.hpp>

#include "screen/interrupts.hpp"
#include "screen/standard_streams.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr const char* examples = R"(Examples:
  abut find --demo                      the contacts of 100,000 generated spheres
  abut find grains.csv                  the contacts of your own bodies
  abut find grains.npy --pairs out.npy  the same, with the pairs in a file
  abut plan grains.npy                  which method suits them, and why
  abut bench grains.npy                 the methods, compared on them
  abut methods                          the methods to choose from
  abut generate packing --count 20000 --fraction 0.35 --out packing.npy
  abut find packing.npy --scale 1.1     the contacts of a packing, grown by a tenth

Exit codes: 0 for success; 2 if the command or a file is wrong (one line on
stderr says what and where); 1 for a failure of abut itself; 130 after Ctrl-C.)";

int fail(std::string_view message, int code) {
  print_err(message);
  return code;
}

/// The verb that the arguments name, or the program if they name none.
const CLI::App& active(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? app : active(*verbs.front());
}

/// "abut bench planner"
std::string full_name(const CLI::App& verb) {
  return verb.get_parent() == nullptr ? verb.get_name() : full_name(*verb.get_parent()) + " " + verb.get_name();
}

std::string help_of(const CLI::App& verb) { return full_name(verb) + " --help"; }

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

/// Explains the arguments left over: a misspelled option, a misspelled verb, or one argument too many.
std::string explain_extras(const CLI::App& app) {
  const CLI::App& verb = active(app);
  const std::vector<std::string> extras = verb.remaining();
  for (const std::string& extra : extras) {
    if (extra.size() < 2 || extra[0] != '-') continue;
    const std::string name = extra.substr(0, extra.find('='));
    const std::string near = nearest(name, option_names(verb));
    if (near.empty()) return fmt::format("unknown option {}; see {}", name, help_of(verb));
    return fmt::format("unknown option {}, did you mean {}?", name, near);
  }
  const std::string extra = extras.empty() ? "" : extras.front();
  if (verb.get_parent() != nullptr)
    return fmt::format("one argument too many: {}; see {}", in_quotes(extra), help_of(verb));
  const std::string near = nearest(extra, verb_names(app));
  if (!near.empty()) return fmt::format("unknown verb {}, did you mean {}?", in_quotes(extra), near);
  return fmt::format("unknown verb {}; the verbs are {}", in_quotes(extra), fmt::join(verb_names(app), ", "));
}

std::string explain(const CLI::ParseError& problem, const CLI::App& app) {
  const CLI::App& verb = active(app);
  if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr) return explain_extras(app);
  const std::string said = problem.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem) != nullptr) {
    // CLI11 says "--scale: 1 required TEXT missing", "--scale: At Most 1 required but received 2" and, without the
    // dashes, "json was given a disallowed flag override".
    std::string name = said.substr(0, said.find_first_of(": "));
    if (name[0] != '-') name = "--" + name;
    if (said.find("missing") != std::string::npos) return fmt::format("{} needs a value; see {}", name, help_of(verb));
    if (said.find("At Most") != std::string::npos) return fmt::format("{} is given twice; give it once", name);
    if (said.find("flag override") != std::string::npos) return fmt::format("{} takes no value", name);
  }
  return fmt::format("{}; see {}", said, help_of(verb));
}

int parse_and_run(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) print_out(app.help());
  } catch (const CLI::CallForVersion&) {
    print_out(fmt::format("abut {}\n", ABUT_VERSION));
  } catch (const CLI::CallForHelp&) {
    const CLI::App& verb = active(app);
    print_out(verb.help(verb.get_parent() == nullptr ? "" : full_name(*verb.get_parent())));
  } catch (const CLI::ParseError& problem) {
    return fail(explain(problem, app), 2);
  }
  // Fails if help or results could not be written, for example to a full disk.
  flush_out();
  return 0;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, std::initializer_list<void (*)(CLI::App&)> verbs) {
  try {
    occupy_standard_streams();
    catch_interrupts();
    CLI::App app("abut finds every pair of touching bodies among millions.", "abut");
    app.set_version_flag("--version", ABUT_VERSION, "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.get_formatter()->column_width(24);
    app.get_formatter()->label("SUBCOMMAND", "VERB");
    app.footer(examples);
    for (const auto add : verbs) add(app);
    for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) verb->group("Verbs");
    return parse_and_run(app, argc, argv);
  } catch (const error& problem) {
    return fail(problem.what(), 2);
  } catch (const std::bad_alloc&) {
    return fail("abut: out of memory", 1);
  } catch (const std::exception& problem) {
    return fail(fmt::format("abut: internal error: {}", problem.what()), 1);
  }
}

}  // namespace abut::cli
