# SPDX-License-Identifier: GPL-2.0
# Sources shared by programs that measure costs.

BENCH	:= $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
SHARED	:= $(BENCH)/../kselftest/kermon

BENCH_SOURCES := $(addprefix $(BENCH)/,by_bpf.c by_kermon.c by_perf.c measure.c ways.c) \
		 $(addprefix $(SHARED)/,control.c log.c quantities.c \
		 quantities.S registers.c tracing.c worker.c)
BENCH_FLAGS := -I$(BENCH) -I$(SHARED) -I$(BENCH)/../../tools/kermon
