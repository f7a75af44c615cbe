// SPDX-License-Identifier: GPL-2.0
/*
 * Regions and their marks. All is decided before the first event: which branches are marked
 * depends on the branch alone, so that threads share nothing that changes.
 */
#include "region_marks.h"

#include <fnmatch.h>

namespace framework
{

static bool matches(const Strings &patterns, const std::string &name)
{
	for (const std::string &pattern : patterns) {
		if (!fnmatch(pattern.c_str(), name.c_str(), 0))
			return true;
	}
	return false;
}

Regions chosen_regions(const Branches &branches, const Strings &included, const Strings &excluded)
{
	Regions regions(branches.size());
	std::vector<bool> on(branches.size());

	/* Parents come first. */
	for (const Branch *branch : branches) {
		const std::string &name = branch->algorithm.name();
		const Branch *parent = branch->parent;
		Region &region = regions[branch->index];
		bool outside = parent ? on[parent->index] : included.empty();
		bool inside = !matches(excluded, name) && (matches(included, name) || outside);

		on[branch->index] = inside;
		region.marked = inside || outside;
		region.name = inside ? name : EXCLUDED;
		if (parent)
			region.around = regions[parent->index].marked ? parent :
									regions[parent->index].around;
	}
	return regions;
}

namespace
{

class NestedTasks : public RegionMarks
{
public:
	NestedTasks(const itt_functions &itt, Regions regions, const std::string &domain)
		: itt(itt), domain(itt.domain(domain.c_str()))
	{
		for (const Region &region : regions)
			names.push_back(region.marked ? itt.string(region.name.c_str()) : nullptr);
	}

	void begin(const Branch &branch) const override
	{
		if (names[branch.index])
			itt.task_begin(domain, {}, {}, names[branch.index]);
	}

	void end(const Branch &branch) const override
	{
		if (names[branch.index])
			itt.task_end(domain);
	}

private:
	const itt_functions &itt;
	const itt_domain *const domain;
	std::vector<itt_string *> names;
};

class FlatEvents : public RegionMarks
{
public:
	FlatEvents(const itt_functions &itt, const Branches &branches, Regions chosen,
		   const std::string &delimiter)
		: itt(itt), regions(std::move(chosen)), events(regions.size())
	{
		for (const Branch *branch : branches) {
			Region &region = regions[branch->index];
			if (!region.marked)
				continue;
			if (region.around)
				region.name = regions[region.around->index].name + delimiter +
					      region.name;
			events[branch->index] =
				itt.event_create(region.name.c_str(),
						 static_cast<int>(region.name.size()));
		}
	}

	void begin(const Branch &branch) const override
	{
		const Region &region = regions[branch.index];

		if (!region.marked)
			return;
		if (region.around)
			itt.event_end(events[region.around->index]);
		itt.event_start(events[branch.index]);
	}

	void end(const Branch &branch) const override
	{
		const Region &region = regions[branch.index];

		if (!region.marked)
			return;
		itt.event_end(events[branch.index]);
		if (region.around)
			itt.event_start(events[region.around->index]);
	}

private:
	const itt_functions &itt;
	Regions regions;
	std::vector<int> events;
};

} /* namespace */

std::unique_ptr<RegionMarks> nested_tasks(const itt_functions &itt, Regions regions,
					  const std::string &domain)
{
	return std::make_unique<NestedTasks>(itt, std::move(regions), domain);
}

std::unique_ptr<RegionMarks> flat_events(const itt_functions &itt, const Branches &branches,
					 Regions regions, const std::string &delimiter)
{
	return std::make_unique<FlatEvents>(itt, branches, std::move(regions), delimiter);
}

} /* namespace framework */
