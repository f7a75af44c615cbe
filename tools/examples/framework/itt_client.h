/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of ITT, Intel's instrumentation and tracing technology, that the example calls. An
 * application of its own would be linked with the static part of github.com/intel/ittapi, which
 * Debian 12 does not package; this one is as small as can be. Both load the collector whose
 * file is in the environment, and have its functions at the same binary interface.
 */
#ifndef ITT_CLIENT_H
#define ITT_CLIENT_H

#ifdef __cplusplus
extern "C" {
#endif

/* The environment: the file of the collector. */
#define ITT_COLLECTOR	"INTEL_LIBITTNOTIFY64"

/* What the collector has made; the client need not look inside. */
struct itt_domain;
struct itt_string;

/* Identity of a task; none is needed for those that nest. */
struct itt_id {
	unsigned long long d1, d2, d3;
};

/**
 * struct itt_functions - functions of the collector; those that it does not have do nothing
 * @domain: a name for all tasks of a library; the same name gives the same domain
 * @string: the name of a task, likewise
 * @task_begin: the calling thread begins a task, in the one that it began last
 * @task_end: it ends the one that it began last
 * @event_create: an event; its name has @length bytes. Returns its number
 * @event_start: the calling thread begins an event
 * @event_end: it ends it
 * @pause: collect nothing in this process
 * @resume: collect again
 * @thread_name: of the calling thread
 */
struct itt_functions {
	struct itt_domain *(*domain)(const char *name);
	struct itt_string *(*string)(const char *name);
	void (*task_begin)(const struct itt_domain *domain, struct itt_id task,
			   struct itt_id parent, struct itt_string *name);
	void (*task_end)(const struct itt_domain *domain);
	int (*event_create)(const char *name, int length);
	int (*event_start)(int event);
	int (*event_end)(int event);
	void (*pause)(void);
	void (*resume)(void);
	void (*thread_name)(const char *name);
};

/**
 * itt_load() - load the collector
 * @why: set to the reason if it cannot be loaded, else to NULL
 *
 * Not to be called by several threads at a time. Return: NULL if none is asked for, or it
 * cannot be loaded.
 */
const struct itt_functions *itt_load(const char **why);

#ifdef __cplusplus
}
#endif

#endif /* ITT_CLIENT_H */
