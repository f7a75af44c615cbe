/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The application: the event loop.
 */
#ifndef FRAMEWORK_APPLICATION_H
#define FRAMEWORK_APPLICATION_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithm.h"
#include "auditor.h"
#include "property.h"

namespace framework
{

class Configuration;

/**
 * struct Summary - what the event loop did
 * @events: events that were processed
 * @passed: those that all top algorithms passed
 * @failed: those that an exception ended
 * @first_failure: what the first of these exceptions says, by number of the event
 * @checksum: of all that was computed; depends on options and seed only
 * @seconds: how long the loop took
 * @cpu_seconds: CPU time of all threads meanwhile
 */
struct Summary {
	long events = 0, passed = 0, failed = 0, first_failed = 0;
	std::string first_failure;
	uint64_t checksum = 0;
	double seconds = 0, cpu_seconds = 0;

	void fail(long event, const std::string &why);
	void add(const Summary &other);
};

class ApplicationMgr : public Component
{
public:
	/* Call before anything else; ConfigurationError if the configuration is wrong. */
	void configure(const Configuration &configuration, AuditorSvc &auditors);

	/* Initialize, process all events, and finalize. */
	Summary run();

private:
	Summary loop();
	Summary process(unsigned int thread);
	bool process(Event &event);

	Property<long> events{*this, "EvtMax", 1000, "number of events", 0};
	Property<long> threads{*this, "Threads", 1, "threads, each with its own events", 1, 1024};
	Property<long> seed{*this, "Seed", 1, "of all random numbers", 0};
	Property<Strings> names{*this, "TopAlg", "algorithms to execute in each event"};

	std::vector<std::unique_ptr<Branch>> top;
	std::vector<Algorithm *> algorithms;	/* each once */
	Course course;
	AuditorSvc *auditors = nullptr;
};

} /* namespace framework */

#endif /* FRAMEWORK_APPLICATION_H */
