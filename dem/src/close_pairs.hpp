#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <abut/contacts.hpp>

#include "records.hpp"

namespace abut::dem {

/// A contact's force on its second body, and its torques on both.
struct pair_push {
  vec force;
  vec torque_of_first;
  vec torque_of_second;
};

/// Four pairs that follow each other.
struct pair_group {
  record_offset first[4];
  record_offset second[4];
};

/// The close pairs whose first bodies are rows [from, to), which one thread works on.
///
/// A pair whose second body belongs to another part is *across*: it is computed before anything else, so that no thread
/// reads what another one changes.
struct close_part {
  static constexpr std::size_t groups_ahead = 2;  ///< bodies are fetched into the cache this number of groups ahead
  static constexpr row rows_at_once = 128;  ///< rows are worked on in blocks of 128; a group never spans two blocks
  static constexpr row rows_before = 64;    ///< see `lead`

  row from = 0;
  row to = 0;
  std::vector<std::uint32_t> begin{};   ///< by row - from: its first pair, and the end
  std::vector<std::uint8_t> shifted{};  ///< by row - from: whether a second body is shifted by periods
  std::vector<row> second{};
  std::vector<std::uint32_t> slot{};   ///< in the list of near pairs; empty if nothing is remembered
  std::vector<std::uint32_t> shift{};  ///< a number in `shifts`; empty if nothing is periodic
  std::vector<padded_vec> shifts{};
  std::vector<padded_vec> speeds{};   ///< how fast they change, if the periods do
  std::vector<image_shift> images{};  ///< of which periods they are the sums

  // The same pairs in groups of four, for laws that take them so. The last group of a block is filled up with pairs of
  // two rows beyond those of all bodies; their records must be far apart. Each part has two such rows of its own.
  std::vector<pair_group> groups{};          ///< and at least `groups_ahead` more
  std::vector<std::uint32_t> group_begin{};  ///< by (row - from) / rows_at_once: its first group, and the end
  std::vector<std::uint32_t> group_shift{};  ///< by group: its place in `four_shifts`; 0 if no body of it is shifted
  std::vector<std::uint32_t> four_shifts{};  ///< four numbers in `shifts` for each group that has a place here
  /// How far the last second body of a row is from it, for most rows, and `rows_before` more. Further on than this, no
  /// body has been looked at in the step. So with each group one body is fetched from there, well before it is needed.
  row lead = 0;
  std::vector<std::uint32_t> group_slot{};  ///< four for each group, or `no_slot`; empty if nothing is remembered
  static constexpr std::uint32_t no_slot = 0xffff'ffffU;
  /// What the pairs of a group remember: for each number of the law's, those of the four pairs. As long as they are
  /// here, what the list of near pairs has of them is old.
  std::vector<quadruple> memory{};

  struct across_pair {
    row first;
    row second;
    std::uint32_t slot;
    std::uint32_t shift;
  };
  std::vector<across_pair> across{};
  std::vector<pair_push> pushes{};  ///< by `across`
  std::size_t next_across = 0;      ///< the first one of a row that is still to come

  /// The pairs across of lower parts whose second bodies are here, in the order of their first bodies.
  struct incoming {
    std::uint32_t part;
    std::uint32_t pair;
    row second;
  };
  std::vector<incoming> in{};

  std::size_t pairs = 0;  ///< those across not counted

  // Where few bodies touch, a row is marked while a force acts on it. The others glide on without a look at their
  // forces and accelerations, which are half of what is known of a body. Those that have no close pair either wait:
  // they are not moved at all until the pairs are renewed, and then by all steps at once, with the same bits.
  bool marks = false;
  row marked_from = 0;  ///< `from` and `to` when all rows were last marked
  row marked_to = 0;
  std::vector<std::uint8_t> mark{};    ///< by row - from, if `marks`
  std::vector<std::uint8_t> paired{};  ///< by row - from, if there may be marks: whether it has a close pair
  bool some_wait = false;
  std::vector<row> awake{};                  ///< the rows that do not wait, if some do
  std::vector<std::uint32_t> awake_begin{};  ///< by (row - from) / rows_at_once: its first one, and the end
  std::vector<row> waiting{};
  std::uint64_t waited = 0;  ///< for this number of steps
  double waiting_move2 = 0;  ///< the square of the farthest move of those that wait, per step

  void mark_row(row i) {
    if (i < to) mark[i - from] = 1;
  }
};

/// Of the listed near pairs, those that may touch within the next steps. Most near pairs do not for a while; looking at
/// them only now and then saves most of the time.
class close_pairs {
 public:
  struct request {
    const body_record* bodies;
    vec period;        ///< 0 on axes that are not periodic
    double reach;      ///< up to which gap bodies matter
    double skin;       ///< and this much more, for the time to come
    std::size_t most;  ///< parts, at most
    std::size_t memory;
    bool in_groups;
    bool may_mark;  ///< whether forces come from close pairs alone, and nobody wants to know them
    bool may_wait;  ///< whether bodies without forces keep their velocities as well
    double step;    ///< of time
  };
  /// Takes the pairs from the list, and sets the memory of all others to 0. What the last ones remember must have been
  /// put back.
  void take(contact_list& near, const request& r);

  /// Puts what pairs remember back into the list from which they were taken. They can no longer be used.
  void put_back(contact_list& near);
  /// What the pairs of the list remember, `count` numbers each, by slot.
  [[nodiscard]] std::vector<double> memory(const contact_list& near, std::size_t count) const;

  /// Marks all rows, and none waits: accelerations may have changed.
  void mark_all();
  /// Whether there are bodies that have not been moved since some step.
  [[nodiscard]] bool some_waited() const;

  /// After the periods have changed, which they do at this speed.
  void shift(const vec& period, const vec& speed);

  [[nodiscard]] std::vector<close_part>& parts() { return parts_; }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  void split(const contact_list& near, std::size_t most);
  static void fill(close_part& part, contact_list& near, const request& r);
  static void choose_marks(close_part& part, std::size_t touching, bool may_mark);
  static void choose_waiting(close_part& part, const request& r);
  static void group(close_part& part, row nobody);
  static row lead_of(const close_part& part);
  static void take_memory(close_part& part, const contact_list& near, std::size_t memory);
  static void put_memory(const close_part& part, double* to, std::size_t memory);
  void join(close_part& part) const;

  std::vector<close_part> parts_;
  std::size_t memory_ = 0;  // how many numbers each pair remembers in `close_part::memory`
};

/// Chooses the skin of the close pairs by counted work: a thick one has more pairs to test in each step, a thin one is
/// renewed more often.
class close_skin {
 public:
  explicit close_skin(double start) : wanted_(start) {}

  [[nodiscard]] double wanted() const { return wanted_; }
  /// The close pairs have not lasted any longer: the two fastest bodies have moved by `path` in `steps` steps.
  void lasted(double path, double steps);
  /// New ones were taken, with `skin`, from a list with `near_skin`.
  void taken(double skin, double near_skin, double bodies, double near_pairs, double pairs);

 private:
  double wanted_;
  double renewal_ = 0;  // the work of taking them, in tests of a pair
  double slope_ = 0;    // pairs per length of the skin
};

}  // namespace abut::dem
