// SPDX-License-Identifier: GPL-2.0
/* The service that calls all auditors. */
#include "auditor.h"

#include "configuration.h"
#include "factory.h"

namespace framework
{

void AuditorSvc::initialize(const Configuration &configuration, const Course &course)
{
	for (const std::string &each : names.get()) {
		Auditor &auditor = configuration.need<Auditor>(each, name());
		if (auditor.initialize(course))
			auditors.push_back(&auditor);
	}
}

void AuditorSvc::beginThread(unsigned int thread) const
{
	for (Auditor *auditor : auditors)
		auditor->beginThread(thread);
}

void AuditorSvc::beginEvent(const Event &event) const
{
	for (Auditor *auditor : auditors)
		auditor->beginEvent(event);
}

void AuditorSvc::endEvent(const Event &event) const
{
	for (auto auditor = auditors.rbegin(); auditor != auditors.rend(); ++auditor)
		(*auditor)->endEvent(event);
}

void AuditorSvc::finalize() const
{
	for (Auditor *auditor : auditors)
		auditor->finalize();
}

FRAMEWORK_COMPONENT(AuditorSvc)

} /* namespace framework */
