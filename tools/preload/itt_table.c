// SPDX-License-Identifier: GPL-2.0
/*
 * All functions of ITT on Linux, by what becomes of them: those that are supported, with the
 * marks that they make, and those without which nothing is wrong, with the reason.
 */
#include <stddef.h>
#include <string.h>

#include "itt.h"
#include "itt_table.h"

#define SUPPORTED(name)	{ "__itt_" #name, (void *)__itt_##name }
#define HARMLESS(name)	{ "__itt_" #name, NULL }

static const struct {
	const char *name;
	void *function;
} table[] = {
	/* names */
	SUPPORTED(domain_create),
	SUPPORTED(string_handle_create),
	/* MARK_BEGIN and MARK_END */
	SUPPORTED(task_begin),
	SUPPORTED(task_begin_fn),
	SUPPORTED(task_end),
	SUPPORTED(event_create),
	SUPPORTED(event_start),
	SUPPORTED(event_end),
	/* MARK_OPEN and MARK_CLOSE */
	SUPPORTED(task_begin_overlapped),
	SUPPORTED(task_end_overlapped),
	SUPPORTED(region_begin),
	SUPPORTED(region_end),
	/* MARK_EVENT */
	SUPPORTED(marker),
	SUPPORTED(mark_create),
	SUPPORTED(mark),
	SUPPORTED(mark_global),
	/* MARK_FRAME */
	SUPPORTED(frame_begin_v3),
	SUPPORTED(frame_end_v3),
	SUPPORTED(frame_submit_v3),
	SUPPORTED(frame_create),
	SUPPORTED(frame_begin),
	SUPPORTED(frame_end),
	SUPPORTED(get_timestamp),
	/* MARK_COUNTER */
	SUPPORTED(counter_create),
	SUPPORTED(counter_create_typed),
	SUPPORTED(counter_create_v3),
	SUPPORTED(counter_inc),
	SUPPORTED(counter_inc_delta),
	SUPPORTED(counter_dec),
	SUPPORTED(counter_dec_delta),
	SUPPORTED(counter_inc_v3),
	SUPPORTED(counter_inc_delta_v3),
	SUPPORTED(counter_dec_v3),
	SUPPORTED(counter_dec_delta_v3),
	SUPPORTED(counter_set_value),
	SUPPORTED(counter_set_value_v3),
	/* MARK_VALUE and MARK_VALUE_DOUBLE */
	SUPPORTED(metadata_add),
	SUPPORTED(metadata_add_with_scope),
	SUPPORTED(metadata_str_add),
	SUPPORTED(metadata_str_add_with_scope),
	/* MARK_PAUSE and MARK_RESUME */
	SUPPORTED(pause),
	SUPPORTED(resume),
	SUPPORTED(pause_scoped),
	SUPPORTED(resume_scoped),
	SUPPORTED(detach),
	/* names of threads */
	SUPPORTED(thread_set_name),
	SUPPORTED(thr_name_set),
	/* the version that old static parts look for */
	SUPPORTED(api_version),

	/* locks and waiting: samples and the scheduler's records show them */
	HARMLESS(sync_create),
	HARMLESS(sync_destroy),
	HARMLESS(sync_rename),
	HARMLESS(sync_set_name),
	HARMLESS(sync_prepare),
	HARMLESS(sync_cancel),
	HARMLESS(sync_acquired),
	HARMLESS(sync_releasing),
	HARMLESS(fsync_prepare),
	HARMLESS(fsync_cancel),
	HARMLESS(fsync_acquired),
	HARMLESS(fsync_releasing),
	HARMLESS(notify_sync_name),
	HARMLESS(notify_sync_prepare),
	HARMLESS(notify_sync_cancel),
	HARMLESS(notify_sync_acquired),
	HARMLESS(notify_sync_releasing),
	/* joins call stacks of threads; libomp needs what the static part returns */
	HARMLESS(stack_caller_create),
	HARMLESS(stack_caller_destroy),
	HARMLESS(stack_callee_enter),
	HARMLESS(stack_callee_leave),
	/* times of a clock that is not the TSC */
	HARMLESS(clock_domain_create),
	HARMLESS(clock_domain_reset),
	HARMLESS(task_begin_ex),
	HARMLESS(task_begin_fn_ex),
	HARMLESS(task_begin_overlapped_ex),
	HARMLESS(task_end_ex),
	HARMLESS(task_end_overlapped_ex),
	HARMLESS(marker_ex),
	HARMLESS(counter_set_value_ex),
	/* identities are those of the tasks themselves */
	HARMLESS(id_create),
	HARMLESS(id_create_ex),
	HARMLESS(id_destroy),
	HARMLESS(id_destroy_ex),
	/* tells how tasks are related; a task is where it was begun, or in its parent */
	HARMLESS(task_group),
	HARMLESS(relation_add),
	HARMLESS(relation_add_ex),
	HARMLESS(relation_add_to_current),
	HARMLESS(relation_add_to_current_ex),
	/* rows of a timeline; here, these are threads */
	HARMLESS(set_track),
	HARMLESS(track_create),
	HARMLESS(track_group_create),
	/* a histogram of the application's own numbers */
	HARMLESS(histogram_create),
	HARMLESS(histogram_submit),
	/* metadata of counters, or with a format */
	HARMLESS(bind_context_metadata_to_counter),
	HARMLESS(formatted_metadata_add),
	HARMLESS(formatted_metadata_add_overlapped),
	/* a counter remains as long as the process */
	HARMLESS(counter_destroy),
	/* marks that are switched off */
	HARMLESS(mark_off),
	HARMLESS(mark_global_off),
	/* threads that are not to be seen are left out by filters */
	HARMLESS(thread_ignore),
	HARMLESS(thr_ignore),
	/* code that is loaded: perf_event tells */
	HARMLESS(module_load),
	HARMLESS(module_load_with_sections),
	HARMLESS(module_unload),
	HARMLESS(module_unload_with_sections),
	/* allocations, of Intel Inspector */
	HARMLESS(heap_function_create),
	HARMLESS(heap_allocate_begin),
	HARMLESS(heap_allocate_end),
	HARMLESS(heap_free_begin),
	HARMLESS(heap_free_end),
	HARMLESS(heap_reallocate_begin),
	HARMLESS(heap_reallocate_end),
	HARMLESS(heap_internal_access_begin),
	HARMLESS(heap_internal_access_end),
	HARMLESS(heap_record),
	HARMLESS(heap_record_memory_growth_begin),
	HARMLESS(heap_record_memory_growth_end),
	HARMLESS(heap_reset_detection),
	/* what is not to be reported, of Intel Inspector */
	HARMLESS(suppress_push),
	HARMLESS(suppress_pop),
	HARMLESS(suppress_mark_range),
	HARMLESS(suppress_clear_range),
	/* what might run in parallel, of Intel Advisor */
	HARMLESS(model_site_begin),
	HARMLESS(model_site_beginAL),
	HARMLESS(model_site_end),
	HARMLESS(model_site_end_2),
	HARMLESS(model_task_begin),
	HARMLESS(model_task_beginAL),
	HARMLESS(model_task_end),
	HARMLESS(model_task_end_2),
	HARMLESS(model_iteration_taskA),
	HARMLESS(model_iteration_taskAL),
	HARMLESS(model_site_beginA),
	HARMLESS(model_task_beginA),
	HARMLESS(model_lock_acquire),
	HARMLESS(model_lock_acquire_2),
	HARMLESS(model_lock_release),
	HARMLESS(model_lock_release_2),
	HARMLESS(model_record_allocation),
	HARMLESS(model_record_deallocation),
	HARMLESS(model_induction_uses),
	HARMLESS(model_reduction_uses),
	HARMLESS(model_observe_uses),
	HARMLESS(model_clear_uses),
	HARMLESS(model_disable_push),
	HARMLESS(model_disable_pop),
	HARMLESS(model_aggregate_task),
	/* accesses and modes of old tools */
	HARMLESS(memory_read),
	HARMLESS(memory_update),
	HARMLESS(memory_write),
	HARMLESS(state_get),
	HARMLESS(state_set),
	HARMLESS(obj_mode_set),
	HARMLESS(thr_mode_set),
	/* marks in Intel PT */
	HARMLESS(pt_region_create),
	HARMLESS(pt_write),
	HARMLESS(pt_byte),
	HARMLESS(pt_event),
	HARMLESS(pt_mark),
	HARMLESS(pt_mark_event),
	HARMLESS(pt_mark_threshold),
	/* writes an array to a file */
	HARMLESS(av_save),
	/* attaches to a process that runs */
	HARMLESS(enable_attach),
	/* are called by the static part itself */
	HARMLESS(api_init),
	HARMLESS(api_fini),
};

void *itt_function(const char *name)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (!strcmp(table[i].name, name))
			return table[i].function;
	}
	return NULL;
}
