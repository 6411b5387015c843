#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <abut/api.h>
#include <abut/bodies.hpp>
#include <abut/search.hpp>

namespace abut {

/// By how many periods a body is shifted on each axis; 0 on axes that are not periodic.
using image_shift = std::array<std::int32_t, 3>;

/// Options of a list of contacts, fixed for its lifetime.
struct contact_options {
  /// The gap up to which two bodies matter to you: 0 if only touching counts, the reach of a cohesive force otherwise.
  double margin = 0;

  /// A further gap up to which pairs are listed, so that the list lasts for several steps. If you give none, it is
  /// tuned by counted work (pairs listed against rebuilds), never by the clock.
  std::optional<double> skin{};

  /// How often you look at each listed pair, per step, for the tuning of the skin: less than 1 if most steps need only
  /// a shorter list of your own that you take from this one.
  double looks = 1;

  /// Pairs for which this returns false are left out, such as bonded bodies: `keep(i, j)` with the rows of the first
  /// and the second body. Called by `update` only, from several threads at once.
  std::function<bool(row, row)> keep{};
};

/// Tells an update of a list which body is which. Everything here is read during the call only.
struct identities {
  /// An id per body, unique; without any, bodies are numbered by the rows in which they first appeared. In a pair, the
  /// body with the lower id is the first, for as long as the contact lasts, even if rows change. Give ids to every
  /// update of a list or to none.
  labels ids{};
  /// If bodies have changed rows since the list's last update: the current row of each body of that update, or
  /// `no_row`. Without it, every row keeps its body.
  std::optional<std::span<const row>> new_rows{};
  /// The same for the other set of `update_between`.
  labels other_ids{};
  /// The same for the other set of `update_between`.
  std::optional<std::span<const row>> new_other_rows{};
};

/// What `contact_list::neighbors` returns in addition to the neighbors.
struct neighbor_options {
  bool half = false;       ///< each pair once, with its first body; otherwise twice, with both
  bool distances = false;  ///< the distance of the centers
  bool vectors = false;    ///< from the body's center to the neighbor's, through the image
  bool images = false;     ///< by how many periods the neighbor is shifted
};

/// The neighbors of each body in compressed form, as NumPy, SciPy and graph libraries take it: those of row i are
/// entries [offsets[i], offsets[i + 1]), by ascending id.
struct neighbor_list {
  std::vector<std::uint32_t> offsets{};          ///< one more than there are rows
  std::vector<row> neighbors{};                  ///< rows
  std::vector<double> distances{};               ///< one per neighbor, if asked for; so are the next two
  std::vector<std::array<double, 3>> vectors{};  ///< z is 0 in 2D
  std::vector<image_shift> images{};             ///< all 0 if no axis is periodic
};

/// The contacts of a list as plain arrays, with one entry per contact in the order of slots: to write to a file.
struct saved_contacts {
  std::vector<row> firsts{};        ///< the row of the first body
  std::vector<row> seconds{};       ///< the row of the second body
  std::vector<std::byte> memory{};  ///< the memory, as many bytes per contact as the list has
  /// The list's own numbers of bodies, by row, by which slots are ordered: empty if you gave ids, or if bodies have
  /// never changed rows.
  std::vector<std::int64_t> ids{};
  std::vector<std::int64_t> other_ids{};  ///< the same of the other set
};

/// The pairs of a search, kept in compressed form with some bytes of memory per pair: `contacts<T>` without its types.
///
/// A *slot* is the number of a listed pair, from 0 to size() - 1. Slots are ordered by the row of the first body, then
/// by the id of the second. So they do not depend on the method, the number of threads or the order in which pairs were
/// found. Slots change with each update; memory moves along.
///
/// An update changes the list in place if rows are ids and have not moved, and most pairs were listed before. The
/// arrays of a list then take 20 bytes per contact beside the memory, 32 if an axis is periodic, 8 of them for the next
/// update; with room to grow and ended contacts it is about 24 (36). An update that makes a new list needs 4 bytes more
/// and the memory a second time, and keeps them until one changes the list in place. A sphere takes about 45 bytes. An
/// update costs O(bodies + pairs) beside the search. At most 2^32 - 2 contacts.
class contact_list {
 public:
  /// A list with `bytes` bytes of memory per contact. That of a new contact is a copy of the `bytes` bytes at `fresh`,
  /// or zero if that is null.
  ABUT_API explicit contact_list(contact_options o = {}, std::size_t bytes = 0, const void* fresh = nullptr);
  ABUT_API ~contact_list();
  /// Moves in constant time. A moved-from list can only be assigned to or destroyed.
  ABUT_API contact_list(contact_list&&) noexcept;
  /// Moves in constant time. A moved-from list can only be assigned to or destroyed.
  ABUT_API contact_list& operator=(contact_list&&) noexcept;

