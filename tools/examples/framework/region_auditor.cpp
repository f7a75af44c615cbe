// SPDX-License-Identifier: GPL-2.0
/*
 * RegionAuditor: marks algorithms as regions, by ITT, for the events that are asked for. It does
 * nothing if no collector is loaded.
 */
#include <atomic>
#include <cstdio>
#include <mutex>

#include "auditor.h"
#include "factory.h"
#include "region_marks.h"

using namespace framework;

namespace
{

class RegionAuditor : public Auditor
{
public:
	bool initialize(const Course &course) override;
	void beginThread(unsigned int thread) override;
	void beginEvent(const Event &event) override;
	void endEvent(const Event &event) override;

	void before(const Event &event, const Branch &branch) override
	{
		if (collects(event))
			marks->begin(branch);
	}

	void after(const Event &event, const Branch &branch) override
	{
		if (collects(event))
			marks->end(branch);
	}

private:
	bool collects(const Event &event) const
	{
		return event.number >= first && event.number <= last;
	}

	void find_range(const Course &course);

	Property<std::string> style{*this, "Style", "tasks",
				    "nested tasks, or flat events as those of Gaudi's auditor",
				    { "tasks", "events" }};
	Property<std::string> domain{*this, "Domain", "Framework", "domain of tasks"};
	Property<std::string> delimiter{*this, "TaskTypeNameDelimeter", " ",
					"between algorithms in the names of events"};
	Property<long> start{*this, "StartFromEventN", 1, "first event to collect; 0: none", 0};
	Property<long> stop{*this, "StopAtEventN", 0,
			    "first event that is not collected any more; 0: no end", 0};
	Property<Strings> include{*this, "IncludeAlgorithms",
				  "collect only these, and all that they execute", true};
	Property<Strings> exclude{*this, "ExcludeAlgorithms",
				  "do not collect these, nor what they execute", true};

	const itt_functions *itt = nullptr;
	std::unique_ptr<RegionMarks> marks;
	long first = 0, last = 0;
	std::once_flag resumed;
	std::atomic<long> left{0};	/* events to collect that have not ended */
};

void RegionAuditor::find_range(const Course &course)
{
	first = start;
	last = course.events;
	if (stop && stop - 1 < last)
		last = stop - 1;
	if (!start || first > last) {
		first = 1;
		last = 0;
		std::fprintf(stderr, "kermon-framework: `%s` collects none of %ld events: "
			     "StartFromEventN is %ld, StopAtEventN %ld\n", name().c_str(),
			     course.events, long(start), long(stop));
	}
	left = last - first + 1;
}

bool RegionAuditor::initialize(const Course &course)
{
	const char *why;

	itt = itt_load(&why);
	if (why)
		std::fprintf(stderr, "kermon-framework: no regions: cannot load the collector in "
			     ITT_COLLECTOR ": %s\n", why);
	if (!itt)
		return false;
	itt->pause();
	find_range(course);
	Regions regions = chosen_regions(course.branches, include.get(), exclude.get());
	if (style.get() == "tasks")
		marks = nested_tasks(*itt, std::move(regions), domain.get());
	else
		marks = flat_events(*itt, course.branches, std::move(regions), delimiter.get());
	return true;
}

void RegionAuditor::beginThread(unsigned int thread)
{
	itt->thread_name(("events " + std::to_string(thread)).c_str());
}

/* Other threads wait until the first one has resumed: no mark comes before that. */
void RegionAuditor::beginEvent(const Event &event)
{
	if (collects(event))
		std::call_once(resumed, [this] { itt->resume(); });
}

void RegionAuditor::endEvent(const Event &event)
{
	if (collects(event) && left.fetch_sub(1) == 1)
		itt->pause();
}

FRAMEWORK_COMPONENT(RegionAuditor)

} /* namespace */
