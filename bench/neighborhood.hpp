#pragma once

/// Prints what a step takes with nearest-neighbor, rebuilds included, over distances and motions.
void print_neighborhood();