  /// Whether the list still has every pair with a gap of at most `margin`: false before the first update, and once the
  /// two farthest moves since the last one could add up to more than the skin, or if the number of bodies has changed.
  /// Compares each body with a copy of what it was. Fixed flags, groups and masks are not compared: call `expire` if
  /// they change.
  [[nodiscard]] ABUT_API bool hold(const bodies& b);
  /// The same for a list between two sets.
  [[nodiscard]] ABUT_API bool hold(const bodies& b, const bodies& others);
  /// The same without a look at the bodies, if you know how far they go: `displacement` is the most that a point of any
  /// body's surface has moved since the last call of `hold` or `update`, such as v_max dt. Use one kind of `hold` or
  /// the other between two updates.
  [[nodiscard]] ABUT_API bool hold(double displacement);
  /// The same for pairs with a gap of at most `margin + spare`: for a shorter list of your own that you take from this
  /// one, and that is to last a while. `steps` have passed since the last call or update.
  [[nodiscard]] ABUT_API bool hold(const bodies& b, double spare, std::uint64_t steps = 1);
  /// How much of the skin is left: when `hold` or `update` last saw the bodies, the list had every pair with a gap of
  /// at most `margin + left()`. 0 if it does not hold.
  [[nodiscard]] ABUT_API double left() const;
  /// Makes the next `hold` return false.
  ABUT_API void expire();

  /// The margin with which to update the search, for these bodies, before the next `update`: the list's margin plus the
  /// skin that was given or tuned, at most what the periods allow. These are the search's, unless others are given that
  /// it is to be updated with. If there are any, looks at the sizes of all bodies: they may have grown, or have come. A
  /// tuned skin is 0 before the first update.
  [[nodiscard]] ABUT_API double reach(const search& s, const bodies& b,
                                      const std::optional<periodic_axes>& periodic = {}) const;

  /// Takes the pairs of the search, which must just have been updated with the margin `reach(s, b)` (or more; if with
  /// less, down to the list's margin, the list lasts less long). Contacts that persist keep their memory. Throws
  /// `error` if the search's margin is below the list's, two bodies of a pair have the same id, a map of rows is wrong,
  /// or two bodies that touch are more than 2^31 - 1 periods apart; nothing has changed then. If the system is out of
  /// memory, the list is empty afterwards; so it is after `follow` and `load`.
  ABUT_API void update(search& s, const identities& who = {});
  /// The same for the pairs between the search's bodies (first) and another set (second), such as walls.
  ABUT_API void update_between(search& s, const bodies& others, const identities& who = {});

  /// All of a step in one call: does nothing if the list holds and no rows have moved; otherwise updates the search
  /// with margin `reach(s, b)` and the list. Returns whether it did.
  ABUT_API bool follow(search& s, const bodies& b, const identities& who = {});
  /// The same with another set.
  ABUT_API bool follow_between(search& s, const bodies& b, const bodies& others, const identities& who = {});

  /// The number of contacts.
  [[nodiscard]] std::size_t size() const { return view_.size; }
  /// The number of bodies (first bodies, in a list between two sets) at the last update.
  [[nodiscard]] std::size_t rows() const { return view_.rows; }
  /// The number of bodies that can be second: rows(), or the number of bodies of the other set.
  [[nodiscard]] std::size_t other_rows() const { return view_.other_rows; }

  /// Whether the list is between two sets.
  [[nodiscard]] bool between() const { return view_.between; }

