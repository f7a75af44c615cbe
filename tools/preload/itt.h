/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface between ITT's static part, which applications and libraries are linked with,
 * and a collector: structures and prototypes as ittnotify.h and ittnotify_config.h of Intel's
 * ittapi have them (github.com/intel/ittapi, 3.x). Structures only grew at their end.
 *
 * The static part looks for __itt_api_init(), or, if it is older, for each function by name.
 */
#ifndef KERMON_PRELOAD_ITT_H
#define KERMON_PRELOAD_ITT_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define ITT_EXPORT	__attribute__((visibility("default")))

/* A time that is not given: now. */
#define ITT_NO_TIME	UINT64_MAX

/* Scopes of a pause: the host, or accelerators. */
#define ITT_SCOPE_HOST	1

enum itt_type {
	ITT_UNKNOWN,
	ITT_U64, ITT_S64, ITT_U32, ITT_S32, ITT_U16, ITT_S16, ITT_FLOAT, ITT_DOUBLE,
};

/* Both are made by us or by the static part; what is extra belongs to the collector. */
struct itt_domain {
	volatile int flags;		/* 0: off */
	const char *name;
	void *wide;
	int extra1;
	void *extra2;
	struct itt_domain *next;
};

struct itt_string {
	const char *text;
	void *wide;
	int extra1;
	void *extra2;
	struct itt_string *next;
};

struct itt_id {
	unsigned long long d1, d2, d3;
};

/* A function, in a list that ends with a name that is NULL. */
struct itt_api {
	const char *name;
	void **function;		/* what is called; NULL: nothing */
	void *init;
	void *null;			/* for it, if the collector has no such function */
	int group;
};

#pragma pack(push, 8)
struct itt_global {
	unsigned char magic[8];
	unsigned long version[3];
	volatile long flags[3];
	pthread_mutex_t mutex;
	void *library;
	void *error_handler;
	const char **path;
	struct itt_api *list;
};
#pragma pack(pop)

ITT_EXPORT void __itt_api_init(struct itt_global *global, int groups);
ITT_EXPORT void __itt_api_fini(struct itt_global *global);
ITT_EXPORT const char *__itt_api_version(void);

/* itt.c */
ITT_EXPORT struct itt_domain *__itt_domain_create(const char *name);
ITT_EXPORT struct itt_string *__itt_string_handle_create(const char *text);
ITT_EXPORT void __itt_pause(void);
ITT_EXPORT void __itt_resume(void);
ITT_EXPORT void __itt_pause_scoped(int scope);
ITT_EXPORT void __itt_resume_scoped(int scope);
ITT_EXPORT void __itt_detach(void);
ITT_EXPORT void __itt_thread_set_name(const char *name);
ITT_EXPORT int __itt_thr_name_set(const char *name, int length);
ITT_EXPORT uint64_t __itt_get_timestamp(void);

/* itt_tasks.c */
ITT_EXPORT void __itt_task_begin(const struct itt_domain *domain, struct itt_id id,
				 struct itt_id parent, struct itt_string *name);
ITT_EXPORT void __itt_task_begin_fn(const struct itt_domain *domain, struct itt_id id,
				    struct itt_id parent, void *function);
ITT_EXPORT void __itt_task_end(const struct itt_domain *domain);
ITT_EXPORT void __itt_task_begin_overlapped(const struct itt_domain *domain, struct itt_id id,
					    struct itt_id parent, struct itt_string *name);
ITT_EXPORT void __itt_task_end_overlapped(const struct itt_domain *domain, struct itt_id id);
ITT_EXPORT void __itt_region_begin(const struct itt_domain *domain, struct itt_id id,
				   struct itt_id parent, struct itt_string *name);
ITT_EXPORT void __itt_region_end(const struct itt_domain *domain, struct itt_id id);
ITT_EXPORT int __itt_event_create(const char *name, int length);
ITT_EXPORT int __itt_event_start(int event);
ITT_EXPORT int __itt_event_end(int event);
ITT_EXPORT void __itt_marker(const struct itt_domain *domain, struct itt_id id,
			     struct itt_string *name, int scope);
ITT_EXPORT int __itt_mark_create(const char *name);
ITT_EXPORT int __itt_mark(int mark, const char *parameter);
ITT_EXPORT int __itt_mark_global(int mark, const char *parameter);

/* itt_frames.c */
ITT_EXPORT void __itt_frame_begin_v3(const struct itt_domain *domain, struct itt_id *id);
ITT_EXPORT void __itt_frame_end_v3(const struct itt_domain *domain, struct itt_id *id);
ITT_EXPORT void __itt_frame_submit_v3(const struct itt_domain *domain, struct itt_id *id,
				      uint64_t begin, uint64_t end);
ITT_EXPORT void *__itt_frame_create(const char *name);
ITT_EXPORT void __itt_frame_begin(void *frame);
ITT_EXPORT void __itt_frame_end(void *frame);

/* itt_values.c */
ITT_EXPORT void *__itt_counter_create(const char *name, const char *domain);
ITT_EXPORT void *__itt_counter_create_typed(const char *name, const char *domain, int type);
ITT_EXPORT void *__itt_counter_create_v3(const struct itt_domain *domain, const char *name,
					 int type);
ITT_EXPORT void __itt_counter_inc(void *counter);
ITT_EXPORT void __itt_counter_inc_delta(void *counter, unsigned long long value);
ITT_EXPORT void __itt_counter_dec(void *counter);
ITT_EXPORT void __itt_counter_dec_delta(void *counter, unsigned long long value);
ITT_EXPORT void __itt_counter_inc_v3(const struct itt_domain *domain, struct itt_string *name);
ITT_EXPORT void __itt_counter_inc_delta_v3(const struct itt_domain *domain,
					   struct itt_string *name, unsigned long long value);
ITT_EXPORT void __itt_counter_dec_v3(const struct itt_domain *domain, struct itt_string *name);
ITT_EXPORT void __itt_counter_dec_delta_v3(const struct itt_domain *domain,
					   struct itt_string *name, unsigned long long value);
ITT_EXPORT void __itt_counter_set_value(void *counter, void *value);
ITT_EXPORT void __itt_counter_set_value_v3(void *counter, void *value);
ITT_EXPORT void __itt_metadata_add(const struct itt_domain *domain, struct itt_id id,
				   struct itt_string *key, int type, size_t nr, void *data);
ITT_EXPORT void __itt_metadata_add_with_scope(const struct itt_domain *domain, int scope,
					      struct itt_string *key, int type, size_t nr,
					      void *data);
ITT_EXPORT void __itt_metadata_str_add(const struct itt_domain *domain, struct itt_id id,
				       struct itt_string *key, const char *text, size_t length);
ITT_EXPORT void __itt_metadata_str_add_with_scope(const struct itt_domain *domain, int scope,
						  struct itt_string *key, const char *text,
						  size_t length);

#endif /* KERMON_PRELOAD_ITT_H */
