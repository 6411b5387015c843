#include "run/run_files.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "files/blocks.hpp"
#include "files/npy_start.hpp"
#include "run/box_files.hpp"
#include "run/checkpoints.hpp"
#include "run/series_file.hpp"
#include "run/wall_surfaces.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

std::string series_header(int dimension) {
  return std::string("step,time,bodies,contacts,kinetic,elastic,gravity,potential,dissipated,work,") +
         (dimension == 3 ? "momentum_x,momentum_y,momentum_z,overlap" : "momentum_x,momentum_y,overlap");
}

void make_folder(const std::string& folder) {
  if (fs::is_directory(folder)) return;
  std::error_code problem;
  fs::create_directory(folder, problem);
  if (!problem && fs::is_directory(folder)) return;
  const fs::path parent = fs::path(folder).parent_path();
  if (!parent.empty() && !fs::is_directory(parent)) {
    throw error(fmt::format("--out {}: there is no folder {}; make it first", folder, in_quotes(parent.string())));
  }
  throw error(fmt::format("--out {}: cannot make this folder: {}", folder,
                          problem ? problem.message() : std::string("a file has its name")));
}

/// Removes files that a run was writing when it was killed.
void remove_parts(const std::string& folder) {
  std::error_code none;
  for (const fs::path& in : {fs::path(folder), fs::path(folder) / "frames"}) {
    for (const auto& entry : fs::directory_iterator(in, none)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(".abut-") && name.ends_with(".part")) fs::remove(entry.path(), none);
    }
  }
}

/// A number of each body, for the files.
struct state_column {
  const char* name;
  std::function<double(row)> at;
};

/// The columns of state.npy.
std::vector<state_column> columns_of(const dem::state& s, int dimension) {
  const auto axis = [](const std::vector<dem::vec>& of, double dem::vec::*part) {
    return [&of, part](row i) { return of[i].*part; };
  };
  const auto turn = [&s](double dem::quaternion::*part) {
    return [&s, part](row i) { return s.orientation[i].*part; };
  };
  std::vector<state_column> all = {{"x", axis(s.position, &dem::vec::x)}, {"y", axis(s.position, &dem::vec::y)}};
  const bool solid = dimension == 3;
  if (solid) all.push_back({"z", axis(s.position, &dem::vec::z)});
  all.push_back({"r", [&s](row i) { return s.radius[i]; }});
  all.push_back({"vx", axis(s.velocity, &dem::vec::x)});
  all.push_back({"vy", axis(s.velocity, &dem::vec::y)});
  if (solid) {
    all.push_back({"vz", axis(s.velocity, &dem::vec::z)});
    all.push_back({"wx", axis(s.spin, &dem::vec::x)});
    all.push_back({"wy", axis(s.spin, &dem::vec::y)});
  }
  all.push_back({"wz", axis(s.spin, &dem::vec::z)});
  all.push_back({"qw", turn(&dem::quaternion::w)});
  if (solid) {
    all.push_back({"qx", turn(&dem::quaternion::x)});
    all.push_back({"qy", turn(&dem::quaternion::y)});
  }
  all.push_back({"qz", turn(&dem::quaternion::z)});
  all.push_back({"mass", [&s](row i) { return s.mass[i]; }});
  return all;
}

}  // namespace

run_files::run_files(const std::string& folder, const scene& what, bool force, const std::optional<going_on>& goes_on)
    : folder_(folder),
      plan_(what.output),
      settings_(what.settings),
      flow_columns_(what.settings),
      wall_columns_(what),
      wall_names_(what.wall_names),
      space_(outline_space_of(what)) {
  if (goes_on) goes_on_at_ = goes_on->step;
  const auto in_folder = [&](const char* name) { return (fs::path(folder) / name).string(); };
  make_folder(folder);
  lock_.emplace(folder, goes_on ? folder : "--out " + folder);
  series_path_ = in_folder("series.csv");
  npy_path_ = in_folder("state.npy");
  vtp_path_ = in_folder("state.vtp");
  std::vector<std::string> all = {series_path_, npy_path_, vtp_path_, in_folder("walls.vtp")};
  for (const std::string& path : frame_files::paths(folder)) all.push_back(path);
  for (const std::string& path : checkpoint_files::paths(folder)) all.push_back(path);
  for (const std::string& path : all) {
    if (goes_on || !fs::exists(path)) continue;
    if (!force) {
      throw error(fmt::format("--out {}: {} is there already, from another run; name another folder, or add --force",
                              folder, path));
    }
    // What an older run has written, and this one may not, would be taken for this one's.
    std::error_code ignored;
    if (path != series_path_) fs::remove(path, ignored);
  }
  if (goes_on || force) remove_parts(folder);
  if (plan_.npy) npy_ = std::make_unique<output_file>(npy_path_);
  if (plan_.vtp) vtp_ = std::make_unique<output_file>(vtp_path_);
  open_series(series_header(what.settings.dimension) + flow_columns_.header() + wall_columns_.header() +
                  box_header(what.settings) + "\n",
              goes_on, force);
  constexpr double before = -std::numeric_limits<double>::infinity();  // nothing is open
  if (!goes_on || !fs::exists(in_folder("walls.vtp"))) {
    write_walls(what.settings.walls, what.settings.periodic, before);
  }
}

