#include "run/frame_files.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "run/box_files.hpp"
#include "run/wall_surfaces.hpp"

namespace abut::cli {
namespace {

constexpr const char* frames_folder = "frames";
constexpr const char* bodies_list = "frames.pvd";
constexpr const char* contacts_list = "contacts.pvd";
constexpr const char* walls_list = "walls.pvd";

std::string in_run(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

std::string frame_name(const char* what, std::uint64_t frame, const char* extension) {
  return fmt::format("{}/{}-{:05}.{}", frames_folder, what, frame, extension);
}

template <class Write>
void write_whole(const std::string& path, const Write& write) {
  output_file file(path);
  file.open();
  write(file);
  file.commit();
}

}  // namespace

frame_files::frame_files(std::string folder, const scene& what, const frame_plan& plan, double time_step,
                         std::optional<std::uint64_t> goes_on_at)
    : folder_(std::move(folder)),
      output_(what.output),
      plan_(plan),
      time_step_(time_step),
      settings_(what.settings),
      wall_names_(what.wall_names) {
  if (outlines_change(settings_)) moving_walls_ = outline_space_of(what);
  const std::string inner = in_run(folder_, frames_folder);
  std::error_code problem;
  std::filesystem::create_directory(inner, problem);
  if (problem) throw error(fmt::format("{}: cannot make this folder: {}", inner, problem.message()));
  if (goes_on_at) remove_after(plan_.last_until(*goes_on_at));
}

void frame_files::remove_after(std::uint64_t last) const {
  bool any = false;
  for (const std::string& path : paths(folder_)) {
    const std::string name = std::filesystem::path(path).filename().string();
    const std::size_t at = name.find_first_of("0123456789");
    std::uint64_t frame = 0;
    if (at == std::string::npos) continue;
    std::from_chars(name.data() + at, name.data() + name.size(), frame);
    if (frame <= last) continue;
    std::error_code ignored;
    any = std::filesystem::remove(path, ignored) || any;
  }
  if (!any) return;
  if (output_.frame_vtp) list(bodies_list, "bodies", last);
  if (output_.frame_contacts) list(contacts_list, "contacts", last);
  if (moving_walls_) list(walls_list, "walls", last);
}

std::vector<std::string> frame_files::paths(const std::string& folder) {
  std::vector<std::string> all;
  for (const char* name : {bodies_list, contacts_list, walls_list}) {
    if (std::filesystem::exists(in_run(folder, name))) all.push_back(in_run(folder, name));
  }
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(in_run(folder, frames_folder), none)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name.starts_with("bodies-") || name.starts_with("contacts-") || name.starts_with("walls-");
    if (ours && (name.ends_with(".vtp") || name.ends_with(".dump"))) all.push_back(entry.path().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::string> frame_files::written() const {
  std::vector<std::string> all;
  if (output_.frame_vtp) all.push_back(in_run(folder_, bodies_list));
  if (output_.frame_contacts) all.push_back(in_run(folder_, contacts_list));
  return all.empty() ? std::vector{in_run(folder_, frames_folder)} : all;
}

void frame_files::add(const dem::simulation& now) {
  const std::optional<std::uint64_t> frame = plan_.frame_of(now.steps());
  if (!frame) return;
  try {
    write(now, *frame);
  } catch (const write_error& failed) {
    throw write_error(fmt::format("{}; frame {} of step {} is missing", failed.what(), *frame, now.steps()),
                      failed.problem());
  }
}

void frame_files::write(const dem::simulation& now, std::uint64_t frame) {
  const auto path = [&](const char* what, const char* extension) {
    return in_run(folder_, frame_name(what, frame, extension));
  };
  settings_.periodic = now.periods();
  const std::vector<std::uint32_t> coordination = coordination_of(now.bodies(), settings_);
  if (output_.frame_vtp) {
    write_whole(path("bodies", "vtp"), [&](output_file& file) {
      write_bodies_vtp(file, now.bodies(), coordination, settings_.materials, output_.frame_columns);
    });
    list(bodies_list, "bodies", frame);
  }
  if (output_.frame_contacts) {
    write_whole(path("contacts", "vtp"), [&](output_file& file) { write_contacts_vtp(file, contacts_of(now)); });
    list(contacts_list, "contacts", frame);
  }
  if (output_.frame_dump) {
    write_whole(path("bodies", "dump"),
                [&](output_file& file) { write_dump(file, now, settings_, coordination, output_.frame_columns); });
  }
  if (moving_walls_) {
    wall_lines outlines = outlines_of(now.walls(), *moving_walls_, now.time());
    if (settings_.deform) add_box_edges(outlines.lines, now.periods(), *moving_walls_);
    outlines.belong_to(-1);
    const std::vector<wall_surface> surfaces = surfaces_of(now.walls(), *moving_walls_, now.time());
    write_whole(path("walls", "vtp"),
                [&](output_file& file) { write_walls_vtp(file, outlines, surfaces, wall_names_); });
    list(walls_list, "walls", frame);
  }
}

void frame_files::list(const char* name, const char* files, std::uint64_t last) const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n"
      "  <Collection>\n";
  for (std::uint64_t k = 0; k <= last; ++k) {
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n",
                        static_cast<double>(plan_.step_of(k)) * time_step_, frame_name(files, k, "vtp"));
  }
  text += "  </Collection>\n</VTKFile>\n";
  write_whole(in_run(folder_, name), [&](output_file& file) { file.write(text.data(), text.size()); });
}

}  // namespace abut::cli
