#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "scene/value.hpp"

namespace abut::cli {

/// The most frames that a run may have after the first.
constexpr std::uint64_t most_frames = 100'000;

/// What files of bodies have if it is asked for.
struct further_columns {
  bool torque = false, orientation = false;
};

/// What is written of a simulation.
struct output_plan {
  std::uint64_t every = 100;             ///< steps between two rows of the series
  bool npy = true, vtp = true;           ///< how the final state is written
  std::uint64_t frames = 0;              ///< how many frames are written after the start; 0 for none, not even that
  std::optional<double> frames_every{};  ///< or the time from one frame to the next
  std::uint64_t frames_over = 0;  ///< the steps that `frames` are for; 0 for all, and others if a run is made longer
  std::optional<std::uint64_t> checkpoints{};  ///< how many are written; 0 for none, not even at the end
  bool frame_vtp = true, frame_contacts = false, frame_dump = false;  ///< how they are written
  further_columns frame_columns{};
};

/// Bodies or walls that come from one table of the scene.
struct table_source {
  std::size_t first = 0;  ///< the id of the first body, or the number of the first wall
  std::string place{};    ///< of the table
  std::string path{};     ///< "bodies.0"
  std::string name{};     ///< for drives; may be empty
};

/// A simulation as a scene describes it.
struct scene {
  std::string name{};  ///< of its file without the folder, or of one that comes with abut
  std::string title{};
  std::string law{};
  dem::settings settings{};
  std::vector<dem::body> bodies{};
  std::vector<table_source> sources{};       ///< of bodies, by ascending first
  std::vector<table_source> wall_sources{};  ///< of walls, by ascending first
  std::vector<std::string> wall_names{};     ///< of each wall, for drives; may be empty
  std::optional<double> time{};              ///< to simulate
  std::optional<std::uint64_t> steps{};
  std::uint64_t begun = 0;  ///< the step at which the run began: that of the checkpoint, if it started from one
  output_plan output{};
  std::vector<std::string> notes{};     ///< what was left out, for the user to know
  std::vector<std::string> warnings{};  ///< what is likely a mistake
  value root{};                         ///< all keys, with what --set has changed; files by their paths from here
};

/// Called with what is being made or read, and the part that is done.
using scene_progress = std::function<void(const std::string& what, double part)>;

/// What the reading of a scene needs.
struct scene_request {
  std::string name{};                    ///< for places: the path of the file
  std::string folder{};                  ///< in which the scene's files are looked for; "" for the current one
  std::vector<std::string> overrides{};  ///< the values of --set
  bool without_bodies = false;           ///< there may be no bodies: they come from a checkpoint
  scene_progress progress{};
};

/// Reads a scene: a TOML text. Throws `error` with the place of what is wrong.
[[nodiscard]] scene read_scene(const scene_request& request, std::string_view text);

/// Starts the simulation. An error about a body, a wall, a period or another part names the table that it comes from.
[[nodiscard]] dem::simulation start(const scene& what);

/// "bed.toml:12:1: bodies.0: " for a body or a wall; empty if neither is known.
[[nodiscard]] std::string table_of(const scene& what, std::optional<std::uint32_t> body,
                                   std::optional<std::size_t> wall);
/// The same for an error of the simulation, by its body or by the part that its message begins with, such as "pour 0".
[[nodiscard]] std::string table_of(const scene& what, const error& problem);

/// What is surely or likely a mistake, as a line each, with the places. Throws `error` for what is sure.
[[nodiscard]] std::vector<std::string> warnings_about(const scene& what, const dem::simulation& at_start);

// ---- parts of a scene, by their tables

/// The materials and how they meet. Throws `error` if there is no material.
[[nodiscard]] dem::material_table read_materials(const value& root);
/// The number of the material that `key` names; 0 if the key is not given.
[[nodiscard]] unsigned material_in(const value& table, const dem::material_table& all);
/// Adds the walls of all tables. The bodies must be there.
void add_walls(scene& to, const value& root, const scene_request& request);
/// Adds the bodies of all tables.
void add_bodies(scene& to, const value& root, const scene_request& request);
/// Adds the drives of all tables. The bodies and walls must be there.
void add_drives(scene& to, const value& root);
/// Reads how the periods change. They must be there.
void add_deformation(scene& to, const value& root);
/// Adds the pours and removals of all tables. The materials must be there.
void add_flow(scene& to, const value& root);
/// Adds a warning for each number that the scene gives and the law does not use.
void add_unused(scene& to, const value& root);

// ---- the scenes that come with the program

/// A scene, or a mesh of one, that is part of the program.
struct shipped_scene {
  std::string name;
  std::string text;
};
[[nodiscard]] const std::vector<shipped_scene>& shipped_scenes();
/// STL files. A scene that names one gets it, if there is no such file in its folder.
[[nodiscard]] const std::vector<shipped_scene>& shipped_meshes();

}  // namespace abut::cli
