// Runs a shard of the tests in one process. Tests that differ in their method alone are in the same shard, since they
// ask the oracle for the same pairs. A test that crashes or hangs is named before the process ends, and a test that
// leaves the process changed fails, since others might depend on the change.

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

constexpr unsigned most_seconds = 300;  // for one test

// A signal handler must not allocate, so the name is kept here.
char running[512] = "no test";

void say_where_and_end(int signal) {
  const auto write_text = [](const char* text) { return ::write(STDERR_FILENO, text, std::strlen(text)); };
  const bool written = write_text(signal == SIGALRM ? "\ntoo slow: " : "\ncrashed: ") > 0 && write_text(running) > 0 &&
                       write_text("\n") > 0;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  std::_Exit(written ? 1 : 2);
}

void catch_signals() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
    struct sigaction current {};
    // Sanitizers have handlers of their own, which report more.
    if (::sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_DFL)
      ::signal(signal, say_where_and_end);
  }
}

// What the tests of a process share and might change.
struct surroundings {
  std::set<std::string> environment;
  std::filesystem::path folder = std::filesystem::current_path();
  rlim_t threads = 0;

  surroundings() {
    for (char** variable = environ; *variable != nullptr; ++variable) environment.emplace(*variable);
    rlimit limit{};
    if (::getrlimit(RLIMIT_NPROC, &limit) == 0) threads = limit.rlim_cur;
  }
  bool operator==(const surroundings&) const = default;
};

class watch : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo& test) override {
    const std::string name = std::string(test.test_suite_name()) + "." + test.name();
    running[name.copy(running, sizeof running - 1)] = '\0';
    before_ = surroundings();
    ::alarm(most_seconds);
  }
  void OnTestEnd(const ::testing::TestInfo&) override {
    ::alarm(0);
    EXPECT_TRUE(surroundings() == before_) << "the test has changed the environment, the folder or the limits";
  }

  surroundings before_;
};

// What a test asks the oracle about: its suite and name, without the method that its parameter begins with ("grid" or
// "grid__sample").
std::string subject_of(const ::testing::TestInfo& test) {
  const std::string name = test.name();
  const std::size_t parameter = std::min(name.find('/'), name.size());
  const std::size_t sample = name.find("__", parameter);
  return std::string(test.test_suite_name()) + "." + name.substr(0, parameter) +
         (sample == std::string::npos ? "" : name.substr(sample));
}

// Deals the subjects to the shards in turn and leaves the tests of other shards out. GoogleTest would deal the tests.
void keep_to_shard(std::size_t shard, std::size_t shards) {
  std::map<std::string, std::size_t> shard_of;
  std::string filter = GTEST_FLAG_GET(filter);
  char before = filter.find('-') == std::string::npos ? '-' : ':';
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const ::testing::TestInfo& test = *suite.GetTestInfo(t);
      const std::size_t next = shard_of.size() % shards;
      if (shard_of.try_emplace(subject_of(test), next).first->second == shard) continue;
      filter += before + std::string(suite.name()) + "." + test.name();
      before = ':';
    }
  }
  GTEST_FLAG_SET(filter, filter);
}

// A number from the environment, which is removed from it.
std::size_t take_number(const char* variable, std::size_t otherwise) {
  const char* text = std::getenv(variable);
  const std::size_t number = text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
  ::unsetenv(variable);
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  // No test may read or change the user's own cache.
  ::setenv("ABUT_CACHE", "/nonexistent/abut-tests", 1);
  const std::size_t shards = take_number("GTEST_TOTAL_SHARDS", 1);
  const std::size_t shard = take_number("GTEST_SHARD_INDEX", 0);
  ::testing::InitGoogleTest(&argc, argv);
  if (shards > 1 && !GTEST_FLAG_GET(list_tests)) keep_to_shard(shard, shards);
  // A death test starts the program anew, because OpenMP's threads do not survive a fork.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ::testing::UnitTest::GetInstance()->listeners().Append(new watch);
  catch_signals();
  return RUN_ALL_TESTS();
}
