// Runs a shard of the tests in one process. A test that crashes or hangs is named before the process ends, and a test
// that leaves the process changed fails, since others might depend on the change.

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
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

}  // namespace

int main(int argc, char** argv) {
  // No test may read or change the user's own cache.
  ::setenv("ABUT_CACHE", "/nonexistent/abut-tests", 1);
  ::testing::InitGoogleTest(&argc, argv);
  // A death test starts the program anew, because OpenMP's threads do not survive a fork.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ::testing::UnitTest::GetInstance()->listeners().Append(new watch);
  catch_signals();
  return RUN_ALL_TESTS();
}
