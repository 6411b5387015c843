#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace abut::cli {

/// A verb of the program, such as `find`: its options and what it does. A handle: copies stand for the same verb, and
/// all are valid as long as the program. Help lists options in the order in which they were added.
class verb {
 public:
  /// Adds a verb that follows this one, as in `bench planner`.
  [[nodiscard]] verb add_verb(const std::string& name, const std::string& summary);

  /// Adds an option, such as `--scale S`. Help calls its value `value`. A name without dashes is an argument that is
  /// given without its name, such as `BODIES`.
  void add_option(const std::string& name, std::string& to, const std::string& value, const std::string& summary);
  /// Adds an option that may be repeated.
  void add_option(const std::string& name, std::vector<std::string>& to, const std::string& value,
                  const std::string& summary);
  /// Adds an option that takes no value.
  void add_flag(const std::string& name, bool& to, const std::string& summary);

  /// Sets the text below the options in the help.
  void set_footer(const std::string& text);
  /// Sets what the verb does, if no verb follows it. No option's value is empty then.
  void set_action(std::function<void()> action);

  /// The names of the options that the arguments give, in the order in which they were added.
  [[nodiscard]] std::vector<std::string> given() const;

 private:
  friend class program;
  explicit verb(CLI::App& app) : app_(&app) {}
  CLI::App* app_;
};

/// The program: its verbs, and the parsing of its arguments.
class program {
 public:
  program(const std::string& name, const std::string& version, const std::string& summary, const std::string& footer);
  ~program();
  program(program&&) noexcept;

  [[nodiscard]] verb add_verb(const std::string& name, const std::string& summary);
  /// The program itself, for one that has no verbs: its options and what it does.
  [[nodiscard]] verb itself();

  /// Runs the verb that the arguments name. Returns the help or the version if they ask for it, the help if they name
  /// none of its verbs, and otherwise nothing. Throws `error` if they are wrong, and what the verb's action throws.
  [[nodiscard]] std::string run(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace abut::cli
