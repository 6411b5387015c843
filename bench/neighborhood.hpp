#pragma once

/// nearest-neighbor: the time of a step, rebuilds included, over distances and motions.
void print_neighborhood();