  /// The slots in which row i is first are [offsets()[i], offsets()[i + 1]). These views, and all below, are valid
  /// until the next update.
  [[nodiscard]] std::span<const std::uint32_t> offsets() const { return {view_.offsets, view_.rows + 1}; }
  /// The row of each slot's first body.
  [[nodiscard]] std::span<const row> firsts() const { return {view_.firsts, view_.size}; }
  /// The row of each slot's second body.
  [[nodiscard]] std::span<const row> seconds() const { return {view_.seconds, view_.size}; }
  /// The slots in which row j is second are back()[back_offsets()[j]] to back()[back_offsets()[j + 1] - 1], by
  /// ascending id of the first body.
  [[nodiscard]] std::span<const std::uint32_t> back_offsets() const {
    return {view_.back_offsets, view_.other_rows + 1};
  }
  /// See `back_offsets`.
  [[nodiscard]] std::span<const std::uint32_t> back() const { return {view_.back, view_.size}; }
  /// By how many periods each slot's second body is shifted to be nearest to the first, for the coordinates that the
  /// bodies had at the last update; empty if no axis is periodic.
  [[nodiscard]] std::span<const image_shift> images() const {
    return {view_.images, view_.images == nullptr ? 0 : view_.size};
  }
  /// The image of a slot.
  [[nodiscard]] image_shift image_of(std::uint32_t slot) const {
    return view_.images == nullptr ? image_shift{} : view_.images[slot];
  }
  /// Whether the last update has added the contact; otherwise it persists.
  [[nodiscard]] bool begun(std::uint32_t slot) const { return (view_.begun[slot / 64] >> (slot % 64) & 1U) != 0; }
  /// The memory of a slot, aligned to 64 bytes at slot 0.
  // NOLINTNEXTLINE(readability-make-member-function-const): it gives access to change the list
  [[nodiscard]] std::byte* memory(std::uint32_t slot) { return view_.memory + std::size_t{slot} * view_.bytes; }
  /// The same, to be read only.
  [[nodiscard]] const std::byte* memory(std::uint32_t slot) const {
    return view_.memory + std::size_t{slot} * view_.bytes;
  }

  /// A contact that the last update has ended, because its bodies are too far apart now, or gone, or no longer paired.
  struct ended_contact {
    row first;          ///< its row at the last update but one
    row second;         ///< the same
    row first_now;      ///< its row now, or `no_row` if it is gone
    row second_now;     ///< the same
    std::byte* memory;  ///< what the contact remembered, valid until the next update
  };
  /// The contacts that the last update has ended, in the order of their slots before it.
  [[nodiscard]] ABUT_API std::span<const ended_contact> ended_contacts() const;

  /// The bodies with a gap of at most `margin` now, exactly those that a search for `b` would find, as long as
  /// `hold(b)`. In a list between two sets, give both; the neighbors of the first set's bodies are returned.
  [[nodiscard]] ABUT_API neighbor_list neighbors(const bodies& b, const neighbor_options& o = {}) const;
  /// The same for a list between two sets: the neighbors of the first set's bodies.
  [[nodiscard]] ABUT_API neighbor_list neighbors(const bodies& b, const bodies& others,
                                                 const neighbor_options& o = {}) const;

  /// The contacts as plain arrays.
  [[nodiscard]] ABUT_API saved_contacts save() const;
  /// Takes contacts that were saved, instead of those it has. `rows` is the number of bodies at the time of saving, and
  /// `who` has their ids, if the list had any. The list does not hold then; the next update keeps the memory of
  /// contacts that persist. Throws `error` for arrays that `save` cannot have returned; nothing has changed then.
  ABUT_API void load(const saved_contacts& from, std::size_t rows, const identities& who = {});
  /// The same for a list between two sets.
  ABUT_API void load_between(const saved_contacts& from, std::size_t rows, std::size_t other_rows,
                             const identities& who = {});

  /// Calls `f(from, to)` for blocks of rows that make up [0, rows()), on all threads of the search; the blocks do not
  /// depend on the number of threads.
  template <class F>
  void for_each_block(F&& f) const {
    run_blocks({[](void* context, std::size_t from, std::size_t to) {
                  (*static_cast<std::remove_reference_t<F>*>(context))(from, to);
                },
                const_cast<void*>(static_cast<const volatile void*>(std::addressof(f)))});
  }

  /// Calls `f(task)` for every task from 0 to `tasks` - 1, on all threads of the search.
  template <class F>
  void for_each_task(std::size_t tasks, F&& f) const {
    run_tasks(tasks, {[](void* context, std::size_t task, std::size_t) {
                        (*static_cast<std::remove_reference_t<F>*>(context))(task);
                      },
                      const_cast<void*>(static_cast<const volatile void*>(std::addressof(f)))});
  }

  /// What the list has done since it was made, and holds.
  struct list_stats {
    std::uint64_t updates = 0;  ///< how often it was rebuilt
    std::uint64_t holds = 0;    ///< how often `hold` was true
    std::uint64_t bytes = 0;    ///< memory that it holds, that of contacts included
  };
  /// What the list has done since it was made, and holds.
  [[nodiscard]] ABUT_API list_stats stats() const;

