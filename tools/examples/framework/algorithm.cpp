// SPDX-License-Identifier: GPL-2.0
/* What all algorithms have in common, and the tree of branches. */
#include "algorithm.h"

#include "auditor.h"

namespace framework
{

/* A tree that is larger has the same sequences again and again. */
static constexpr unsigned int MAX_BRANCHES = 100000;

bool Algorithm::sysExecute(Event &event, const Branch &branch) const
{
	Decision &decision = event.decisions[number];

	if (decision == Decision::None) {
		AuditorGuard guard(event, branch);
		decision = run(event, branch) ? Decision::Passed : Decision::Failed;
	}
	return decision == Decision::Passed;
}

/* FNV-1a of the name: std::hash need not be the same everywhere. */
Random Algorithm::random(const Event &event) const
{
	uint64_t hash = 0xcbf29ce484222325;

	for (unsigned char character : name())
		hash = (hash ^ character) * 0x100000001b3;
	return Random(event.seed ^ hash);
}

Branch::Branch(const Configuration &configuration, Algorithm &algorithm, const Branch *parent,
	       Branches &all)
	: algorithm(algorithm), parent(parent), index(static_cast<unsigned int>(all.size())),
	  depth(parent ? parent->depth + 1 : 0)
{
	refuse_recursion();
	if (index >= MAX_BRANCHES)
		throw ConfigurationError("the tree of sequences has more than " +
					 std::to_string(MAX_BRANCHES) + " branches");
	all.push_back(this);
	for (Algorithm *member : algorithm.members(configuration))
		members.push_back(std::make_unique<Branch>(configuration, *member, this, all));
}

void Branch::refuse_recursion() const
{
	for (const Branch *above = parent; above; above = above->parent) {
		if (&above->algorithm == &algorithm)
			throw ConfigurationError("sequence `" + algorithm.name() +
						 "` contains itself: " + path(" > "));
	}
}

std::string Branch::path(const std::string &delimiter) const
{
	return parent ? parent->path(delimiter) + delimiter + algorithm.name() :
			algorithm.name();
}

} /* namespace framework */
