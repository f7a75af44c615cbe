/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which branches are regions, and how they are marked by ITT.
 */
#ifndef FRAMEWORK_REGION_MARKS_H
#define FRAMEWORK_REGION_MARKS_H

#include <memory>
#include <string>
#include <vector>

#include "algorithm.h"
#include "itt_client.h"

namespace framework
{

/**
 * struct Region - what a branch is to be marked as
 * @marked: it is marked at all
 * @name: of the region alone
 * @around: the branch that is marked around it, or NULL
 */
struct Region {
	bool marked = false;
	std::string name;
	const Branch *around = nullptr;
};

/* Regions by index of the branch. */
using Regions = std::vector<Region>;

/* The region of algorithms that were excluded. */
inline constexpr char EXCLUDED[] = "[excluded]";

/**
 * chosen_regions() - the regions of all branches
 * @included: algorithms that are marked, with all that they execute; empty: all
 * @excluded: those that are not
 *
 * Both have names or patterns, as the shell's; of nested algorithms, the inner one decides.
 * Where something excluded begins within a region, it is a region EXCLUDED, so that its time
 * is not that of the region around it.
 */
Regions chosen_regions(const Branches &branches, const Strings &included, const Strings &excluded);

/* Marks regions. Threads call begin() and end() at the same time. */
class RegionMarks
{
public:
	virtual ~RegionMarks() = default;
	virtual void begin(const Branch &branch) const = 0;
	virtual void end(const Branch &branch) const = 0;
};

/* By tasks, which nest: inclusive and exclusive times are exact. */
std::unique_ptr<RegionMarks> nested_tasks(const itt_functions &itt, Regions regions,
					  const std::string &domain);

/*
 * By events, as Gaudi's auditor: an event is named by all regions from the outermost one, and
 * ends while another one begins in it. So their times are exclusive.
 */
std::unique_ptr<RegionMarks> flat_events(const itt_functions &itt, const Branches &branches,
					 Regions regions, const std::string &delimiter);

} /* namespace framework */

#endif /* FRAMEWORK_REGION_MARKS_H */
