#pragma once

#include <vector>

#include "bodies/sketcher.hpp"
#include "methods/grid/look.hpp"
#include "methods/grid/order.hpp"

namespace abut {

/// Shows the grid's levels as lines, runs and cells, and which of them are searched for the chosen body.
template <int D, shape S>
class grid_show {
 public:
  grid_show(sketcher& out, const std::vector<grid_level>& levels, const grid_order<D, S>& order)
      : out_(out), levels_(levels), axes_(order.prepared().axes), columns_(order.columns()) {}

  /// `job` is the search of any line of the chosen body's level; only its reach and its bits are used.
  template <class JobOf>
  void show(JobOf&& job_of) {
    line_ = out_.kind("line", "cells side by side, twice as high as the reach of their bodies");
    run_ = out_.kind("run", "bodies of a line without a long gap: one stretch of memory");
    cell_ = out_.kind("cell", "holds the bodies that are centered in it", sketch::holding::anchors);
    compared_.assign(levels_.empty() ? 0 : levels_.back().to, false);
    if (out_.any_chosen()) find_ranges(job_of);
    for (std::size_t l = 0; l < levels_.size(); ++l) show_level(l);
  }

 private:
  // The cells from one to another along a line, as a box.
  [[nodiscard]] sketcher::sides sides(const grid_frame& f, std::uint64_t code, std::int64_t first,
                                      std::int64_t last) const {
    const std::int64_t line[3] = {0, static_cast<std::int64_t>(code & 0xffffffffU),
                                  static_cast<std::int64_t>(code >> 32)};
    sketcher::sides all{};
    for (int a = 0; a < D; ++a) {
      const int bits = a == 0 ? f.cell_bits() : f.line_bits;
      const std::int64_t from = a == 0 ? first : line[a];
      const std::int64_t to = a == 0 ? last : line[a];
      all[static_cast<std::size_t>(axes_[static_cast<std::size_t>(a)])] = {
          f.coordinate(static_cast<double>(from << bits), a), f.coordinate(static_cast<double>((to + 1) << bits), a)};
    }
    return all;
  }

  void show_level(std::size_t l) {
    const auto level = static_cast<std::uint32_t>(l);
    const grid_level& own = levels_[l];
    for (std::size_t r = 0; r < own.runs.size(); ++r) {
      const grid_run& run = own.runs[r];
      if (r == 0 || own.runs[r - 1].code != run.code) {
        std::size_t last = r;
        while (last + 1 < own.runs.size() && own.runs[last + 1].code == run.code) ++last;
        out_.box(line_, level, sides(own.frame, run.code, run.first, own.runs[last].last));
      }
      out_.box(run_, level, sides(own.frame, run.code, run.first, run.last));
      for (std::int32_t cell = run.first; cell <= run.last; ++cell) {
        if (run.begin(cell) == run.begin(cell + 1)) continue;
        bool searched = false;
        for (std::uint32_t p = run.begin(cell); p < run.begin(cell + 1); ++p) searched = searched || compared_[p];
        out_.box(cell_, level, sides(own.frame, run.code, cell, cell), searched);
        for (std::uint32_t p = run.begin(cell); p < run.begin(cell + 1); ++p) out_.member(columns_.row[p]);
      }
    }
  }

  void compare(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t p = from; p < to; ++p) {
      compared_[p] = true;
      out_.compared(columns_.row[p]);
    }
  }

  // The places in cells `first` to `last` of a line, and a box around these cells.
  void look_at(std::size_t l, std::int64_t middle, std::int64_t slow, std::int32_t first, std::int32_t last,
               std::uint32_t after) {
    if (middle < 0) return;
    const grid_level& own = levels_[l];
    const std::uint64_t code = grid_code(middle, slow);
    out_.box(range_, static_cast<std::uint32_t>(l), sides(own.frame, code, std::max(first, 0), last), true);
    for (std::size_t r = own.run_at(code, first); r < own.runs.size(); ++r) {
      const grid_run& run = own.runs[r];
      if (run.code != code || run.first > last) break;
      compare(std::max(after, run.begin(std::max(first, run.first))), run.begin(std::min(last, run.last) + 1));
    }
  }

  // As grid_scan does it: forward along the body's own line, and both ways along the later lines that it is near to.
  template <class JobOf>
  void find_ranges(JobOf&& job_of) {
    range_ = out_.kind("range", "what is compared with the body: along its own line, and a later one that is near");
    std::size_t l = 0;
    std::uint32_t p = 0;
    while (columns_.row[p] != out_.chosen()) ++p;
    while (p >= levels_[l].to) ++l;
    const grid_line_job job = job_of(levels_[l]);
    const std::int32_t x = columns_.center[0][p];
    const std::int32_t first = (x - job.reach) >> job.cell_bits;
    const std::int32_t last = (x + job.reach) >> job.cell_bits;
    const std::int32_t within = (std::int32_t{1} << job.line_bits) - 1;
    const auto line = [&](int a) { return columns_.center[a][p] >> job.line_bits; };
    const auto beside = [&](int a) {
      const std::int32_t part = columns_.center[a][p] & within;
      return part > within - 1 - job.reach ? 1 : part < job.reach + 1 ? -1 : 0;
    };
    const std::int64_t middle = line(1);
    const std::int64_t slow = D == 3 ? line(D - 1) : 0;
    look_at(l, middle, slow, x >> job.cell_bits, last, p + 1);
    if (beside(1) > 0) look_at(l, middle + 1, slow, first, last, 0);
    if (D == 3 && beside(D - 1) > 0) {
      look_at(l, middle, slow + 1, first, last, 0);
      if (beside(1) != 0) look_at(l, middle + beside(1), slow + 1, first, last, 0);
    }
    for (std::size_t finer = 0; finer < l; ++finer) look_into(finer);
  }

  void look_into(std::size_t l) {
    const grid_level& own = levels_[l];
    const world& w = out_.of();
    const volume<D, S> body = w.get<D, S>(out_.chosen());
    double farthest = 0;
    for (int k = 0; k < D; ++k) farthest = std::max({farthest, std::abs(body.lower(k)), std::abs(body.upper(k))});
    const double size = half_width<D, S>(body) + own.widest_half + w.margin();
    const grid_look<D, S> there(own.frame, axes_, body, own.widest_half, w.margin(),
                                grid_rounding<S>(farthest + size, size));
    std::size_t hint = 0;
    std::vector<grid_range> ranges;
    there.find_ranges(own, hint, ranges);
    for (const grid_range& range : ranges) {
      compare(range.from, range.to);
      if (range.from == range.to) continue;
      const std::uint64_t code = grid_code(columns_.center[1][range.from] >> own.frame.line_bits,
                                           D == 3 ? columns_.center[D - 1][range.from] >> own.frame.line_bits : 0);
      out_.box(range_, static_cast<std::uint32_t>(l),
               sides(own.frame, code, columns_.center[0][range.from] >> own.frame.cell_bits(),
                     columns_.center[0][range.to - 1] >> own.frame.cell_bits()),
               true);
    }
  }

  sketcher& out_;
  const std::vector<grid_level>& levels_;
  std::array<int, 3> axes_;
  grid_columns columns_;
  std::vector<bool> compared_;  // by place
  std::uint32_t line_ = 0, run_ = 0, cell_ = 0, range_ = 0;
};

}  // namespace abut
