/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to estimate.c: the ceiling that many windows show.
 *
 * Other programs, and the machine's, only make a window slower, so the ceiling is what the
 * best windows reach. The value is the fifth best of n, which estimates the quantile
 * 1 - 4.5/n. From the tenth best to the best is an interval that covers that quantile with
 * a probability of 97 %, whatever the distribution (of order statistics: binomial).
 */
#ifndef KERMON_ESTIMATE_H
#define KERMON_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* The fewest windows of an estimate. */
#define ESTIMATE_LEAST	20

struct rate {
	double rate;
	double hertz;
};

/**
 * struct estimate - a ceiling
 * @value: per second
 * @low: begin of the interval; likewise @high, its end
 * @median: of all windows
 * @hertz: mean core clock in the interval; 0: not known
 * @windows: number of windows
 * @outliers: of these, farther from the quartiles than 1.5 times their distance (Tukey)
 * @dropped: number of windows that were disturbed, and are not among @windows
 * @tight: the interval was as narrow as asked for before the time was up
 */
struct estimate {
	double value;
	double low;
	double high;
	double median;
	double hertz;
	unsigned int windows;
	unsigned int outliers;
	unsigned int dropped;
	bool tight;
};

/* Sorts @rates, at least ESTIMATE_LEAST. */
void estimate_make(struct estimate *estimate, struct rate *rates, unsigned int nr);

/* Width of the interval as a fraction of the value. */
double estimate_width(const struct estimate *estimate);

#endif /* KERMON_ESTIMATE_H */
