/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event: what belongs to it while a thread executes algorithms.
 */
#ifndef FRAMEWORK_EVENT_H
#define FRAMEWORK_EVENT_H

#include <cstdint>
#include <vector>

namespace framework
{

class AuditorSvc;

/**
 * class Random - random numbers, the same on all machines
 *
 * Those of <random> are the same, but its distributions are not.
 */
class Random
{
public:
	explicit Random(uint64_t seed) : state(seed) {}

	/* SplitMix64 */
	uint64_t bits()
	{
		uint64_t mixed = state += 0x9e3779b97f4a7c15;

		mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
		mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
		return mixed ^ (mixed >> 31);
	}

	/* From 0 to 1, without 1. */
	double uniform()
	{
		return static_cast<double>(bits() >> 11) * 0x1p-53;
	}

	/* From 0 to n - 1. */
	uint64_t below(uint64_t n)
	{
		return static_cast<uint64_t>(uniform() * static_cast<double>(n));
	}

private:
	uint64_t state;
};

/* Whether an algorithm was executed in an event, and its decision. */
enum class Decision : uint8_t {
	None,
	Failed,
	Passed,
};

/**
 * struct Event - an event that a thread processes
 * @number: from 1
 * @thread: number of the thread, from 0
 * @seed: that of the event
 * @auditors: called around each algorithm
 * @decisions: by number of the algorithm
 * @checksum: of all that algorithms have computed, independent of their order
 */
struct Event {
	long number;
	unsigned int thread;
	uint64_t seed;
	const AuditorSvc &auditors;
	std::vector<Decision> decisions;
	uint64_t checksum = 0;
};

} /* namespace framework */

#endif /* FRAMEWORK_EVENT_H */
