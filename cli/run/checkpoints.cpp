#include "run/checkpoints.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <ostream>
#include <streambuf>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "files/output_file.hpp"
#include "run/frame_plan.hpp"
#include "run/run.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* newest_name = "checkpoint.abut";
constexpr const char* previous_name = "checkpoint.previous.abut";
constexpr std::uint64_t usual_count = 20;
constexpr std::chrono::seconds shortest_wait{1};
constexpr std::chrono::minutes longest_wait{10};

/// Keys that never change results: a checkpoint does not have them, so that equal runs give equal files.
constexpr std::array free_keys = {"method", "skin", "search"};
/// Keys that may change when a run goes on.
constexpr std::array changeable_keys = {"title", "time", "steps", "output"};

/// In a checkpoint only: the step at which the run began, if it started from another one's checkpoint.
constexpr const char* begun_key = "begun";
/// In a checkpoint only: the name of the scene.
constexpr const char* name_key = "scene_name";
/// In a checkpoint only: the steps that `output.frames` are for, if the run was made longer.
constexpr const char* over_key = "frames_over";
constexpr std::array keys_of_checkpoints = {begun_key, name_key, over_key};

/// Counts what is written, and passes it on to a file if there is one.
class file_buffer : public std::streambuf {
 public:
  explicit file_buffer(output_file* to) : to_(to) {}
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    bytes_ += static_cast<std::size_t>(count);
    if (to_ != nullptr) to_->write(bytes, static_cast<std::size_t>(count));
    return count;
  }
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    xsputn(&byte, 1);
    return c;
  }

 private:
  output_file* to_;
  std::size_t bytes_ = 0;
};

