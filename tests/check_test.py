"""What ./dev check --brief chooses. Usage: check_test.py"""

import unittest

import check

LATER = {name: {"commit": name, "date": f"2026-01-0{day} 12:00", "seconds": "400"} for day, name in
         enumerate(("asan", "tsan", "arm", "fuzz", "site", "bench", "lint"), 1)}


def names(parts):
    return [p.name for p in parts]


class brief(unittest.TestCase):
    def test_runs_the_oldest_part_even_if_nothing_changed(self):
        chosen, left = check.choose_brief(LATER, lambda commit: [])
        self.assertEqual(names(chosen), ["test", "checked", "lint", "asan"])
        self.assertEqual(left, [])

    def test_runs_the_oldest_part_however_long_it_takes(self):
        record = LATER | {"asan": LATER["asan"] | {"seconds": "9000"}}
        chosen, left = check.choose_brief(record, lambda commit: ["fuzz/bodies_fuzz.cpp"])
        self.assertEqual(names(chosen), ["test", "checked", "lint", "asan"])
        self.assertEqual(names(left), ["fuzz"])

    def test_runs_what_the_change_concerns_as_far_as_time_reaches(self):
        files = ["src/base/kernels.hpp", "fuzz/bodies_fuzz.cpp", "docs/scenes.md", "bench/far.cpp"]
        chosen, left = check.choose_brief(LATER, lambda commit: files)
        self.assertEqual(names(chosen), ["test", "checked", "lint", "asan", "arm"])
        self.assertEqual(names(left), ["fuzz", "site", "bench"])

    def test_what_never_passed_comes_first(self):
        record = {name: row for name, row in LATER.items() if name != "site"}
        chosen, _ = check.choose_brief(record, lambda commit: [])
        self.assertEqual(names(chosen), ["test", "checked", "lint", "site"])

    def test_what_is_random_never_decides(self):
        chosen, left = check.choose_brief({}, lambda commit: None)
        self.assertNotIn("scenes", names([*chosen, *left]))

    def test_of_two_on_one_day_the_earlier_comes_first(self):
        record = LATER | {"site": LATER["site"] | {"date": "2026-01-01 11:59"}}
        chosen, _ = check.choose_brief(record, lambda commit: [])
        self.assertEqual(names(chosen), ["test", "checked", "lint", "site"])

    def test_lints_everything_unless_it_knows_since_when(self):
        lint = next(p for p in check.PARTS if p.name == "lint")
        self.assertEqual(check.brief_command(lint, LATER, lambda commit: []), "./dev lint --changed lint")
        self.assertEqual(check.brief_command(lint, LATER, lambda commit: None), "./dev lint")
        self.assertEqual(check.brief_command(lint, {}, lambda commit: []), "./dev lint")


if __name__ == "__main__":
    unittest.main()
