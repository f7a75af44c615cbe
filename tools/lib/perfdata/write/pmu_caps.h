/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Capabilities of the machine's PMUs as the contents of features. Nothing is added to the
 * blob of what the machine does not report.
 *
 * @root: precedes the names of all files: "", or a folder in tests.
 */
#ifndef KERMON_PERFDATA_PMU_CAPS_H
#define KERMON_PERFDATA_PMU_CAPS_H

#include "blob.h"

/* CPU_PMU_CAPS: of the PMU "cpu". */
void pmu_caps_cpu(const char *root, struct blob *blob);

/* PMU_CAPS: of all others. */
void pmu_caps_others(const char *root, struct blob *blob);

/* HYBRID_TOPOLOGY: the CPUs of each kind of core. */
void pmu_caps_hybrid(const char *root, struct blob *blob);

#endif /* KERMON_PERFDATA_PMU_CAPS_H */
