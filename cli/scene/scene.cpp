#include "scene/scene.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "scene/keys.hpp"
#include "scene/read.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

void read_periods(dem::settings& s, const value& root) {
  const value* const table = root.find("periodic");
  if (table == nullptr) return;
  for (const value& axis : table->inside) {
    const auto k = static_cast<std::size_t>(axis.key[0] - 'x');
    if (k >= static_cast<std::size_t>(s.dimension)) refuse(axis, "repeats along z, and the scene is 2D");
    if (axis.inside.size() != 2 || !(axis.inside[0].real < axis.inside[1].real)) {
      refuse(axis, fmt::format("is {}; it must be [min, max] with min < max", axis.in_words()));
    }
    s.periodic[k] = interval{axis.inside[0].real, axis.inside[1].real};
  }
}

void read_cycle(dem::settings& s, const value& root) {
  s.moved_by = static_cast<dem::integrator>(word_in(root, "integrator", {"verlet", "predictor-corrector"}, 0));
  s.searching = static_cast<dem::search_when>(word_in(root, "search", {"needed", "each-step"}, 0));
  s.sort_every = whole_in(root, "sort_every", 1).value_or(s.sort_every);
  s.method = text_in(root, "method").value_or(s.method);
  if (const value* const method = root.find("method")) with_place(*method, [&] { plan{method->text}; });
  s.skin = number_in(root, "skin", "at least 0", [](double v) { return v >= 0; });
  s.time_step = number_in(root, "time_step", "above 0", [](double v) { return v > 0; });
  if (const value* const half = root.find("half_step_velocities")) s.half_step_velocities = half->flag;
}

void read_law(scene& to, const value& root) {
  std::vector<std::string> names;
  for (const dem::law_info& known : dem::laws()) names.emplace_back(known.name);
  const value* const law = root.find("law");
  if (law == nullptr) throw error(fmt::format("{}: the scene has no law; the laws are {}", root.place, joined(names)));
  if (std::find(names.begin(), names.end(), law->text) == names.end()) refuse_word(*law, names);
  to.law = law->text;
  to.settings.contact_law = with_place(*law, [&] { return dem::named_law(to.law, to.settings.materials); });
}

/// Sets the flags of the words that the key has, and clears the others. Does nothing if the key is not given.
void read_choice(const value& table, std::string_view key, const std::vector<std::string>& words,
                 const std::vector<bool*>& flags) {
  const value* const chosen = table.find(key);
  if (chosen == nullptr) return;
  for (bool* const flag : flags) *flag = false;
  for (const value& one : chosen->inside) {
    const auto found = std::find(words.begin(), words.end(), one.text);
    if (found == words.end()) refuse_word(one, words);
    *flags[static_cast<std::size_t>(found - words.begin())] = true;
  }
}

void read_output(scene& to, const value& root) {
  const value* const table = root.find("output");
  if (table == nullptr) return;
  output_plan& plan = to.output;
  plan.every = whole_in(*table, "every", 1).value_or(plan.every);
  plan.frames = whole_in(*table, "frames", 0, most_frames).value_or(plan.frames);
  plan.frames_every = number_in(*table, "frames_every", "above 0", [](double t) { return t > 0; });
  if (plan.frames_every && table->find("frames") != nullptr) {
    refuse(*table->find("frames_every"), "and output.frames are both given; give one");
  }
  plan.checkpoints = whole_in(*table, "checkpoints");
  read_choice(*table, "states", {"npy", "vtp"}, {&plan.npy, &plan.vtp});
  read_choice(*table, "frame_files", {"vtp", "contacts", "dump"},
              {&plan.frame_vtp, &plan.frame_contacts, &plan.frame_dump});
  read_choice(*table, "frame_columns", {"torque", "orientation"},
              {&plan.frame_columns.torque, &plan.frame_columns.orientation});
}

void read_length(scene& to, const value& root) {
  to.time = number_in(root, "time", "at least 0", [](double t) { return t >= 0; });
  to.steps = whole_in(root, "steps");
  if (to.time && to.steps) refuse(*root.find("steps"), "and time are both given; give one (--steps wins over both)");
  if (!to.time && !to.steps) refuse_missing(root, "time and no steps", "time = 1.0");
}

/// Makes paths of files, which are from the scene's folder, paths from the current one.
void find_files(value& root, const std::string& folder) {
  if (folder.empty()) return;
  for (value& one : root.inside) {
    if (one.key != "wall" && one.key != "bodies") continue;
    for (value& table : one.inside) {
      for (value& v : table.inside) {
        if (v.key == "file") v.text = (std::filesystem::path(folder) / v.text).string();
      }
    }
  }
}

}  // namespace

scene read_scene(const scene_request& request, std::string_view text) {
  value root = parse_toml(request.name, text);
  for (const std::string& assignment : request.overrides) assign(root, assignment);
  root.place = request.name;
  check_keys(root);
  scene to;
  to.title = text_in(root, "title").value_or("");
  to.settings.dimension = static_cast<int>(whole_in(root, "dimension", 2, 3).value_or(3));
  to.settings.gravity = vector_in(root, "gravity", to.settings.dimension).value_or(dem::vec{});
  read_length(to, root);
  read_cycle(to.settings, root);
  read_periods(to.settings, root);
  add_deformation(to, root);
  read_output(to, root);
  to.settings.materials = read_materials(root);
  read_law(to, root);
  add_unused(to, root);
  add_bodies(to, root, request);
  add_walls(to, root, request);
  add_drives(to, root);
  add_flow(to, root);
  find_files(root, request.folder);
  to.root = std::move(root);
  return to;
}

dem::simulation start(const scene& what) {
  try {
    return {what.settings, what.bodies};
  } catch (const error& problem) {
    throw error(table_of(what, problem) + problem.what());
  }
}

}  // namespace abut::cli