template <std::size_t N>
bool is_one_of(const std::string& key, const std::array<const char*, N>& keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string note_of(const scene& what) {
  value kept = what.root;
  std::erase_if(kept.inside, [](const value& v) { return is_one_of(v.key, free_keys); });
  const auto add = [&](const char* key, value v) {
    v.key = key;
    kept.inside.push_back(std::move(v));
  };
  const auto add_whole = [&](const char* key, std::uint64_t number) {
    if (number > 0) add(key, {.kind = value_kind::whole, .whole = static_cast<std::int64_t>(number)});
  };
  add_whole(begun_key, what.begun);
  add_whole(over_key, what.output.frames_over);
  if (!what.name.empty()) add(name_key, {.kind = value_kind::text, .text = what.name});
  return to_toml(kept);
}

/// Where two values differ, in words; empty if they do not.
std::string difference(const value* saved, const value* now, const std::string& path) {
  if (saved == nullptr) return fmt::format("{} is not in the checkpoint's scene", path);
  if (now == nullptr)
    return fmt::format("{} is {} in the checkpoint's scene, and not in this one", path, saved->in_words());
  const bool numbers = saved->is_number() && now->is_number();
  const auto unequal = [&] {
    return fmt::format("{} is {}, and {} in the checkpoint", path, now->in_words(), saved->in_words());
  };
  if (numbers) return saved->real == now->real ? "" : unequal();
  if (saved->kind != now->kind || saved->text != now->text || saved->flag != now->flag) return unequal();
  if (saved->kind == value_kind::array) {
    if (saved->inside.size() != now->inside.size()) return unequal();
    for (std::size_t k = 0; k < now->inside.size(); ++k) {
      std::string found = difference(&saved->inside[k], &now->inside[k], fmt::format("{}.{}", path, k));
      if (!found.empty()) return found;
    }
    return "";
  }
  for (const value* const one : {now, saved}) {
    for (const value& v : one->inside) {
      std::string found = difference(saved->find(v.key), now->find(v.key), fmt::format("{}.{}", path, v.key));
      if (!found.empty()) return found;
    }
  }
  return "";
}

/// A key of [output]; null if it is not given.
const value* output_key(const value& root, std::string_view key) {
  const value* const output = root.find("output");
  return output == nullptr ? nullptr : output->find(key);
}

/// The frames that the run of a checkpoint was to have.
frame_plan frames_of(const checkpoint_found& from, double time_step) {
  output_plan of;
  const value* const frames = output_key(from.scene, "frames");
  const value* const every = output_key(from.scene, "frames_every");
  if (frames != nullptr) of.frames = static_cast<std::uint64_t>(frames->real);
  if (every != nullptr) of.frames_every = every->real;
  of.frames_over = from.frames_over;
  const value* const time = from.scene.find("time");
  const value* const steps = from.scene.find("steps");
  scene length;
  if (time != nullptr) length.time = time->real;
  if (steps != nullptr) length.steps = static_cast<std::uint64_t>(steps->real);
  return {of, from.begun, time == nullptr && steps == nullptr ? 0 : steps_of(length, time_step), time_step};
}

[[noreturn]] void refuse_scene(const checkpoint_found& from, const std::string& how) {
  throw error(fmt::format("{}: {}; with --resume the scene stays the same, with --from another run starts from there",
                          from.path, how));
}

/// Reads and checks all of it.
checkpoint_found read_checkpoint(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw error(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
  std::string note;
  try {
    note = dem::saved_note(file);
  } catch (const error& problem) {
    throw error(fmt::format("{}: {}", path, problem.what()));
  }
  const std::string folder = fs::path(path).parent_path().string();
  checkpoint_found found{.path = path, .folder = folder.empty() ? "." : folder, .scene = parse_toml(path, note)};
  if (const value* const begun = found.scene.find(begun_key)) found.begun = static_cast<std::uint64_t>(begun->whole);
  if (const value* const over = found.scene.find(over_key)) found.frames_over = static_cast<std::uint64_t>(over->whole);
  if (const value* const name = found.scene.find(name_key)) found.name = name->text;
  std::erase_if(found.scene.inside, [](const value& v) { return is_one_of(v.key, keys_of_checkpoints); });
  return found;
}

}  // namespace

checkpoint_files::checkpoint_files(std::string folder, const scene& what, std::uint64_t steps)
    : folder_(std::move(folder)),
      newest_((fs::path(folder_) / newest_name).string()),
      previous_((fs::path(folder_) / previous_name).string()),
      note_(note_of(what)),
      steps_(steps),
      count_(std::min(what.output.checkpoints.value_or(usual_count), steps)),
      asked_(what.output.checkpoints.has_value()),
      last_(std::chrono::steady_clock::now()),
      room_(folder_) {}

std::uint64_t checkpoint_files::next_after(std::uint64_t step) const {
  if (count_ == 0 || step >= steps_) return std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t every = std::max<std::uint64_t>(steps_ / count_, 1);
  return (step / every + 1) * every;
}

bool checkpoint_files::due(std::uint64_t step) const {
  const auto passed = std::chrono::steady_clock::now() - last_;
  if (passed >= longest_wait) return true;
  return step > 0 && next_after(step - 1) == step && (asked_ || passed >= shortest_wait);
}

void checkpoint_files::write(const dem::simulation& now) {
  room_.give_back();  // to this one
  try {
    write_beside(now);
  } catch (const write_error& failed) {
    if (!failed.full() || !fs::exists(previous_)) throw;
    drop_previous();
    write_beside(now);
  }
}

void checkpoint_files::write_beside(const dem::simulation& now) {
  output_file file(newest_);
  file.open();
  save(now, &file);
  file.sync();
  std::error_code none;
  if (fs::exists(newest_, none)) fs::rename(newest_, previous_, none);
  file.commit();
  sync_folder(folder_);
  last_ = std::chrono::steady_clock::now();
  written_ = now.steps();
}

void checkpoint_files::save(const dem::simulation& now, output_file* to) {
  file_buffer buffer(to);
  std::ostream stream(&buffer);
  stream.exceptions(std::ios::badbit);  // so that an error of the file comes through
  now.save(stream, note_);
  bytes_ = buffer.bytes();
  bodies_ = now.bodies().size();
}

void checkpoint_files::keep_room(const dem::simulation& now) {
  if (bytes_ == 0) save(now, nullptr);
  // For each body that has come as much as for those that were there. What contacts remember may nearly double that.
  const std::size_t needed = bytes_ / (bodies_ + 1) * (now.bodies().size() + 1) + bytes_ % (bodies_ + 1);
  if (!room_.keep(2 * needed)) (void)room_.keep(needed);
}

void checkpoint_files::drop_previous() const {
  std::error_code none;
  fs::remove(previous_, none);
}

std::vector<std::string> checkpoint_files::paths(const std::string& folder) {
  std::vector<std::string> all;
  for (const char* name : {newest_name, previous_name}) {
    const fs::path path = fs::path(folder) / name;
    if (fs::exists(path)) all.push_back(path.string());
  }
  return all;
}

checkpoint_found find_checkpoint(const std::string& given, const std::function<void(const std::string&)>& say) {
  if (!fs::is_directory(given)) return read_checkpoint(given);
  const std::vector<std::string> all = checkpoint_files::paths(given);
  if (all.empty()) {
    throw error(fmt::format("{}: there is no checkpoint in this folder: no {}", given, newest_name));
  }
  try {
    return read_checkpoint(all.front());
  } catch (const error& problem) {
    if (all.size() == 1) throw;
    say(fmt::format("{}; going on from {}", problem.what(), all.back()));
  }
  return read_checkpoint(all.back());
}

std::uint64_t row_steps_of(const value& scene) {
  const value* const every = output_key(scene, "every");
  return every == nullptr ? output_plan{}.every : static_cast<std::uint64_t>(every->real);
}

dem::simulation go_on(const dem::settings& s, const checkpoint_found& from, dem::resume how) {
  std::ifstream file(from.path, std::ios::binary);
  try {
    return {s, file, how};
  } catch (const error& problem) {
    throw error(fmt::format("{}: {}", from.path, problem.what()));
  }
}

void check_same_scene(const scene& now, const checkpoint_found& from) {
  for (const value* const one : {&now.root, &from.scene}) {
    for (const value& v : one->inside) {
      if (is_one_of(v.key, free_keys) || is_one_of(v.key, changeable_keys)) continue;
      const std::string how = difference(from.scene.find(v.key), now.root.find(v.key), v.key);
      if (!how.empty()) refuse_scene(from, how);
    }
  }
}

void go_on_with_frames(scene& now, const checkpoint_found& from, std::uint64_t step, double time_step) {
  const std::uint64_t end = steps_of(now, time_step);
  if (!frame_plan(now.output, from.begun, end, time_step).any()) return;
  const auto differs_in = [&](const char* key) {
    const value* const saved = output_key(from.scene, key);
    const value* const given = output_key(now.root, key);
    return saved == nullptr && given == nullptr ? "" : difference(saved, given, fmt::format("output.{}", key));
  };
  for (const char* key : {"frame_files", "frame_columns"}) {
    if (const std::string how = differs_in(key); !how.empty()) refuse_scene(from, how + ", and there are frames");
  }
  const frame_plan saved = frames_of(from, time_step);
  if (saved.agrees({now.output, from.begun, end, time_step}, step)) return;
  for (const char* key : {"frames", "frames_every"}) {
    if (const std::string how = differs_in(key); !how.empty()) {
      refuse_scene(from, how + ", and the frames so far would be of other steps");
    }
  }
  now.output.frames_over = saved.over();
}

}  // namespace abut::cli
