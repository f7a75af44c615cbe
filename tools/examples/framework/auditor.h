/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Auditors: called before and after each algorithm, without its knowledge.
 */
#ifndef FRAMEWORK_AUDITOR_H
#define FRAMEWORK_AUDITOR_H

#include <vector>

#include "algorithm.h"
#include "event.h"
#include "property.h"

namespace framework
{

class Configuration;

/**
 * struct Course - what is known before the first event
 * @branches: all places of algorithms, parents first
 * @events: number of events
 * @threads: number of threads
 */
struct Course {
	Branches branches;
	long events;
	unsigned int threads;
};

/* Threads call an auditor at the same time, but for initialize() and finalize(). */
class Auditor : public Component
{
public:
	/* Return: whether there is anything to do. Otherwise the auditor is not called again. */
	virtual bool initialize(const Course &) { return true; }

	/* A thread begins. */
	virtual void beginThread(unsigned int) {}

	virtual void beginEvent(const Event &) {}
	virtual void endEvent(const Event &) {}

	/* @branch: the algorithm, and where it is executed. Calls are balanced. */
	virtual void before(const Event &event, const Branch &branch) = 0;
	virtual void after(const Event &event, const Branch &branch) = 0;

	virtual void finalize() {}
};

/* The auditors in use. Those that are called before first are called after last. */
class AuditorSvc : public Component
{
public:
	void initialize(const Configuration &configuration, const Course &course);
	void beginThread(unsigned int thread) const;
	void beginEvent(const Event &event) const;
	void endEvent(const Event &event) const;
	void finalize() const;

	void before(const Event &event, const Branch &branch) const
	{
		for (Auditor *auditor : auditors)
			auditor->before(event, branch);
	}

	void after(const Event &event, const Branch &branch) const
	{
		for (auto auditor = auditors.rbegin(); auditor != auditors.rend(); ++auditor)
			(*auditor)->after(event, branch);
	}

private:
	Property<Strings> names{*this, "Auditors", "auditors to call"};
	std::vector<Auditor *> auditors;
};

/* Calls auditors around an algorithm, also when an exception ends it. */
class AuditorGuard
{
public:
	AuditorGuard(const Event &event, const Branch &branch) : event(event), branch(branch)
	{
		event.auditors.before(event, branch);
	}

	~AuditorGuard()
	{
		event.auditors.after(event, branch);
	}

	AuditorGuard(const AuditorGuard &) = delete;
	AuditorGuard &operator=(const AuditorGuard &) = delete;

private:
	const Event &event;
	const Branch &branch;
};

} /* namespace framework */

#endif /* FRAMEWORK_AUDITOR_H */
