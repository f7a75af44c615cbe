/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the algorithms of the example have in common: how much they do in an event.
 */
#ifndef FRAMEWORK_WORKLOAD_H
#define FRAMEWORK_WORKLOAD_H

#include "algorithm.h"

namespace framework
{

class Workload : public Algorithm
{
protected:
	explicit Workload(long preset, const char *what)
		: size(*this, "Size", preset, what, 0, 100000000)
	{
	}

	/* Of this event: Size on average. */
	long amount(Random &random) const
	{
		double factor = 1 + spread * (2 * random.uniform() - 1);

		return static_cast<long>(static_cast<double>(size) * factor + 0.5);
	}

private:
	Property<long> size;
	Property<double> spread{*this, "Spread", 0.5,
				"how much sizes of events differ: 1 is from 0 to twice Size", 0, 1};
};

} /* namespace framework */

#endif /* FRAMEWORK_WORKLOAD_H */
