// A list as its users see it.

#include <abut/contacts.hpp>

#include "base/parallel.hpp"
#include "contacts/list_state.hpp"

namespace abut {

namespace {

constexpr std::size_t rows_per_block = 1024;

}  // namespace

contact_list::contact_list(contact_options o, std::size_t bytes, const void* fresh)
    : state_(std::make_unique<state>(std::move(o), bytes, fresh)), view_(state_->view()) {}
contact_list::~contact_list() = default;
contact_list::contact_list(contact_list&&) noexcept = default;
contact_list& contact_list::operator=(contact_list&&) noexcept = default;

bool contact_list::hold(const bodies& b) { return state_->hold(b, nullptr); }
bool contact_list::hold(const bodies& b, const bodies& others) { return state_->hold(b, &others); }
bool contact_list::hold(const bodies& b, double spare, std::uint64_t steps) {
  return state_->hold(b, nullptr, spare, steps);
}
double contact_list::left() const { return state_->left(); }
bool contact_list::hold(double displacement) { return state_->hold(displacement); }
void contact_list::expire() { state_->expire(); }
double contact_list::reach(const search& s, const bodies& b, const std::optional<periodic_axes>& periodic) const {
  return state_->reach(s, b, periodic);
}

// Whatever becomes of a call, the arrays are shown as they are.
template <class F>
auto contact_list::shown(F&& f) {
  class at_end {
   public:
    explicit at_end(contact_list& list) : list_(list) {}
    ~at_end() { list_.view_ = list_.state_->view(); }
    at_end(const at_end&) = delete;
    at_end& operator=(const at_end&) = delete;

   private:
    contact_list& list_;
  };
  const at_end show(*this);
  return state_->whole(std::forward<F>(f));
}

void contact_list::update(search& s, const identities& who) {
  shown([&] { state_->update(s, nullptr, who); });
}
void contact_list::update_between(search& s, const bodies& others, const identities& who) {
  shown([&] { state_->update(s, &others, who); });
}
bool contact_list::follow(search& s, const bodies& b, const identities& who) {
  return shown([&] { return state_->follow(s, b, nullptr, who); });
}
bool contact_list::follow_between(search& s, const bodies& b, const bodies& others, const identities& who) {
  return shown([&] { return state_->follow(s, b, &others, who); });
}

std::span<const contact_list::ended_contact> contact_list::ended_contacts() const { return state_->ended(); }
neighbor_list contact_list::neighbors(const bodies& b, const neighbor_options& o) const {
  return state_->neighbors(b, nullptr, o);
}
neighbor_list contact_list::neighbors(const bodies& b, const bodies& others, const neighbor_options& o) const {
  return state_->neighbors(b, &others, o);
}
saved_contacts contact_list::save() const { return state_->save(); }
void contact_list::load(const saved_contacts& from, std::size_t rows, const identities& who) {
  shown([&] { state_->load(from, rows, {}, who); });
}
void contact_list::load_between(const saved_contacts& from, std::size_t rows, std::size_t other_rows,
                                const identities& who) {
  shown([&] { state_->load(from, rows, other_rows, who); });
}
contact_list::list_stats contact_list::stats() const { return state_->stats(); }

void contact_list::run_blocks(block_call f) const {
  parallel_blocks(state_->threads(), view_.rows, rows_per_block,
                  [&](std::size_t, std::size_t from, std::size_t to) { f.call(f.context, from, to); });
}
void contact_list::run_tasks(std::size_t tasks, block_call f) const {
  parallel_for(state_->threads(), tasks, [&](std::size_t task) { f.call(f.context, task, task + 1); });
}

}  // namespace abut
