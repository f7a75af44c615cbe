// SPDX-License-Identifier: GPL-2.0
/*
 * Algorithms that do not compute: BankReader waits, EventFilter decides, and EventBreaker
 * throws an exception.
 */
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "factory.h"
#include "workload.h"

using namespace framework;

namespace
{

class BankReader : public Workload
{
public:
	BankReader() : Workload(100, "microseconds to wait in each event") {}

protected:
	bool execute(Event &event) const override
	{
		Random numbers = random(event);
		std::unique_lock<std::mutex> guard(device, std::defer_lock);

		if (exclusive)
			guard.lock();
		std::this_thread::sleep_for(std::chrono::microseconds(amount(numbers)));
		return true;
	}

private:
	Property<bool> exclusive{*this, "Exclusive", false,
				 "one thread at a time waits, others wait for it in a futex"};
	mutable std::mutex device;
};

class EventFilter : public Algorithm
{
protected:
	bool execute(Event &event) const override
	{
		return event.number % every == 0 && random(event).uniform() < accept;
	}

private:
	Property<double> accept{*this, "Accept", 1, "part of events that pass, at random", 0, 1};
	Property<long> every{*this, "Every", 1, "passes events whose number is a multiple", 1};
};

class EventBreaker : public Algorithm
{
protected:
	bool execute(Event &event) const override
	{
		if (event.number % every == 0)
			throw std::runtime_error("`" + name() + "` cannot process it");
		return true;
	}

private:
	Property<long> every{*this, "Every", 1, "fails in events whose number is a multiple", 1};
};

FRAMEWORK_COMPONENT(BankReader)
FRAMEWORK_COMPONENT(EventFilter)
FRAMEWORK_COMPONENT(EventBreaker)

} /* namespace */
