/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Algorithms: each processes an event and decides whether it passes. Sequences are algorithms
 * that execute others. One algorithm may be a member of several sequences: it is executed once
 * in an event, by the first of them.
 */
#ifndef FRAMEWORK_ALGORITHM_H
#define FRAMEWORK_ALGORITHM_H

#include <memory>
#include <string>
#include <vector>

#include "event.h"
#include "property.h"

namespace framework
{

class Branch;
class Configuration;

class Algorithm : public Component
{
public:
	/* Before the first event: in the main thread, once. */
	virtual void initialize() {}

	/* After the last event, likewise. */
	virtual void finalize() {}

	/* The algorithms that this one executes; of a sequence only. */
	virtual std::vector<Algorithm *> members(const Configuration &) { return {}; }

	/**
	 * sysExecute() - execute the algorithm, unless it was executed in this event
	 * @branch: where in the tree of sequences
	 *
	 * Auditors are called around it. Return: whether the event passes.
	 */
	bool sysExecute(Event &event, const Branch &branch) const;

	/* Number of the algorithm, from 0: its index in Event::decisions. */
	unsigned int number = 0;

protected:
	/**
	 * execute() - process an event
	 *
	 * Several threads may call it at a time, each with an event of its own. Return:
	 * whether the event passes. An exception ends the event.
	 */
	virtual bool execute(Event &event) const = 0;

	/* The same for those that execute others. */
	virtual bool run(Event &event, const Branch &) const { return execute(event); }

	/* Random numbers for this algorithm in an event. */
	Random random(const Event &event) const;
};

/**
 * class Branch - an algorithm in its place in the tree of sequences
 *
 * One that is in two sequences has two branches. The tree is complete before the first event,
 * so that auditors can prepare whatever they need for each branch.
 */
class Branch
{
public:
	/* Also creates the branches of members; ConfigurationError if one contains itself. */
	Branch(const Configuration &configuration, Algorithm &algorithm, const Branch *parent,
	       std::vector<const Branch *> &all);

	/* Names of all algorithms from the outermost one. */
	std::string path(const std::string &delimiter) const;

	Algorithm &algorithm;
	const Branch *const parent;
	std::vector<std::unique_ptr<Branch>> members;
	unsigned int index;		/* in the list of all branches, parents first */
	unsigned int depth;

private:
	void refuse_recursion() const;
};

using Branches = std::vector<const Branch *>;

} /* namespace framework */

#endif /* FRAMEWORK_ALGORITHM_H */
