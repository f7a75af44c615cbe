# SPDX-License-Identifier: GPL-2.0
#
# What the Makefile of each kselftest folder includes after naming its programs:
#
#	TEST_GEN_PROGS := alpha beta		one static program per C file
#	include ../lib.mk
#
# Files that several programs share go to TEST_SOURCES, flags to TEST_FLAGS.
# KERNEL is a result of scripts/build-kernel: the kernel's headers for user space
# are in its include/, kselftest_harness.h is in its selftests/.
# TEST_MACHINES names the machines of tests/kselftest/run to run them on.
# TEST_LINES says on which kernels: "all" that there are patches for, or "newest".
# TEST_TIMEOUT is the time in seconds for one test, 300 by default: it ends those that
# hang, and those that only wait for a busy host must not be taken for them.
# TEST_TAINT is the sum of the flags in /proc/sys/kernel/tainted that they set.
# "make programs", "make machines", "make lines" and "make taint" print these.

TOP	:= $(realpath $(dir $(lastword $(MAKEFILE_LIST)))../..)
KERNEL	?= $(TOP)/build/kernel
TEST_MACHINES ?= smp
TEST_LINES ?= newest
TEST_TAINT ?= 0
TEST_TIMEOUT ?= 300
OUTPUT	?= $(TOP)/build/kselftest/$(notdir $(CURDIR))

CFLAGS	?= -O2 -g
# The same bytes wherever the checkout is.
FLAGS	:= -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -pthread -MMD -MP \
	   -ffile-prefix-map=$(TOP)=. \
	   -I$(TOP)/tests/kselftest -DTEST_TIMEOUT=$(TEST_TIMEOUT) \
	   -isystem $(KERNEL)/selftests -isystem $(KERNEL)/include $(TEST_FLAGS)

all: $(addprefix $(OUTPUT)/,$(TEST_GEN_PROGS))

programs:
	@printf '%s\n' $(addprefix $(OUTPUT)/,$(TEST_GEN_PROGS))

machines:
	@printf '%s\n' $(TEST_MACHINES)

lines:
	@echo $(TEST_LINES)

taint:
	@echo $(TEST_TAINT)

$(OUTPUT)/%: %.c $(TEST_SOURCES) $(MAKEFILE_LIST)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(FLAGS) -static -o $@ $(filter %.c %.S,$^) $(LDLIBS)

-include $(wildcard $(OUTPUT)/*.d)

.PHONY: all programs machines lines taint
