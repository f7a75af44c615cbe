// SPDX-License-Identifier: GPL-2.0
/* All stages: order, processes, places, call chains, and their source lines. */
#include <errno.h>

#include "../input.h"
#include "calls/callchain.h"

#define FRAMES_MAX	(1 << 20)

struct analysis {
	struct pipeline pipeline;
	struct callchain *chain;
};

static int take_sample(void *context, const struct pipeline_sample *sample)
{
	struct analysis *analysis = context;
	const struct frame *frames;
	ssize_t nr = callchain_resolve(analysis->chain, sample, &frames);

	promise(sample->thread);
	promise(nr >= 0 && nr <= FRAMES_MAX);
	for (ssize_t i = 0; i < nr; i++)
		promise(frames[i].place.dso || !frames[i].place.symbol);
	if (nr)
		callchain_source(analysis->chain, &frames[nr - 1]);
	return 0;
}

static const struct pipeline_consumer consumer = { .sample = take_sample };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct analysis analysis;
	char path[INPUT_PATH];
	int err, fd = input_file(data, size, path);

	promise(!pipeline_init(&analysis.pipeline, &consumer, &analysis,
			       NULL));
	analysis.pipeline.sources.kallsyms = "/dev/null";
	analysis.chain = callchain_new(&analysis.pipeline);
	promise(analysis.chain);
	err = pipeline_read(&analysis.pipeline, path);
	promise(!err || err == -ENOMSG || analysis.pipeline.damages.nr);
	callchain_free(analysis.chain);
	pipeline_end(&analysis.pipeline);
	close(fd);
	return 0;
}
