#ifndef ABUT_DOCS_PRELUDE_H
#define ABUT_DOCS_PRELUDE_H

// What the documentation's fragments in C may take for granted. They are compiled, not run.

#include <abut/abut.h>
#include <stdint.h>
#include <stdio.h>

extern abut_search* search;
extern abut_bodies grains;
extern double x[100], y[100], z[100], r[100];

#endif
