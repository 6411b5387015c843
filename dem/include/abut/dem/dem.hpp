#pragma once

/// Includes all of the simulation. Start with abut/dem/simulation.hpp.

#include <abut/dem/box.hpp>
#include <abut/dem/doubts.hpp>
#include <abut/dem/flow.hpp>
#include <abut/dem/law.hpp>
#include <abut/dem/laws.hpp>
#include <abut/dem/materials.hpp>
#include <abut/dem/portable.hpp>
#include <abut/dem/simulation.hpp>
#include <abut/dem/state.hpp>
#include <abut/dem/vec.hpp>
#include <abut/dem/walls.hpp>
