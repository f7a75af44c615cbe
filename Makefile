# SPDX-License-Identifier: GPL-2.0
#
# KerMon: what each thread does to the machine, when, at what cost in energy.
# "make help" lists the targets; Documentation/ tells the rest.

MAKEFLAGS += --no-print-directory

PREFIX	?= /usr/local
DESTDIR	?=
KDIR	?= /lib/modules/$(shell uname -r)/build
export PREFIX DESTDIR KDIR

help: ## this list
	@echo 'KerMon. Targets:'
	@sed -n 's/^\([a-z0-9.-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22
	@echo
	@echo 'On the virtual machine, after "make vm": scripts/kermon-vm -- COMMAND...'
	@echo 'Built once and kept: $${XDG_CACHE_HOME:-~/.cache}/kermon'

setup: packages-tests ## install the Debian packages that are missing

packages-%:
	@scripts/setup $*

tools: packages-tools ## build/bin/kermon and build/lib
	@$(MAKE) -C tools

kernel: packages-vm ## the patched kernel and kermon.ko for the virtual machine
	@scripts/build-kernel

kernel-6.1: packages-vm ## the same of Linux 6.1
	@scripts/build-kernel 6.1

kernel-stock: packages-vm ## Debian's kernel as it comes, for scripts/kermon-vm --kernel stock
	@scripts/stock-kernel

kernel-debug: packages-vm ## both with lockdep, KASAN, UBSAN and kmemleak
	@scripts/build-kernel --debug
	@scripts/build-kernel --debug 6.1

kernel-clang: packages-vm packages-clang ## the patched kernel and kermon.ko, compiled by clang
	@scripts/build-kernel --clang

kernel-%-clang: packages-vm packages-clang
	@scripts/build-kernel --clang $*

qemu: packages-vm ## QEMU with the model of PMU and energy counters
	@scripts/build-qemu

guest: packages-vm
	@$(MAKE) --silent -C tests/vm OUT=$(CURDIR)/build/vm

vm: qemu kernel guest ## all that scripts/kermon-vm needs

demo: tools vm ## monitor a small program on the virtual machine
	@tests/demo/run

check: packages-tests ## all tests; or those of SUITE="NAME...", with names like TEST=PATTERN
	@tests/run --build --test '$(TEST)' $(SUITE)

bench: packages-tests packages-bench tools vm ## what a switch costs: one table for each kernel
	@tests/bench/run
	@tests/bench/report
	@tests/bench/variety
	@tests/bench/intervals
	@tests/bench/recorded
	@tests/bench/spy
	@tests/bench/watching
	@tests/bench/recording
	@tests/bench/reading
	@tests/bench/scaling
	@tests/bench/lines
	@tests/bench/page
	@tests/bench/memory
	@tests/bench/ceilings

paper: packages-tests packages-paper tools vm kernel-6.1 kernel-clang kernel-6.1-clang ## the experiments of Documentation/papers.rst; KEEP=1 updates it
	@tests/paper/run $(if $(KEEP),--keep)

torture: packages-tests tools vm kernel-debug ## thirty minutes of torture; SECONDS=N, SEED=N
	@tests/torture/run --seconds $(or $(SECONDS),1800) --seed $(or $(SEED),$(shell date +%s))

style: packages-tests kernel ## the style checks alone
	@tests/run style

bisect-check: packages-tests tools qemu guest ## build and boot each patch of the series, long
	@scripts/bisect-check

text-check: packages-vm ## without the option, the series changes no machine code
	@scripts/text-check

module: ## build/kmod/kermon.ko for the running kernel, or that of KDIR
	@$(MAKE) -C kmod O=$(CURDIR)/build/kmod

install: install-tools ## the tool, and the module for the running kernel or that of KDIR
	@scripts/install-module

install-tools: ## the tool, the library and their manuals, without the module
	@$(MAKE) -C tools install

uninstall: ## remove the tool, the library and their manuals, but not the module
	@$(MAKE) -C tools uninstall

clean: ## remove build/; the cache stays
	rm -rf build

.PHONY: help setup tools kernel kernel-6.1 kernel-stock kernel-debug kernel-clang qemu guest vm demo check torture bench paper style bisect-check text-check module install install-tools uninstall clean
