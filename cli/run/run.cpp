#include "run/run.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "files/file_bytes.hpp"
#include "run/checkpoints.hpp"
#include "screen/interrupts.hpp"
#include "screen/progress.hpp"
#include "screen/standard_streams.hpp"
#include "screen/words.hpp"
#include "search_options.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* run_help = R"(A scene is a file in TOML that says what to simulate: bodies, materials, a contact
law, gravity, walls, for how long. docs/scenes.md describes every key. A name
without a path and without .toml is a scene that comes with abut: see --list.

--set changes a key of the scene: its path, with numbers for elements of arrays,
and a value as in TOML. The result has the same bits for every method and every
number of threads.

Files in DIR: series.csv (energies, momentum, contacts, forces on named walls over
time), state.npy and state.vtp (the final state; .npy for Python and abut find,
.vtp for ParaView). If a run ends early, by an error or Ctrl-C, they hold the
last good state. With the key output.frames there are frames, for ParaView, OVITO
and abut render. checkpoint.abut has all that it takes to go on: --resume DIR
ends with the files of a run that was never stopped, to the last bit.

Examples:
  abut run settling-bed
  abut run settling-bed --out bed --set output.frames=20
  abut run --resume bed
  abut run --resume bed --time 0.9
  abut run settling-bed --check
  abut run settling-bed --set bodies.0.diameter=0.02 --set interaction.friction=0
  abut run discs --set 'bodies.0.sizes="uniform"' --steps 500 --method hashing
  abut run settling-bed --print > mine.toml
  abut run mine.toml --set 'gravity=[0, 0, -1.62]' --threads 1 --out moon)";

