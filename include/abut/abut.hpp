#pragma once

/// Includes all of abut, which finds every pair of touching bodies among millions. Start with abut/search.hpp.

#include <abut/bodies.hpp>
#include <abut/contacts.hpp>
#include <abut/error.hpp>
#include <abut/geometry.hpp>
#include <abut/instructions.hpp>
#include <abut/methods.hpp>
#include <abut/other_set.hpp>
#include <abut/overlap.hpp>
#include <abut/plan.hpp>
#include <abut/planner.hpp>
#include <abut/search.hpp>
#include <abut/sketch.hpp>
#include <abut/version.hpp>
