#include "plan/calibration.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

#if __has_include(<sys/file.h>)
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

#include <abut/version.hpp>

#include "base/text.hpp"
#include "plan/build_stamp.hpp"
#include "plan/constants_text.hpp"

namespace abut {

namespace {

constexpr std::string_view section_word = "abut calibration ";
constexpr std::string_view learned_word = "learned ";
constexpr std::size_t most_learned = 256;
constexpr std::size_t most_sections = 16;
constexpr std::size_t largest_section = 65536;  // a larger one is damaged

std::mutex guard;
std::shared_ptr<const calibration> in_force;
instruction_set in_force_with{};
bool too_busy = false;  // at the last calibration

// Removes the first line from the text and returns it; nothing if the text has no complete line.
std::optional<std::string_view> next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return {};
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

// The sections of a cache, each with its stamp. What comes before the first stamp is left out.
std::vector<std::string_view> sections_of(std::string_view cache) {
  std::vector<std::string_view> all;
  std::string_view rest = cache;
  while (const auto line = next_line(rest)) {
    const auto start = static_cast<std::size_t>(line->data() - cache.data());
    const std::size_t end = cache.size() - rest.size();
    if (line->starts_with(section_word)) {
      all.push_back(cache.substr(start, end - start));
    } else if (!all.empty()) {
      all.back() = std::string_view(all.back().data(), all.back().size() + end - start);
    }
  }
  return all;
}

std::string_view stamp_of(std::string_view section) { return section.substr(0, section.find('\n')); }

bool is_plan(std::string_view line) {
  try {
    return plan(line).method() != "auto";
  } catch (const error&) {
    return false;
  }
}

bool read_learned(std::string_view line, calibration& c) {
  if (!line.starts_with(learned_word)) return false;
  line.remove_prefix(learned_word.size());
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos || !is_plan(line.substr(colon + 2))) return false;
  c.learned.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  return true;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Writes a temporary file and renames it, so that another process never reads half a file.
bool write_file(const std::filesystem::path& path, const std::string& text) {
  static std::atomic<unsigned> written{0};
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  const auto moment = std::chrono::steady_clock::now().time_since_epoch().count();
  const std::filesystem::path fresh =
      path.string() + "." + std::to_string(moment) + "-" + std::to_string(written++) + ".tmp";
  {
    std::ofstream file(fresh, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
      std::filesystem::remove(fresh, problem);
      return false;
    }
  }
  std::filesystem::rename(fresh, path, problem);
  if (!problem) return true;
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
  return false;
}

// While it exists, no other process changes the cache. If the folder cannot be locked (it cannot be made, or its file
// system has no locks), the change is made without a lock: at worst, one of two simultaneous changes is lost.
class cache_lock {
 public:
  explicit cache_lock(const std::filesystem::path& path) {
#if __has_include(<sys/file.h>)
    std::error_code problem;
    std::filesystem::create_directories(path.parent_path(), problem);
    folder_ = open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // NOLINT(*-vararg)
    if (folder_ >= 0) (void)flock(folder_, LOCK_EX);
#else
    (void)path;
#endif
  }
  ~cache_lock() {
#if __has_include(<sys/file.h>)
    if (folder_ >= 0) (void)close(folder_);  // this also unlocks it
#endif
  }
  cache_lock(const cache_lock&) = delete;
  cache_lock& operator=(const cache_lock&) = delete;

