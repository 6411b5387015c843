#include "verb.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <abut/error.hpp>

#include "screen/words.hpp"

// The only file that includes CLI11, whose headers take seconds to compile.
namespace abut::cli {
namespace {

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
  if (verb.get_parent() != nullptr || verb_names(app).empty())
    return fmt::format("one argument too many: {}; see {}", in_quotes(extra), help_of(verb));
  const std::string near = nearest(extra, verb_names(app));
  if (!near.empty()) return fmt::format("unknown verb {}, did you mean {}?", in_quotes(extra), near);
  return fmt::format("unknown verb {}; the verbs are {}", in_quotes(extra), joined(verb_names(app)));
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

/// Refuses empty values, as from --pairs "$OUT" if OUT is not set.
void refuse_empty(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& value : option->results()) {
      if (value.empty()) throw error(fmt::format("{} is empty; give it a value or leave it out", option->get_name()));
    }
  }
}

}  // namespace

verb verb::add_verb(const std::string& name, const std::string& summary) {
  app_->require_subcommand(0, 1);  // so that what follows a verb may have the name of another: abut render run
  return verb(*app_->add_subcommand(name, summary));
}

void verb::add_option(const std::string& name, std::string& to, const std::string& value, const std::string& summary) {
  app_->add_option(name, to, summary)->type_name(value);
}

void verb::add_option(const std::string& name, std::vector<std::string>& to, const std::string& value,
                      const std::string& summary) {
  app_->add_option(name, to, summary)->type_name(value)->expected(1)->take_all();
}

void verb::add_flag(const std::string& name, bool& to, const std::string& summary) {
  app_->add_flag(name, to, summary)->disable_flag_override();
}

void verb::set_footer(const std::string& text) { app_->footer(text); }

void verb::set_action(std::function<void()> action) {
  app_->callback([app = app_, action = std::move(action)] {
    // CLI11 calls back for `bench` after it has done so for `bench planner`.
    if (!app->get_subcommands().empty()) return;
    refuse_empty(*app);
    action();
  });
}

std::vector<std::string> verb::given() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    if (option->count() > 0) names.push_back(option->get_name());
  }
  return names;
}

program::program(const std::string& name, const std::string& version, const std::string& summary,
                 const std::string& footer)
    : app_(std::make_unique<CLI::App>(summary, name)) {
  app_->set_version_flag("--version", version, "Print the version and exit");
  app_->set_help_flag("-h,--help", "Print this help and exit");
  app_->get_formatter()->column_width(24);
  app_->get_formatter()->label("SUBCOMMAND", "VERB");
  app_->footer(footer);
}

program::~program() = default;
program::program(program&&) noexcept = default;

verb program::add_verb(const std::string& name, const std::string& summary) {
  return verb(*app_).add_verb(name, summary);
}

verb program::itself() { return verb(*app_); }

std::string program::run(int argc, const char* const* argv) {
  // Only now: a verb inside a verb would inherit the group.
  for (CLI::App* verb : app_->get_subcommands([](CLI::App*) { return true; })) verb->group("Verbs");
  try {
    app_->parse(argc, argv);
    return !verb_names(*app_).empty() && app_->get_subcommands().empty() ? app_->help() : "";
  } catch (const CLI::CallForVersion& asked) {
    return fmt::format("{} {}\n", app_->get_name(), asked.what());
  } catch (const CLI::CallForHelp&) {
    const CLI::App& verb = active(*app_);
    return verb.help(verb.get_parent() == nullptr ? "" : full_name(*verb.get_parent()));
  } catch (const CLI::ParseError& problem) {
    throw error(explain(problem, *app_));
  }
}

}  // namespace abut::cli
