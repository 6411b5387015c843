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

namespace abut {

namespace {

constexpr std::string_view learned_word = "learned ";
constexpr std::size_t most_learned = 256;

std::mutex guard;
std::shared_ptr<const calibration> in_force;

// Removes the first line from the text and returns it; nothing if the text has no complete line.
std::optional<std::string_view> next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return {};
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

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
  return "abut calibration 2; version " ABUT_VERSION + std::string(build) + "; " +
         (name.empty() ? "an unnamed processor" : name) + ", " + std::to_string(std::thread::hardware_concurrency()) +
         " cores";
}

std::string text_of(const calibration& c) {
  std::string text = calibration_stamp() + "\n";
  for (const cost* one : all_costs()) {
    text.append(one->name).append(" ").append(number_text(c.constants[*one])).append("\n");
  }
  for (const auto& [key, line] : c.learned) {
    text.append(learned_word).append(key).append(": ").append(line).append("\n");
  }
  return text;
}

std::optional<calibration> read_calibration(std::string_view text) {
  if (next_line(text) != calibration_stamp()) return {};
  calibration c;
  c.of_this_machine = true;
  for (const cost* one : all_costs()) {
    const auto line = next_line(text);
    const std::string start = std::string(one->name) + " ";
    if (!line || !line->starts_with(start)) return {};
    double ns = 0;
    if (!parse_number(line->substr(start.size()), ns) || !(ns > 0 && ns < 1e9)) return {};
    c.constants[*one] = ns;
  }
  while (!text.empty()) {
    const auto line = next_line(text);
    if (!line || !read_learned(*line, c)) return {};
  }
  return c;
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

// Reads the cache, changes it by `change(calibration&)`, puts the result into effect and writes it back, as one step
// that no other thread or process can interrupt. Returns whether it could be written.
template <class Change>
bool change_cache(Change&& change) {
  const std::lock_guard lock(guard);
  const std::string path = calibration_file();
  std::optional<cache_lock> others;
  if (!path.empty()) others.emplace(path);
  calibration c = cached().value_or(in_force ? *in_force : calibration());
  change(c);
  in_force = std::make_shared<const calibration>(c);
  return !path.empty() && write_file(path, text_of(c));
}

}  // namespace

std::shared_ptr<const calibration> calibration_in_force() {
  const std::lock_guard lock(guard);
  if (!in_force) in_force = std::make_shared<const calibration>(cached().value_or(calibration()));
  return in_force;
}

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
}

bool calibrated() { return calibration_in_force()->of_this_machine; }

bool calibrate() {
  const cost_constants measured = measured_constants();
  return change_cache([&](calibration& c) {
    c.constants = measured;
    c.of_this_machine = true;
  });
}

}  // namespace abut