 private:
  friend struct c_door;  // the C interface, which shows all arrays

  struct block_call {
    void (*call)(void* context, std::size_t from, std::size_t to);
    void* context;
  };
  ABUT_API void run_blocks(block_call f) const;
  ABUT_API void run_tasks(std::size_t tasks, block_call f) const;
  template <class F>
  auto shown(F&& f);

  // Where the arrays are: plain pointers, so that loops over contacts are inlined.
  struct arrays {
    std::size_t size = 0;
    std::size_t rows = 0;
    std::size_t other_rows = 0;
    std::size_t bytes = 0;
    const std::uint32_t* offsets = nullptr;
    const std::uint32_t* back_offsets = nullptr;
    const row* firsts = nullptr;
    const row* seconds = nullptr;
    const std::uint32_t* back = nullptr;
    const image_shift* images = nullptr;
    const std::uint64_t* begun = nullptr;
    std::byte* memory = nullptr;
    const std::int64_t* ids = nullptr;  // null unless bodies have numbers of the list's own
    const std::int64_t* other_ids = nullptr;
    bool between = false;
  };
  class state;
  std::unique_ptr<state> state_;
  arrays view_;
};

/// For contacts without memory.
struct no_memory {};

/// The pairs of a search with memory of your own for each, kept from step to step. `T` is trivially copyable; a new
/// contact has `T{}`. With a skin, most steps need no search:
///
///     abut::contacts<spring> near;
///     near.follow(search, bodies);                                                   // searches only if it must
///     near.for_each([&](auto& c) { force[c.slot] = law(c.i, c.j, c.image, c.memory); });  // on all threads
///     for (auto c : near.of(i)) sum += c.first ? force[c.slot] : -force[c.slot];      // by ascending id of the other
///
/// The list has all pairs with a gap of at most the margin, and more that are near: the law decides which of them
/// touch. `contacts<>` has no memory: a neighbor list.
template <class T = no_memory>
class contacts : public contact_list {
  static_assert(std::is_trivially_copyable_v<T>, "contacts are moved in memory: T must be trivially copyable");
  static_assert(alignof(T) <= 64, "memory of contacts is aligned to at most 64 bytes");
  static constexpr bool remembers = !std::is_empty_v<T>;

 public:
  /// An empty list. `fresh` is the memory of new contacts.
  explicit contacts(contact_options o = {}, const T& fresh = T{})
      : contact_list(std::move(o), remembers ? sizeof(T) : 0, remembers ? &fresh : nullptr) {}

  /// A contact as `for_each` and `own` show it.
  struct contact {
    std::uint32_t slot;  ///< its number
    row i;               ///< the first body
    row j;               ///< the second body
    image_shift image;   ///< by how many periods the second body is shifted
    bool begun;          ///< whether the last update has added it
    T& memory;           ///< yours
  };
  /// A contact as seen from one of its bodies.
  struct side {
    std::uint32_t slot;  ///< its number
    row other;           ///< the other body
    bool first;          ///< whether this body is the first
    image_shift image;   ///< by how many periods the other body is shifted
    T& memory;           ///< yours
  };
  /// A contact that the last update has ended.
  struct ended_contact {
    row first;       ///< its row at the last update but one
    row second;      ///< its row at the last update but one
    row first_now;   ///< its row now, or `no_row` if it is gone
    row second_now;  ///< its row now, or `no_row` if it is gone
    T memory;        ///< what it remembered
  };

  /// The memory of a slot.
  [[nodiscard]] T& memory(std::uint32_t slot) {
    if constexpr (remembers) {
      return *reinterpret_cast<T*>(contact_list::memory(slot));
    } else {
      return nothing_;
    }
  }

  /// The contact of a slot whose first body is row i.
  [[nodiscard]] contact at(row i, std::uint32_t slot) {
    return {slot, i, seconds()[slot], image_of(slot), begun(slot), memory(slot)};
  }

  /// Calls `f(c)` for every contact, from all threads at once; `c` is a `contact&`. One call per contact.
  template <class F>
  void for_each(F&& f) {
    for_each_block([&](std::size_t from, std::size_t to) {
      const auto begin = offsets();
      for (std::size_t i = from; i < to; ++i) {
        for (std::uint32_t slot = begin[i]; slot < begin[i + 1]; ++slot) {
          contact c = at(static_cast<row>(i), slot);
          f(c);
        }
      }
    });
  }

