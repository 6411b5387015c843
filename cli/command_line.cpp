#include "command_line.hpp"

#include <exception>
#include <new>
#include <string_view>

#include <fmt/format.h>

#include <abut/error.hpp>
#include <abut/version.hpp>

#include "screen/interrupts.hpp"
#include "screen/standard_streams.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* first_examples = R"(Examples:
  abut run settling-bed                 thousands of grains fall and settle
  abut find --demo                      the contacts of 100,000 generated spheres
  abut find grains.csv                  the contacts of your own bodies
  abut find grains.npy --pairs out.npy  the same, with the pairs in a file
  abut plan grains.npy                  which method suits them, and why
  abut bench grains.npy                 the methods, compared on them
  abut draw discs.csv --out cells.svg   what a method keeps about them
  abut methods                          the methods to choose from
  abut generate packing --count 20000 --fraction 0.35 --out packing.npy
  abut find packing.npy --scale 1.1     the contacts of a packing, grown by a tenth

Exit codes: 0 for success; 2 if the command or a file is wrong (one line on
stderr says what and where); 1 for a failure of abut itself, or of a comparison
that it was asked to make; 130 after Ctrl-C.)";

int fail(std::string_view message, int code) {
  print_err(message);
  return code;
}

}  // namespace

int run_program(int argc, const char* const* argv, const std::function<program()>& make) {
  try {
    occupy_standard_streams();
    catch_interrupts();
    print_out(make().run(argc, argv));
    // Fails if help or results could not be written, for example to a full disk.
    flush_out();
    return 0;
  } catch (const error& problem) {
    return fail(problem.what(), 2);
  } catch (const failed_check& problem) {
    return fail(problem.what(), 1);
  } catch (const ended_by_interrupt& end) {
    return 128 + end.signal;
  } catch (const std::bad_alloc&) {
    return fail("abut: out of memory", 1);
  } catch (const std::exception& problem) {
    return fail(fmt::format("abut: internal error: {}", problem.what()), 1);
  }
}

int run_command_line(int argc, const char* const* argv, std::initializer_list<void (*)(program&)> verbs) {
  return run_program(argc, argv, [&] {
    program abut("abut", ABUT_VERSION,
                 "abut finds every pair of touching bodies among millions, and simulates what follows.",
                 first_examples);
    for (const auto add : verbs) add(abut);
    return abut;
  });
}

}  // namespace abut::cli
