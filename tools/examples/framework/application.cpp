// SPDX-License-Identifier: GPL-2.0
/*
 * The event loop. Event n is processed by thread (n - 1) modulo the number of threads, so that
 * each thread does the same in each run.
 */
#include "application.h"

#include <algorithm>
#include <ctime>
#include <exception>
#include <thread>

#include <sys/prctl.h>

#include "configuration.h"
#include "factory.h"

namespace framework
{

void Summary::fail(long event, const std::string &why)
{
	failed++;
	if (!first_failed || event < first_failed) {
		first_failed = event;
		first_failure = why;
	}
}

void Summary::add(const Summary &other)
{
	events += other.events;
	passed += other.passed;
	checksum += other.checksum;
	if (other.failed) {
		fail(other.first_failed, other.first_failure);
		failed += other.failed - 1;
	}
}

void ApplicationMgr::configure(const Configuration &configuration, AuditorSvc &service)
{
	if (names.get().empty())
		throw ConfigurationError("nothing to execute: set ApplicationMgr().TopAlg");
	for (const std::string &each : names.get())
		top.push_back(std::make_unique<Branch>(configuration,
						       configuration.need<Algorithm>(each, name()),
						       nullptr, course.branches));
	for (const Branch *branch : course.branches) {
		if (std::find(algorithms.begin(), algorithms.end(), &branch->algorithm) !=
		    algorithms.end())
			continue;
		branch->algorithm.number = static_cast<unsigned int>(algorithms.size());
		algorithms.push_back(&branch->algorithm);
	}
	course.events = events;
	course.threads = static_cast<unsigned int>(threads);
	auditors = &service;
	auditors->initialize(configuration, course);
}

static double now(clockid_t clock)
{
	timespec time;

	clock_gettime(clock, &time);
	return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Summary ApplicationMgr::run()
{
	for (Algorithm *algorithm : algorithms)
		algorithm->initialize();
	double start = now(CLOCK_MONOTONIC), cpu_start = now(CLOCK_PROCESS_CPUTIME_ID);
	Summary summary = loop();
	summary.seconds = now(CLOCK_MONOTONIC) - start;
	summary.cpu_seconds = now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
	for (Algorithm *algorithm : algorithms)
		algorithm->finalize();
	auditors->finalize();
	return summary;
}

/* The main thread is the first one. */
Summary ApplicationMgr::loop()
{
	std::vector<Summary> summaries(course.threads);
	std::vector<std::thread> others;

	for (unsigned int thread = 1; thread < course.threads; thread++)
		others.emplace_back([&, thread] { summaries[thread] = process(thread); });
	Summary summary = process(0);
	for (std::thread &other : others)
		other.join();
	for (const Summary &other : summaries)
		summary.add(other);
	return summary;
}

Summary ApplicationMgr::process(unsigned int thread)
{
	Summary summary;

	/* Tells threads that process events from python3, which has run the options. */
	prctl(PR_SET_NAME, "events");
	auditors->beginThread(thread);
	for (long number = thread + 1; number <= events; number += threads) {
		Event event{ number, thread, Random(seed + number * 0x10001UL).bits(), *auditors,
			     std::vector<Decision>(algorithms.size(), Decision::None) };
		summary.events++;
		auditors->beginEvent(event);
		try {
			summary.passed += process(event);
		} catch (const std::exception &error) {
			summary.fail(number, error.what());
		}
		auditors->endEvent(event);
		summary.checksum += event.checksum;
	}
	return summary;
}

bool ApplicationMgr::process(Event &event)
{
	bool passed = true;

	for (const auto &branch : top) {
		if (!branch->algorithm.sysExecute(event, *branch))
			passed = false;
	}
	return passed;
}

FRAMEWORK_COMPONENT(ApplicationMgr)

} /* namespace framework */
