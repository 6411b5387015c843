// What the files of the grid's kernels have in common: each has a function template scan<D, S>(bodies, job, out,
// doubts), which Highway compiles once per instruction set. Include this after base/kernels.hpp.
#pragma once

/// In the namespace of an instruction set: functions from the template `SCAN` for jobs of type `JOB`.
#define ABUT_GRID_SCANS(SCAN, JOB)                   \
  ABUT_GRID_SCAN(SCAN, JOB, scan_discs, 2, sphere)   \
  ABUT_GRID_SCAN(SCAN, JOB, scan_spheres, 3, sphere) \
  ABUT_GRID_SCAN(SCAN, JOB, scan_rectangles, 2, box) \
  ABUT_GRID_SCAN(SCAN, JOB, scan_boxes, 3, box)

// NOLINTBEGIN(bugprone-macro-parentheses): a template's name cannot be in parentheses
#define ABUT_GRID_SCAN(SCAN, JOB, NAME, D, KIND)                                                                     \
  std::uint64_t NAME(const grid_columns& bodies, const JOB& job, pair_batch& out, std::vector<grid_doubt>& doubts) { \
    return SCAN<D, shape::KIND>(bodies, job, out, doubts);                                                           \
  }
// NOLINTEND(bugprone-macro-parentheses)

/// In namespace abut, once: `grid_scan` for jobs of this type, by those functions of the set in use.
#define ABUT_GRID_DISPATCH(JOB)                                                                                   \
  ABUT_KERNEL(scan_discs);                                                                                        \
  ABUT_KERNEL(scan_spheres);                                                                                      \
  ABUT_KERNEL(scan_rectangles);                                                                                   \
  ABUT_KERNEL(scan_boxes);                                                                                        \
  std::uint64_t grid_scan(int dimension, shape kind, const grid_columns& bodies, const JOB& job, pair_batch& out, \
                          std::vector<grid_doubt>& doubts) {                                                      \
    if (kind == shape::sphere) {                                                                                  \
      return dimension == 2 ? ABUT_CALL(scan_discs)(bodies, job, out, doubts)                                     \
                            : ABUT_CALL(scan_spheres)(bodies, job, out, doubts);                                  \
    }                                                                                                             \
    return dimension == 2 ? ABUT_CALL(scan_rectangles)(bodies, job, out, doubts)                                  \
                          : ABUT_CALL(scan_boxes)(bodies, job, out, doubts);                                      \
  }