 private:
  int folder_ = -1;
};

std::string folder_from(const char* variable, const char* below) {
  const char* const value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? "" : std::string(value) + below;
}

}  // namespace

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

const std::string* calibration::learned_for(std::string_view features) const {
  for (const auto& [key, line] : learned) {
    if (key == features) return &line;
  }
  return nullptr;
}

std::string calibration_stamp() {
  const std::string name = processor_name();
#ifdef __OPTIMIZE__
  const char* const build = "";
#else
  const char* const build = " (not optimized)";
#endif
  return std::string(section_word) + "3; version " ABUT_VERSION ", build " + build_stamp() + build + "; " +
         std::string(name_of(instructions_in_use())) + "; " + (name.empty() ? "an unnamed processor" : name) + ", " +
         std::to_string(std::thread::hardware_concurrency()) + " cores";
}

std::string text_of(const calibration& c) {
  std::string text = calibration_stamp() + "\n";
  if (c.of_this_machine) text += constants_text(c.constants);
  for (const auto& [key, line] : c.learned) {
    text.append(learned_word).append(key).append(": ").append(line).append("\n");
  }
  return text;
}

namespace {

// Reads the constants at the start of the text; returns whether they are all there.
bool take_constants(std::string_view& text, cost_constants& c) {
  const std::string_view before = text;
  for (std::size_t k = 0; k < all_costs().size(); ++k) {
    if (!next_line(text)) return false;
  }
  try {
    c = read_constants(before.substr(0, before.size() - text.size()));
  } catch (const error&) {
    return false;
  }
  return true;
}

}  // namespace

std::optional<calibration> read_calibration(std::string_view cache) {
  const std::string stamp = calibration_stamp();
  const auto all = sections_of(cache);
  const auto mine = std::find_if(all.begin(), all.end(), [&](std::string_view s) { return stamp_of(s) == stamp; });
  if (mine == all.end()) return {};
  std::string_view text = mine->substr(stamp.size() + 1);
  calibration c;
  c.of_this_machine = !text.empty() && !text.starts_with(learned_word);
  if (c.of_this_machine && !take_constants(text, c.constants)) return {};
  while (!text.empty()) {
    const auto line = next_line(text);
    if (!line || !read_learned(*line, c)) return {};
  }
  return c;
}

std::string with_section(std::string_view cache, const std::string& section) {
  std::string text = section;
  std::size_t kept = 1;
  for (const std::string_view other : sections_of(cache)) {
    if (stamp_of(other) == stamp_of(section) || other.size() > largest_section) continue;
    if (++kept > most_sections) break;
    text += other;
  }
  return text;
}

std::string calibration_file() {
  for (const auto& [variable, below] :
       {std::pair("ABUT_CACHE", ""), std::pair("XDG_CACHE_HOME", "/abut"), std::pair("HOME", "/.cache/abut")}) {
    const std::string folder = folder_from(variable, below);
    if (!folder.empty()) return folder + "/calibration";
  }
  return "";
}

namespace {

std::optional<calibration> cached() {
  const std::string path = calibration_file();
  return path.empty() ? std::nullopt : read_calibration(read_file(path));
}

void put(const calibration& c) {
  in_force = std::make_shared<const calibration>(c);
  in_force_with = instructions_in_use();
}

bool nothing_in_force() { return !in_force || in_force_with != instructions_in_use(); }

// Reads the cache, changes it by `change(calibration&)`, puts the result into effect and writes it back, as one step
// that no other thread or process can interrupt. Returns whether it could be written.
template <class Change>
bool change_cache(Change&& change) {
  const std::lock_guard lock(guard);
  const std::string path = calibration_file();
  std::optional<cache_lock> others;
  if (!path.empty()) others.emplace(path);
  const std::string before = path.empty() ? "" : read_file(path);
  calibration c = read_calibration(before).value_or(nothing_in_force() ? calibration() : *in_force);
  change(c);
  put(c);
  return !path.empty() && write_file(path, with_section(before, text_of(c)));
}

}  // namespace

std::shared_ptr<const calibration> calibration_in_force() {
  const std::lock_guard lock(guard);
  if (nothing_in_force()) put(cached().value_or(calibration()));
  return in_force;
}

std::shared_ptr<const calibration> calibration_for(std::string_view constants) {
  if (constants.empty()) return calibration_in_force();
  return std::make_shared<const calibration>(calibration{.constants = read_constants(constants)});
}

std::string constants(std::string_view which) { return constants_text(calibration_for(which)->constants); }

bool put_into_force(const calibration& c) {
  return change_cache([&](calibration& now) { now = c; });
}

void remember(const std::string& features, const std::string& plan) {
  (void)change_cache([&](calibration& c) {
    std::erase_if(c.learned, [&](const auto& entry) { return entry.first == features; });
    if (c.learned.size() == most_learned) c.learned.erase(c.learned.begin());
    c.learned.emplace_back(features, plan);
  });
}

void forget_calibration() {
  const std::lock_guard lock(guard);
  in_force.reset();
  too_busy = false;
}

bool calibrated() { return calibration_in_force()->of_this_machine; }

calibration_result calibrate_by(const timer& time) {
  const std::optional<cost_constants> measured = measured_constants(time);
  {
    const std::lock_guard lock(guard);
    too_busy = !measured;
  }
  // The constants in force are better than those of a busy machine: load slows down methods by different factors.
  if (!measured) return calibration_result::busy;
  const bool written = change_cache([&](calibration& c) {
    c.constants = *measured;
    c.of_this_machine = true;
  });
  return written ? calibration_result::saved : calibration_result::not_saved;
}

calibration_result calibrate() { return calibrate_by(timed_run); }

void calibrate_if_needed(const timer& time) {
  const auto was_too_busy = [] {
    const std::lock_guard lock(guard);
    return too_busy;
  };
  if (!calibrated() && !was_too_busy()) (void)calibrate_by(time);
}

}  // namespace abut
