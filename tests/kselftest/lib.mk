# SPDX-License-Identifier: GPL-2.0
#
# Included by the Makefile of each kselftest folder after listing its programs:
#
#	TEST_GEN_PROGS := alpha beta		one static program per C file
#	include ../lib.mk
#
# TEST_SOURCES lists files shared by all programs, TEST_FLAGS additional flags.
# KERNEL is a result of scripts/build-kernel, with the kernel's user-space headers
# in include/ and kselftest_harness.h in selftests/.
# TEST_MACHINES lists the machines of tests/kselftest/run to run the programs on.
# TEST_LINES selects the kernels: "all" that there are patches for, or "newest".
# TEST_TIMEOUT is the timeout per test in seconds, 300 by default: long enough not to
# kill tests that only wait for a busy host.
# TEST_TAINT is the sum of the flags in /proc/sys/kernel/tainted that the tests set.
# TEST_OWNER says who owns the counters: "perf", beside which KerMon counts, or "kermon",
# which takes them all.
# "make programs", "make machines", "make lines", "make taint" and "make owner" print
# these.

TOP	:= $(realpath $(dir $(lastword $(MAKEFILE_LIST)))../..)
KERNEL	?= $(TOP)/build/kernel
TEST_MACHINES ?= smp
TEST_LINES ?= newest
TEST_TAINT ?= 0
TEST_OWNER ?= perf
TEST_TIMEOUT ?= 300
OUTPUT	?= $(TOP)/build/kselftest/$(notdir $(CURDIR))

CFLAGS	?= -O2 -g
# Build reproducibly, independent of the location of the checkout.
FLAGS	:= -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -pthread \
	   -ffile-prefix-map=$(TOP)=. \
	   -I$(TOP)/tests/kselftest -I$(TOP)/tools/lib/include \
	   -DTEST_TIMEOUT=$(TEST_TIMEOUT) \
	   -isystem $(KERNEL)/selftests -isystem $(KERNEL)/include $(TEST_FLAGS)

# A single command compiles all files of a program, so that gcc does not list headers.
HEADERS	:= $(wildcard $(addprefix $(TOP)/,tests/kselftest/*.h tests/kselftest/*/*.h \
	   tools/lib/include/kermon/*.h) $(KERNEL)/include/linux/kermon*.h)

all: $(addprefix $(OUTPUT)/,$(TEST_GEN_PROGS))

programs:
	@printf '%s\n' $(addprefix $(OUTPUT)/,$(TEST_GEN_PROGS))

machines:
	@printf '%s\n' $(TEST_MACHINES)

lines:
	@echo $(TEST_LINES)

taint:
	@echo $(TEST_TAINT)

owner:
	@echo $(TEST_OWNER)

$(OUTPUT)/%: %.c $(TEST_SOURCES) $(HEADERS) $(MAKEFILE_LIST)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(FLAGS) -static -o $@ $(filter %.c %.S,$^) $(LDLIBS)

.PHONY: all programs machines lines taint owner
