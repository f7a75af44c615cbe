// SPDX-License-Identifier: GPL-2.0
/*
 * Algorithms on hits of a detector. HitCreator allocates each hit, as reconstruction programs
 * do; HitSorter sorts hits by their place.
 */
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "factory.h"
#include "workload.h"

using namespace framework;

namespace
{

struct Hit {
	double x, y, z;
	uint32_t channel;

	bool operator<(const Hit &other) const { return z < other.z; }
};

constexpr unsigned int NR_SENSORS = 64;
using Sensors = std::array<std::vector<std::unique_ptr<Hit>>, NR_SENSORS>;

class HitCreator : public Workload
{
public:
	HitCreator() : Workload(1000, "hits per event, each allocated by operator new") {}

protected:
	bool execute(Event &event) const override;
};

__attribute__((noinline)) void create_hits(Random &random, long nr, Sensors &sensors)
{
	for (long i = 0; i < nr; i++) {
		uint64_t bits = random.bits();
		auto hit = std::make_unique<Hit>();

		hit->channel = static_cast<uint32_t>(bits);
		hit->x = static_cast<double>(bits % 1000);
		sensors[bits >> 58].push_back(std::move(hit));
	}
}

bool HitCreator::execute(Event &event) const
{
	Random numbers = random(event);
	Sensors sensors;

	create_hits(numbers, amount(numbers), sensors);
	for (const auto &hits : sensors)
		event.checksum += hits.size() * (hits.empty() ? 1 : hits.back()->channel);
	return true;
}

class HitSorter : public Workload
{
public:
	HitSorter() : Workload(1000, "hits to sort in each event") {}

protected:
	bool execute(Event &event) const override;
};

__attribute__((noinline)) void sort_hits(std::vector<Hit> &hits)
{
	/* By pointers, for the sake of shorter names of functions. */
	std::sort(hits.data(), hits.data() + hits.size());
}

bool HitSorter::execute(Event &event) const
{
	Random numbers = random(event);
	std::vector<Hit> hits(static_cast<size_t>(amount(numbers)));

	for (Hit &hit : hits) {
		hit.z = numbers.uniform();
		hit.channel = static_cast<uint32_t>(numbers.bits());
	}
	sort_hits(hits);
	if (!hits.empty())
		event.checksum += hits[hits.size() / 2].channel;
	return true;
}

FRAMEWORK_COMPONENT(HitCreator)
FRAMEWORK_COMPONENT(HitSorter)

} /* namespace */