const shipped_scene* shipped(const std::string& name) {
  const auto& all = shipped_scenes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const shipped_scene& s) { return s.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// The text of the scene that the user names.
std::string text_of(const std::string& name) {
  if (const shipped_scene* own = shipped(name)) return own->text;
  const bool path = name.find('/') != std::string::npos || std::filesystem::path(name).extension() == ".toml" ||
                    std::filesystem::exists(name);
  if (path) {
    constexpr auto quietly = [](std::string_view, double) {};
    return std::string(read_file(name, quietly, "abut run settling-bed --print prints a scene to start from").text());
  }
  std::vector<std::string> names;
  for (const shipped_scene& s : shipped_scenes()) names.push_back(s.name);
  const std::string near = nearest(name, names);
  throw error(fmt::format("unknown scene {}{}", in_quotes(name),
                          near.empty() ? fmt::format("; name a .toml file or one of {}", joined(names))
                                       : fmt::format(", did you mean {}?", near)));
}

void list_scenes() {
  for (const shipped_scene& s : shipped_scenes()) {
    const value root = parse_toml(s.name, s.text);
    const value* const title = root.find("title");
    print_out(fmt::format("{:<20}{}\n", s.name, title == nullptr ? "" : title->text));
  }
}

/// Bodies as they are now, for reports and drawings.
std::vector<dem::body> bodies_of(const dem::state& s) {
  std::vector<dem::body> all(s.size());
  for (row i = 0; i < s.size(); ++i) {
    dem::body& b = all[i];
    b.position = s.position[i];
    b.velocity = s.velocity[i];
    b.radius = s.radius[i];
    b.material = s.material[i];
    b.moves = s.moves[i];
    if (!s.clump.empty() && s.clump[i] != dem::no_clump) b.clump = s.clump[i];
  }
  return all;
}

/// What goes on with this run later. All else is in its checkpoint.
std::string resume_command(const run_arguments& given, const std::string& folder) {
  std::string command = "abut run --resume " + shell_word(folder);
  if (!given.threads.empty()) command += " --threads " + given.threads;
  if (!given.method.empty()) command += " --method " + shell_word(given.method);
  return command + (given.strict ? " --strict" : "");
}

/// Takes the number of steps, whatever the scene says.
void take_steps(scene& what, const std::string& steps) {
  what.steps = whole_option("--steps", steps, 0, 1'000'000'000'000'000);
  what.time.reset();
  std::erase_if(what.root.inside, [](const value& v) { return v.key == "time"; });
  assign(what.root, fmt::format("steps={}", *what.steps));
}

/// Warns of a scene that simulates nothing. `--steps 0` asks for that without a warning.
void look_for_no_time(scene& what) {
  for (const char* key : {"time", "steps"}) {
    const value* const length = what.root.find(key);
    if (length == nullptr || length->real != 0) continue;
    what.warnings.push_back(
        fmt::format("{}: {} is 0, so nothing is simulated, and files show the start (--steps 0 asks for that)",
                    length->place, key));
  }
}

/// Takes the time, whatever the scene says.
void take_time(scene& what, const std::string& time) {
  what.time = number_option("--time", time, "at least 0", [](double t) { return t >= 0; });
  what.steps.reset();
  std::erase_if(what.root.inside, [](const value& v) { return v.key == "steps"; });
  assign(what.root, fmt::format("time={}", *what.time));
}

void check_options(const run_arguments& given) {
  if (!given.steps.empty() && !given.time.empty()) throw error("--steps and --time exclude each other");
  if (given.resume.empty()) return;
  if (!given.from.empty()) throw error("--resume and --from exclude each other");
  const auto folder_of = [](const std::filesystem::path& run) {
    if (std::filesystem::is_directory(run)) return run;
    return run.has_parent_path() ? run.parent_path() : std::filesystem::path(".");
  };
  std::error_code none;
  if (given.out.empty() || std::filesystem::equivalent(folder_of(given.resume), given.out, none)) return;
  throw error(fmt::format("--out {}: with --resume a run goes on in its own folder, {}; --from starts another one",
                          given.out, folder_of(given.resume).string()));
}

void start_from(const checkpoint_found& at, const run_arguments& given, run_request& request) {
  request.resumed = !given.resume.empty();
  request.folder = request.resumed ? at.folder : given.out;
  if (request.resumed) check_same_scene(request.what, at);
  if (request.what.name.empty()) request.what.name = at.name;
  const dem::resume how = request.resumed ? dem::resume::as_before : dem::resume::changed;
  request.started =
      std::make_shared<dem::simulation>(go_on(settings_of(request.what, !request.folder.empty()), at, how));
  request.what.begun = request.resumed ? at.begun : request.started->steps();
  const std::uint64_t done = request.started->steps();
  const std::uint64_t wanted = steps_of(request.what, request.started->time_step());
  if (wanted < done) {
    throw error(
        fmt::format("{}: {} were made already, and the scene asks for {}; steps and time count from the start "
                    "of the first run",
                    at.path, counted(done, "step"), with_commas(wanted)));
  }
  if (request.resumed) go_on_with_frames(request.what, at, done, request.started->time_step());
  if (request.resumed) request.goes_on = going_on{done, at.begun, row_steps_of(at.scene)};
  if (!request.resumed || request.what.bodies.empty()) request.what.bodies = bodies_of(request.started->bodies());
}

run_request understand_run(const run_arguments& given) {
  check_options(given);
  const std::string& start_at = given.resume.empty() ? given.from : given.resume;
  if (given.scene.empty() && given.resume.empty())
    throw error("no scene; name a .toml file or one of abut run --list, such as settling-bed");
  run_request request{.name = given.scene, .force = given.force, .strict = given.strict};
  const bool own = shipped(given.scene) != nullptr;
  progress_line progress;
  std::optional<checkpoint_found> at;
  if (!start_at.empty()) at = find_checkpoint(start_at, [&](const std::string& line) { progress.say(line); });
  if (given.scene.empty()) request.name = at->path;
  request.what = read_scene({.name = request.name,
                             .folder = own ? std::string() : std::filesystem::path(given.scene).parent_path().string(),
                             .overrides = given.overrides,
                             .without_bodies = at.has_value(),
                             .progress =
                                 [&](const std::string& what, double part) {
                                   progress.stage(what);
                                   progress.done(part);
                                 }},
                            given.scene.empty() ? to_toml(at->scene) : text_of(given.scene));
  for (const std::string& note : request.what.notes) progress.say(note);
  scene& what = request.what;
  what.name = std::filesystem::path(given.scene).filename().string();
  if (given.scene.empty() && !at->name.empty()) request.name = at->name;
  if (!given.steps.empty()) take_steps(what, given.steps);
  if (!given.time.empty()) take_time(what, given.time);
  if (given.steps.empty() && given.time.empty() && !at) look_for_no_time(what);
  if (!given.threads.empty()) {
    what.settings.threads = static_cast<int>(whole_option("--threads", given.threads, 1, most_threads));
  }
  if (!given.method.empty()) what.settings.method = plan(given.method).text();
  if (at) start_from(*at, given, request);
  return request;
}

void run_run(const run_arguments& given) {
  if (given.list) return list_scenes();
  if (given.print) return print_out(text_of(given.scene));
  run_request request = understand_run(given);
  if (given.check) return print_out(check_in_words(request));
  if (request.folder.empty()) request.folder = given.out;
  request.resume_command = resume_command(given, request.folder);
  int signal = 0;
  const run_result result = simulate(request, signal);
  print_out(in_words(request, result));
  if (signal == 0) return;
  flush_out();
  throw ended_by_interrupt{signal};
}

}  // namespace

void add_run(program& to) {
  const auto given = std::make_shared<run_arguments>();
  verb run = to.add_verb("run", "Simulate a scene: bodies moved by their contacts");
  run.add_option("SCENE", given->scene, "", "The scene: a .toml file, or the name of one of --list");
  run.add_option("--set", given->overrides, "KEY=VALUE", "Change a key of the scene; may be repeated");
  run.add_option("--steps", given->steps, "N", "How many steps, whatever the scene says");
  run.add_option("--time", given->time, "T", "How long to simulate, whatever the scene says");
  run.add_option("--threads", given->threads, "N", "How many threads to use; results do not depend on it");
  run.add_option("--method", given->method, "PLAN",
                 "How pairs are found (see abut methods); results do not depend on it");
  run.add_option("--out", given->out, "DIR", "Write series.csv, state.npy, state.vtp and frames to this folder");
  run.add_option("--resume", given->resume, "DIR", "Go on with the run in this folder, from its last checkpoint");
  run.add_option("--from", given->from, "DIR",
                 "Start from the last checkpoint of another run; bodies come from there, all else from SCENE");
  run.add_flag("--force", given->force, "Replace the files of another run in DIR");
  run.add_flag("--check", given->check, "Say what would run, for how long, with how much memory");
  run.add_flag("--strict", given->strict, "Take warnings for errors");
  run.add_flag("--list", given->list, "List the scenes that come with abut");
  run.add_flag("--print", given->print, "Print the scene's text, to start your own from");
  run.set_footer(run_help);
  run.set_action([given] { run_run(*given); });
}

}  // namespace abut::cli