  /// The contacts of a range of slots, for `for (auto c : near.own(i))`.
  class own_range {
   public:
    /// Walks through contacts.
    struct iterator {
      contacts* list;                                                              ///< whose they are
      row i;                                                                       ///< the first body
      std::uint32_t slot;                                                          ///< the present one
      contact operator*() const { return list->at(i, slot); }                      ///< the present one
      iterator& operator++() { return ++slot, *this; }                             ///< the next one
      bool operator!=(const iterator& other) const { return slot != other.slot; }  ///< whether it is another
    };
    [[nodiscard]] iterator begin() const { return {list_, i_, list_->offsets()[i_]}; }    ///< the first
    [[nodiscard]] iterator end() const { return {list_, i_, list_->offsets()[i_ + 1]}; }  ///< past the last
    /// Those in which row i is first.
    own_range(contacts* list, row i) : list_(list), i_(i) {}

   private:
    contacts* list_;
    row i_;
  };
  /// The contacts in which row i is first, by ascending id of the second.
  [[nodiscard]] own_range own(row i) { return own_range(this, i); }

  /// The contacts of one body, for `for (auto c : near.of(i))`.
  class side_range {
   public:
    /// Walks through the slots in which the body is second, then through those in which it is first.
    struct iterator {
      contacts* list;           ///< whose they are
      std::uint32_t at;         ///< the present place among those in which it is second
      std::uint32_t back_end;   ///< past the last of those
      std::uint32_t slot;       ///< the present one of those in which it is first
      side operator*() const {  ///< the present one
        return at < back_end ? list->second_side(list->back()[at]) : list->first_side(slot);
      }
      iterator& operator++() {  ///< the next one
        at < back_end ? ++at : ++slot;
        return *this;
      }
      bool operator!=(const iterator& other) const { return at != other.at || slot != other.slot; }  ///< is another
    };
    [[nodiscard]] iterator begin() const { return {list_, back_, back_end_, slot_}; }        ///< the first
    [[nodiscard]] iterator end() const { return {list_, back_end_, back_end_, slot_end_}; }  ///< past the last
    /// Places [back, back_end) of back(), then slots [slot, slot_end).
    side_range(contacts* list, std::uint32_t back, std::uint32_t back_end, std::uint32_t slot, std::uint32_t slot_end)
        : list_(list), back_(back), back_end_(back_end), slot_(slot), slot_end_(slot_end) {}

   private:
    contacts* list_;
    std::uint32_t back_;
    std::uint32_t back_end_;
    std::uint32_t slot_;
    std::uint32_t slot_end_;
  };
  /// All contacts of row i from its own side, by ascending id of the other body: the same order for every method and
  /// number of threads. In a list between two sets, those of a body of the first set.
  [[nodiscard]] side_range of(row i) {
    assert(i < rows() && "the list has no such row");
    const auto own = offsets();
    if (between()) return side_range(this, 0, 0, own[i], own[i + 1]);
    const auto back = back_offsets();
    return side_range(this, back[i], back[i + 1], own[i], own[i + 1]);
  }
  /// In a list between two sets: all contacts of row j of the other set, by ascending id of the first set's bodies.
  [[nodiscard]] side_range of_other(row j) {
    assert(j < other_rows() && "the other set has no such row");
    const auto back = back_offsets();
    return side_range(this, back[j], back[j + 1], 0, 0);
  }

  /// The contacts that the last update has ended, with their memory, in the order of their former slots.
  [[nodiscard]] std::vector<ended_contact> ended() const {
    std::vector<ended_contact> all;
    all.reserve(ended_contacts().size());
    for (const contact_list::ended_contact& e : ended_contacts()) {
      ended_contact known{e.first, e.second, e.first_now, e.second_now, T{}};
      if constexpr (remembers) known.memory = *reinterpret_cast<const T*>(e.memory);
      all.push_back(known);
    }
    return all;
  }

 private:
  [[nodiscard]] side first_side(std::uint32_t slot) {
    return {slot, seconds()[slot], true, image_of(slot), memory(slot)};
  }
  [[nodiscard]] side second_side(std::uint32_t slot) {
    const image_shift there = image_of(slot);
    return {slot, firsts()[slot], false, {-there[0], -there[1], -there[2]}, memory(slot)};
  }

  static inline T nothing_{};  // what contacts without memory refer to
};

}  // namespace abut