void run_files::open_series(const std::string& header, const std::optional<going_on>& goes_on, bool force) {
  if (goes_on) {
    const auto last = cut_series(series_path_, header, *goes_on, !force);
    if (last) flow_columns_.go_on_after(header, *last);
  }
  const bool there = goes_on && fs::exists(series_path_);
  const int how = there ? O_APPEND : O_TRUNC;
  series_ = ::open(series_path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666);
  if (series_ < 0) throw unwritten(series_path_, errno);
  if (!there) append(header);
}

void run_files::sync_series() {
  if (::fsync(series_) != 0 && errno != EINVAL) throw unwritten(series_path_, errno);  // a pipe cannot
}

run_files::~run_files() {
  if (series_ >= 0) ::close(series_);
}

void run_files::append(const std::string& line) {
  const off_t before = ::lseek(series_, 0, SEEK_END);  // -1 of a pipe
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t count = ::write(series_, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int problem = errno;
      // If even that fails, a run that goes on cuts off what there is of the row.
      if (before >= 0 && ::ftruncate(series_, before) != 0) errno = problem;
      throw unwritten(series_path_, problem);
    }
    done += static_cast<std::size_t>(count);
  }
}

void run_files::add_row(const dem::simulation& now, const dem::measures& m) {
  // Adding 0 makes -0 of a start without contacts 0.
  const std::string along_z = settings_.dimension == 3 ? fmt::format(",{}", m.momentum.z) : "";
  const std::string row =
      fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}{},{}{}{}{}\n", now.steps(), now.time(), now.bodies().size(),
                  m.contacts, m.kinetic, m.elastic, m.gravity, m.elastic + m.gravity, m.dissipated + 0.0, m.work + 0.0,
                  m.momentum.x, m.momentum.y, along_z, m.overlap, flow_columns_.row_of(now, m),
                  wall_columns_.row_of(now), box_row(settings_, now));
  try {
    append(row);
  } catch (const write_error& failed) {
    throw write_error(fmt::format("{}; the row of step {} is missing", failed.what(), now.steps()), failed.problem());
  }
}

void run_files::begin_frames(const scene& what, std::uint64_t steps, double time_step) {
  const frame_plan plan(what.output, what.begun, steps, time_step);
  if (plan.any()) frames_.emplace(folder_, what, plan, time_step, goes_on_at_);
}

void run_files::write_walls(const std::vector<dem::wall>& walls, const periodic_axes& periods, double time) {
  wall_lines all = outlines_of(walls, space_, time);
  if (settings_.deform) add_box_edges(all.lines, periods, space_);
  all.belong_to(-1);
  const fs::path path = fs::path(folder_) / "walls.vtp";
  if (all.lines.empty() && !fs::exists(path)) return;
  output_file file(path.string());
  file.open();
  write_walls_vtp(file, all, surfaces_of(walls, space_, time), wall_names_);
  file.commit();
}

std::uint64_t run_files::next_frame_after(std::uint64_t step) const {
  return frames_ ? frames_->next_after(step) : std::numeric_limits<std::uint64_t>::max();
}

void run_files::add_frame(const dem::simulation& now) {
  if (frames_) frames_->add(now);
}

std::vector<std::string> run_files::written() const {
  std::vector<std::string> all = {series_path_};
  if (frames_) {
    for (const std::string& path : frames_->written()) all.push_back(path);
  }
  all.insert(all.end(), written_.begin(), written_.end());
  return all;
}

void run_files::write_state(const dem::state& bodies, const dem::settings& settings) {
  const std::vector<row> order = rows_by_id(bodies);
  if (npy_) write_npy(bodies, order, settings.dimension);
  if (vtp_) write_vtp(bodies, settings);
}

void run_files::write_npy(const dem::state& bodies, const std::vector<row>& order, int dimension) {
  const std::vector<state_column> columns = columns_of(bodies, dimension);
  std::string fields;
  for (const state_column& c : columns) fields += fmt::format("('{}', {}), ", c.name, npy_type("f8"));
  fields += fmt::format("('material', {0}), ('id', {0})", npy_type("i8"));
  const std::vector<std::int64_t> clump = clumps_of(bodies);
  if (!clump.empty()) fields += fmt::format(", ('clump', {})", npy_type("i8"));
  const std::string start = npy_start_of("[" + fields + "]", fmt::format("({},)", bodies.size()));
  npy_->open();
  npy_->write(start.data(), start.size());
  write_blocks(*npy_, order.size(), 1, [&](std::size_t from, std::size_t to, std::string& out) {
    for (std::size_t k = from; k < to; ++k) {
      for (const state_column& c : columns) append_bytes(out, c.at(order[k]));
      append_bytes(out, static_cast<std::int64_t>(bodies.material[order[k]]));
      append_bytes(out, static_cast<std::int64_t>(bodies.id[order[k]]));
      if (!clump.empty()) append_bytes(out, clump[order[k]]);
    }
  });
  npy_->commit();
  written_.push_back(npy_path_);
}

void run_files::write_vtp(const dem::state& bodies, const dem::settings& settings) {
  vtp_->open();
  write_bodies_vtp(*vtp_, bodies, coordination_of(bodies, settings), settings.materials,
                   {.torque = true, .orientation = true});
  vtp_->commit();
  written_.push_back(vtp_path_);
}

}  // namespace abut::cli
