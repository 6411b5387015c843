#include "support.hpp"

#include <cctype>
#include <cstdio>
#include <iterator>

namespace support {

std::vector<abut::pair> ordered(abut::search& search) {
  std::vector<abut::pair> found;
  search.for_each_pair([&](abut::row i, abut::row j) { found.push_back({i, j}); });
  return found;
}

std::vector<abut::pair> by_batches(abut::search& search) {
  std::vector<std::vector<abut::pair>> tasks(search.tasks());
  search.for_each_batch([&](std::size_t task, std::span<const abut::pair> batch) {
    tasks.at(task).insert(tasks.at(task).end(), batch.begin(), batch.end());
  });
  std::vector<abut::pair> found;
  for (const auto& task : tasks) found.insert(found.end(), task.begin(), task.end());
  return found;
}

std::vector<abut::row> rows_in(const abut::search& search, const abut::region& where) {
  std::vector<abut::row> found;
  search.for_each_in(where, [&](abut::row i) { found.push_back(i); });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<abut::pair> sorted(std::vector<abut::pair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::uint64_t event(const abut::search& search, std::string_view name) {
  for (const auto& e : search.stats().events) {
    if (e.name == name) return e.count;
  }
  ADD_FAILURE() << "no event " << name;
  return 0;
}

std::string number(double x) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

std::string body_text(const abut::samples::set& bodies, abut::row i) {
  if (i >= bodies.size()) return "no such body";
  std::string text = "(";
  for (int k = 0; k < bodies.columns(); ++k) {
    text += (k > 0 ? ", " : "") + number(bodies.column[static_cast<std::size_t>(k)][i]);
  }
  return text + ")";
}

std::string pair_text(abut::pair p) { return "(" + std::to_string(p.i) + ", " + std::to_string(p.j) + ")"; }

::testing::AssertionResult same_pairs(const std::vector<abut::pair>& expected, std::vector<abut::pair> found,
                                      const abut::samples::set& bodies) {
  std::sort(found.begin(), found.end());
  if (found == expected) return ::testing::AssertionSuccess();
  std::vector<abut::pair> missing;
  std::vector<abut::pair> extra;
  std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(missing));
  std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(), std::back_inserter(extra));
  ::testing::AssertionResult failure = ::testing::AssertionFailure();
  failure << "expected " << expected.size() << " pairs, found " << found.size() << "; missing " << missing.size()
          << ", wrong or twice " << extra.size();
  const auto show = [&](const char* what, const std::vector<abut::pair>& some) {
    for (std::size_t k = 0; k < std::min<std::size_t>(some.size(), 3); ++k) {
      failure << "\n  " << what << " " << pair_text(some[k]) << ": " << body_text(bodies, some[k].i) << " and "
              << body_text(bodies, some[k].j);
    }
  };
  show("missing", missing);
  show("wrong", extra);
  return failure;
}

std::string name(std::string_view text) {
  std::string result;
  for (const char c : text) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return result;
}

double extent(const abut::samples::set& bodies, abut::row i) {
  const auto axes = static_cast<std::size_t>(bodies.dimension);
  if (bodies.kind == abut::shape::sphere) return 2 * bodies.column[axes][i];
  double most = 0;
  for (std::size_t k = 0; k < axes; ++k) most = std::max(most, bodies.column[axes + k][i] - bodies.column[k][i]);
  return most;
}

std::vector<double> extents(const abut::samples::set& bodies) {
  std::vector<double> all(bodies.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = extent(bodies, static_cast<abut::row>(i));
  std::sort(all.begin(), all.end());
  return all;
}

double fair_margin(const abut::samples::set& bodies) {
  const std::vector<double> all = extents(bodies);
  const double middle = all.empty() ? 0 : all[all.size() / 2];
  return middle > 0 ? 0.3 * middle : 0.05;
}

std::vector<std::string> method_names(bool with_quadratic) {
  std::vector<std::string> names;
  for (const abut::method_info* method : abut::methods()) {
    if (with_quadratic || !method->quadratic) names.emplace_back(method->name);
  }
  return names;
}

std::string method_test_name(const ::testing::TestParamInfo<std::string>& test) { return name(test.param); }

const char* shape_name(abut::shape kind) { return kind == abut::shape::sphere ? "spheres" : "boxes"; }

}  // namespace support
