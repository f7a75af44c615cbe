// SPDX-License-Identifier: GPL-2.0
/*
 * The tree of calls, and its cache of chains: every two bytes are a mapping, a fork or a
 * chain, whose addresses follow. The functions of each chain in the tree must be those
 * mapped at that time, according to a simple table.
 */
#include "../input.h"
#include "calls/calltree.h"

#define PROCESSES	4
#define REGIONS		8
#define REGION_SIZE	0x1000
#define CHAIN_MAX	8

/**
 * struct model - what is true
 * @files: by process and region: number of the file that is mapped; 0: none is
 */
struct model {
	struct pipeline pipeline;
	struct callchain *chain;
	struct calltree tree;
	unsigned int files[PROCESSES][REGIONS];
};

static void tell(struct model *model, uint32_t type, const void *body,
		 size_t size)
{
	unsigned char bytes[128];
	struct perf_event_header header = {
		.type = type, .misc = PERF_RECORD_MISC_USER,
		.size = sizeof(header) + size,
	};
	struct record record = {
		.data = bytes, .size = header.size, .type = type,
		.misc = header.misc,
	};

	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), body, size);
	promise(!processes_record(&model->pipeline.processes, &record));
}

static void map(struct model *model, uint16_t word)
{
	uint32_t process = word >> 12 & 3, region = word >> 8 & 7;
	unsigned int file = 1 + (word & 3);
	struct {
		uint32_t pid, tid;
		uint64_t address, length, offset;
		char path[24];
	} body = {
		.pid = process + 1, .tid = process + 1,
		.address = (region + 1) * REGION_SIZE, .length = REGION_SIZE,
	};

	snprintf(body.path, sizeof(body.path), "/nonexistent/%u", file);
	tell(model, PERF_RECORD_MMAP, &body, sizeof(body));
	model->files[process][region] = file;
}

static void fork_one(struct model *model, uint16_t word)
{
	uint32_t parent = word & 3, child = word >> 2 & 3;
	struct {
		uint32_t pid, ppid, tid, ptid;
		uint64_t time;
	} body = {
		.pid = child + 1, .ppid = parent + 1,
		.tid = child + 1, .ptid = parent + 1,
	};

	if (parent == child)
		return;
	tell(model, PERF_RECORD_FORK, &body, sizeof(body));
	memcpy(model->files[child], model->files[parent],
	       sizeof(model->files[child]));
}

static bool is_file(const struct callee *callee, unsigned int file)
{
	char path[24];

	if (!file || !callee->dso)
		return !file && !callee->dso;
	snprintf(path, sizeof(path), "/nonexistent/%u", file);
	return !strcmp(path, callee->dso->path);
}

/* The functions from @node outwards are those of the addresses. */
static void check(const struct model *model, uint32_t process, uint32_t node,
		  const uint64_t *addresses, size_t nr)
{
	const struct calltree *tree = &model->tree;
	unsigned int region;

	for (size_t i = 0; i < nr; i++) {
		promise(node != CALLTREE_ROOT);
		region = addresses[i] / REGION_SIZE - 1;
		promise(is_file(&tree->callees[calltree_callee(tree, node)],
				model->files[process][region]));
		node = calltree_parent(tree, node);
	}
	promise(node == CALLTREE_ROOT);
}

static void take_chain(struct model *model, uint32_t process,
		       const uint16_t *words, size_t nr)
{
	const struct reader_event event = {
		.attr.sample_type = PERF_SAMPLE_CALLCHAIN,
	};
	struct record record = {
		.type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER,
	};
	uint64_t chain[CHAIN_MAX + 1] = { PERF_CONTEXT_USER };
	struct sample fields = {
		.nr_callchain = nr + 1, .callchain = (const void *)chain,
	};
	struct pipeline_sample sample = {
		.record = &record, .event = &event, .fields = &fields,
		.thread = processes_thread(&model->pipeline.processes,
					   process + 1, process + 1),
	};
	uint32_t node;

	/* the byte before an address is in the same region */
	for (size_t i = 0; i < nr; i++)
		chain[i + 1] = (1 + (words[i] & 7)) * REGION_SIZE + 1 +
			       (words[i] >> 3) % (REGION_SIZE - 1);
	promise(sample.thread);
	promise(!calltree_add(&model->tree, model->chain, &sample, &node));
	check(model, process, node, chain + 1, nr);
}

/* Returns the number of words consumed. */
static size_t take(struct model *model, const uint16_t *words, size_t nr)
{
	size_t addresses = words[0] & (CHAIN_MAX - 1);

	switch (words[0] >> 14) {
	case 0:
		map(model, words[0]);
		return 1;
	case 1:
		fork_one(model, words[0]);
		return 1;
	}
	if (addresses > nr - 1)
		addresses = nr - 1;
	take_chain(model, words[0] >> 12 & 3, words + 1, addresses);
	return 1 + addresses;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct pipeline_consumer nobody;
	struct model model = { .chain = NULL };
	size_t nr = size / sizeof(uint16_t);
	uint16_t *words = calloc(nr + 1, sizeof(*words));

	promise(words);
	if (nr)
		memcpy(words, data, nr * sizeof(*words));
	promise(!pipeline_init(&model.pipeline, &nobody, &model, NULL));
	model.chain = callchain_new(&model.pipeline);
	promise(model.chain);
	for (size_t at = 0; at < nr;)
		at += take(&model, words + at, nr - at);
	calltree_free(&model.tree);
	callchain_free(model.chain);
	pipeline_end(&model.pipeline);
	free(words);
	return 0;
}
