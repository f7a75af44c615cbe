// SPDX-License-Identifier: GPL-2.0
/*
 * Sequence: executes its members in order. By default it passes if all members pass, and ends
 * at the first one that fails.
 */
#include "algorithm.h"
#include "configuration.h"
#include "factory.h"

using namespace framework;

namespace
{

class Sequence : public Algorithm
{
public:
	std::vector<Algorithm *> members(const Configuration &configuration) override
	{
		std::vector<Algorithm *> found;

		for (const std::string &member : names.get())
			found.push_back(&configuration.need<Algorithm>(member, name()));
		return found;
	}

protected:
	bool execute(Event &) const override { return true; }

	bool run(Event &event, const Branch &branch) const override
	{
		bool passed = !either;

		for (const auto &member : branch.members) {
			bool decision = member->algorithm.sysExecute(event, *member);
			passed = either ? passed || decision : passed && decision;
			/* What follows cannot change the result. */
			if (short_circuit && decision == either)
				break;
		}
		return passed || ignore;
	}

private:
	Property<Strings> names{*this, "Members", "algorithms to execute, in this order"};
	Property<bool> either{*this, "ModeOR", false, "passes if any member passes, not all"};
	Property<bool> short_circuit{*this, "ShortCircuit", true,
				     "ends when members that follow cannot change the result"};
	Property<bool> ignore{*this, "IgnoreFilterPassed", false, "passes whatever members do"};
};

FRAMEWORK_COMPONENT(Sequence)

} /* namespace */
