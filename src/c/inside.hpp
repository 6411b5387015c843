#pragma once

// What the files of the C interface share.

#include <abut/abut.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <abut/abut.hpp>
#include <abut/contacts.hpp>
#include <abut/other_set.hpp>

struct abut_search {
  abut::search search;
  // What the last calls returned.
  std::vector<abut::pair> pairs{};
  std::string planned{};
  /// Names with their counts, and how C sees them.
  struct named_counts {
    std::vector<abut::stats::event> named{};
    std::vector<abut_event> shown{};
  } events{}, counts{};
  std::vector<std::string> plans{};
  std::vector<abut_candidate> candidates{};
};

struct abut_other_set {
  abut::other_set set;
};

struct abut_contacts {
  abut::contact_list list;
  abut::neighbor_list neighbors{};  // those of the last call
};

namespace abut {

/// A C function with the context that it is called with.
template <class F>
struct c_call {
  F f;
  void* context;
};

// Both pairs are two rows of 32 bits.
static_assert(sizeof(abut_pair) == sizeof(pair) && sizeof(row) == sizeof(std::uint32_t));

/// The same pairs in C's words.
inline const abut_pair* c_pairs(const pair* first) { return reinterpret_cast<const abut_pair*>(first); }

/// What only the C interface may use of the classes: batches as the library makes them, and the arrays of contacts.
struct c_door {
  /// Runs `call(first, count)` for each batch of pairs, on the calling thread. `Others` is nothing, bodies or a set.
  template <class Call, class... Others>
  static void for_each_run(search& s, Call&& call, const Others&... others) {
    const search::pair_sink sink{[](void* context, const pair* first, std::size_t count) {
                                   (*static_cast<std::remove_reference_t<Call>*>(context))(first, count);
                                 },
                                 const_cast<void*>(static_cast<const void*>(std::addressof(call)))};
    if constexpr (sizeof...(Others) == 0) {
      s.visit_pairs(sink);
    } else {
      s.visit_pairs_between(others..., sink);
    }
  }

  /// Passes rows to a C function, in batches.
  static void for_each_in(const search& s, const region& where, c_call<abut_rows_function> to) {
    s.visit_in(where, {[](void* context, const row* first, std::size_t count) {
                         const auto& call = *static_cast<const c_call<abut_rows_function>*>(context);
                         call.f(call.context, first, count);
                       },
                       &to});
  }

  /// One bit per contact: whether the last update has added it.
  static const std::uint64_t* begun(const contact_list& list) { return list.view_.begun; }
  /// The bytes of memory per contact.
  static std::size_t bytes(const contact_list& list) { return list.view_.bytes; }
  /// The numbers of bodies that are the list's own, or null.
  static const std::int64_t* ids(const contact_list& list) { return list.view_.ids; }
  /// The same of the other set.
  static const std::int64_t* other_ids(const contact_list& list) { return list.view_.other_ids; }
};

/// Stores the message that abut_last_error returns.
void keep_error(const char* message) noexcept;

/// Runs a call and stores the message of any exception, because none may cross into C. Returns 0, or 1 after an error.
template <class Call>
int guarded(Call&& call) noexcept {
  try {
    call();
    return 0;
  } catch (const std::bad_alloc&) {
    keep_error("out of memory");
  } catch (const std::exception& e) {
    keep_error(e.what());
  } catch (...) {
    keep_error("an exception that is not a std::exception was thrown");
  }
  return 1;
}

/// What the pointer points to; an error if it is NULL.
template <class T>
T& given(T* pointer, const char* name) {
  if (pointer == nullptr) throw error(std::string(name) + " is NULL");
  return *pointer;
}

/// A struct of the caller's that is read. Its size tells which version of the header it comes from; `older` has the
/// sizes of versions before this one, whose missing fields are 0.
template <class T>
T whole(const T* pointer, const char* name, const char* type, std::initializer_list<std::size_t> older = {}) {
  const std::size_t size = given(pointer, name).size;
  if (size != sizeof(T) && std::find(older.begin(), older.end(), size) == older.end()) {
    throw error(std::string(name) + " has size " + std::to_string(size) + "; set it to sizeof(" + type + "), " +
                std::to_string(sizeof(T)) + " in this version of abut");
  }
  T read{};
  std::memcpy(&read, pointer, size);
  return read;
}

/// A struct of the caller's that is filled in by `fill(T&)`, as far as its size reaches.
template <class T, class Fill>
void fill_in(T* pointer, const char* name, const char* type, std::initializer_list<std::size_t> older, Fill&& fill) {
  T made = whole(pointer, name, type, older);
  const std::size_t size = made.size;
  fill(made);
  std::memcpy(pointer, &made, size);
}

/// The C++ views of the caller's structs (bodies.cpp).
bodies bodies_of(const abut_bodies* from, const char* name);
labels labels_of(const abut_labels& l, std::size_t count, const char* name);
/// The same for labels that distinguish bodies: an error if all bodies share one.
labels ids_of(const abut_labels& l, std::size_t count, const char* name);
periodic_axes axes_of(const int (&periodic)[3], const double (&min)[3], const double (&max)[3]);

/// A map of rows; none if NULL.
inline std::optional<std::span<const row>> row_map_of(const std::uint32_t* new_rows, std::size_t count) {
  if (new_rows == nullptr) return {};
  return std::span<const row>(new_rows, count);
}

}  // namespace abut
