// SPDX-License-Identifier: GPL-2.0
/*
 * TimerAuditor: measures each execution of each algorithm exactly, by clocks, and prints a
 * table. It is the reference for what is estimated from samples.
 */
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>

#include <unistd.h>

#include "auditor.h"
#include "factory.h"

using namespace framework;

namespace
{

long now(clockid_t clock)
{
	timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

/* Both clocks at an instant, in ns. */
struct Instant {
	long elapsed = 0, cpu = 0;
};

/* Executions of a branch; times in ns. */
struct Total {
	long calls = 0;
	long elapsed = 0, cpu = 0, shortest = 0, longest = 0;
	long members = 0;	/* CPU time of what it executes itself */

	void count(const Instant &begin, const Instant &end)
	{
		long took = end.elapsed - begin.elapsed;

		shortest = calls ? std::min(shortest, took) : took;
		longest = std::max(longest, took);
		calls++;
		elapsed += took;
		cpu += end.cpu - begin.cpu;
	}

	void add(const Total &other)
	{
		if (!other.calls)
			return;
		shortest = calls ? std::min(shortest, other.shortest) : other.shortest;
		longest = std::max(longest, other.longest);
		calls += other.calls;
		elapsed += other.elapsed;
		cpu += other.cpu;
		members += other.members;
	}
};

struct Interval {
	unsigned int branch;
	long begin, end;
};

/* Of one thread: others do not write to its cache lines. */
struct alignas(64) Clocks {
	std::vector<Instant> begun;		/* by depth */
	std::vector<Total> totals;		/* by index of the branch */
	std::vector<Interval> intervals;
	int tid = 0;
};

class TimerAuditor : public Auditor
{
public:
	bool initialize(const Course &course) override
	{
		branches = course.branches;
		threads.resize(course.threads);
		for (Clocks &thread : threads) {
			thread.totals.resize(branches.size());
			for (const Branch *branch : branches)
				thread.begun.resize(std::max<size_t>(thread.begun.size(),
								     branch->depth + 1));
		}
		return true;
	}

	void beginThread(unsigned int thread) override
	{
		threads[thread].tid = gettid();
	}

	void before(const Event &event, const Branch &branch) override
	{
		threads[event.thread].begun[branch.depth] = { now(CLOCK_MONOTONIC),
							      now(CLOCK_THREAD_CPUTIME_ID) };
	}

	void after(const Event &event, const Branch &branch) override;
	void finalize() override;

private:
	void print(std::FILE *out) const;
	void write_intervals() const;

	Property<std::string> output{*this, "Output", "-",
				     "file of the table, as CSV; -: for people, on stdout"};
	Property<std::string> trace{*this, "Trace", "-",
				    "file of all executions: thread, begin and end in ns of "
				    "CLOCK_MONOTONIC, path of algorithms; -: none"};
	Branches branches;
	std::vector<Clocks> threads;
};

void TimerAuditor::after(const Event &event, const Branch &branch)
{
	Clocks &thread = threads[event.thread];
	const Instant &begin = thread.begun[branch.depth];
	Instant end = { now(CLOCK_MONOTONIC), now(CLOCK_THREAD_CPUTIME_ID) };

	thread.totals[branch.index].count(begin, end);
	if (branch.parent)
		thread.totals[branch.parent->index].members += end.cpu - begin.cpu;
	if (trace.get() != "-")
		thread.intervals.push_back({ branch.index, begin.elapsed, end.elapsed });
}

void print_row(std::FILE *out, const Branch &branch, const Total &total)
{
	constexpr double MS = 1e6;
	std::string name = std::string(2 * branch.depth, ' ') + branch.algorithm.name();

	std::fprintf(out, "%-48s %8ld %11.3f %11.3f %11.3f %9.3f %9.3f\n", name.c_str(),
		     total.calls, total.elapsed / MS, total.cpu / MS,
		     (total.cpu - total.members) / MS, total.shortest / MS, total.longest / MS);
}

void print_values(std::FILE *out, const Branch &branch, const Total &total)
{
	std::fprintf(out, "%s,%ld,%ld,%ld,%ld,%ld,%ld\n", branch.path("/").c_str(), total.calls,
		     total.elapsed, total.cpu, total.cpu - total.members, total.shortest,
		     total.longest);
}

void TimerAuditor::print(std::FILE *out) const
{
	bool values = out != stdout;

	if (values)
		std::fprintf(out, "branch,calls,elapsed,cpu,self,shortest,longest\n");
	else
		std::fprintf(out, "%-48s %8s %11s %11s %11s %9s %9s\n", "algorithm; times in ms",
			     "calls", "elapsed", "CPU", "CPU, self", "shortest", "longest");
	for (const Branch *branch : branches) {
		Total total;
		for (const Clocks &thread : threads)
			total.add(thread.totals[branch->index]);
		(values ? print_values : print_row)(out, *branch, total);
	}
}

void TimerAuditor::write_intervals() const
{
	std::ofstream out(trace.get());

	for (const Clocks &thread : threads) {
		for (const Interval &each : thread.intervals)
			out << thread.tid << ' ' << each.begin << ' ' << each.end << ' '
			    << branches[each.branch]->path("/") << '\n';
	}
	if (!out.flush())
		throw std::runtime_error(trace.get() + ": cannot be written");
}

void TimerAuditor::finalize()
{
	if (output.get() == "-") {
		print(stdout);
	} else {
		std::FILE *out = std::fopen(output.get().c_str(), "w");
		if (!out)
			throw std::runtime_error(output.get() + ": cannot be written");
		print(out);
		if (std::fclose(out))
			throw std::runtime_error(output.get() + ": cannot be written");
	}
	if (trace.get() != "-")
		write_intervals();
}

FRAMEWORK_COMPONENT(TimerAuditor)

} /* namespace */
