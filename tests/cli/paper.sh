#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The experiments of Documentation/papers.rst that take seconds: they fail when perf no
# longer does what the document says. "make paper" runs all of them.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

paper()
{
	KERMON=$KERMON "$TOP/tests/paper/run" --out "$PWD/results" "$@" >out 2>err
	status=$?
}

test_claims_about_perf()
{
	paper readperf-claims format-claims
	expect_status 0
	expect_line out '^paper: 2 experiments done, 0 failed'
	expect_line results/format-claims.rst '^Machine: .*; Linux [0-9].*; perf version [0-9]'
}

# A perf that does not work.
test_experiment_that_fails()
{
	mkdir bin
	printf '#!/bin/sh\necho broken >&2\nexit 3\n' >bin/perf
	chmod +x bin/perf
	PATH=$PWD/bin:$PATH paper times
	expect_status 1
	expect_line err '^paper: times failed: perf record .*: status 3$'
	expect_line err '^broken$'
	expect_line out '^paper: 0 experiments done, 1 failed'
	[ ! -e results/times.rst ] || fail "a table of nothing"
}

# What the document says about -T is checked: here, perf record always has times.
test_claim_that_does_not_hold()
{
	local perf

	perf=$(command -v perf)
	mkdir bin
	cat >bin/perf <<-END
		#!/bin/bash
		[ "\$1" != record ] || set -- record -T "\${@:2}"
		exec $perf "\$@"
	END
	chmod +x bin/perf
	PATH=$PWD/bin:$PATH paper times
	expect_status 1
	expect_line err '^paper: times failed: other options have times than the document says'
}

# keep PYTHON: with tests/paper/run as a module whose document is papers.rst here, and with a folder of
# results.
keep()
{
	mkdir -p results
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TOP/tests/paper /usr/bin/python3 - "$TOP" "$1" \
		>facts 2>&1 <<-'END' || fail "$(cat facts)"
	import importlib.machinery, importlib.util, pathlib, sys, types
	loader = importlib.machinery.SourceFileLoader("run", sys.argv[1] + "/tests/paper/run")
	run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
	loader.exec_module(run)
	run.DOCUMENT = pathlib.Path("papers.rst")
	lab = types.SimpleNamespace(folder=pathlib.Path("results"))
	exec(sys.argv[2])
	END
}

# Pictures that the document shows are kept, also new ones; those of other tables stay.
test_pictures_that_are_kept()
{
	mkdir -p results papers
	printf '%s\n' '.. image:: papers/one.svg' '.. tests/paper one' '' '.. end' \
		'.. image:: papers/two.svg' '.. tests/paper two' '' '.. end' >papers.rst
	echo new | tee results/{one,two,three}.svg >/dev/null
	echo old >papers/two.svg
	keep 'run.keep(lab, {"one": "a table"})'
	expect_line papers.rst '^a table$'
	expect_line papers/one.svg '^new$'
	expect_line papers/two.svg '^old$'
	[ ! -e papers/three.svg ] || fail "a picture that is not shown"
}

# Tables of a trial, or of processes that failed, are not kept, nor are their pictures.
test_tables_of_few_processes()
{
	mkdir -p results papers
	printf '%s\n' '.. image:: papers/one.svg' '.. tests/paper one' '' '.. end' >papers.rst
	echo new >results/one.svg
	keep '
for note in ("medians of 4 processes, 2 of likwid and papi, in", "medians of 1023 processes, in",
             "medians of 1024 processes, 255 of papi, in",
             "medians of 1024 processes, 1000 of kermon-page and perf-read, 256 of papi, in"):
    assert run.keep(lab, {"one": note}) == ["one"], note
    assert note not in run.DOCUMENT.read_text(), note
assert not run.DOCUMENT.with_name("papers").joinpath("one.svg").exists()
for note in ("medians of 1024 processes, 256 of likwid and papi, in", "medians of 2048 processes",
             "4 processes"):
    assert run.keep(lab, {"one": note}) == [] and note in run.DOCUMENT.read_text(), note
'
	expect_line facts '^paper: one is not kept: it has 4 processes, 2 of likwid and papi; the document promises 1024, 256 of likwid and papi$'
}

# made_up PYTHON: with experiments on self-monitoring, and with machines whose results are
# made up. Those of "like" are in accordance with the document.
made_up()
{
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TOP/tests/paper /usr/bin/python3 - "$1" \
		>facts 2>&1 <<-'END' || fail "$(cat facts)"
	import pathlib, sys, types
	import selfmonitoring
	from machine import Failed
	from selfmachines import LIBRARIES, METHODS, Facts, Result
	STEPS = {"start": 3000, "first read": 1300, "later read": 1300, "stop": 1500, "total": 5800}
	def like(method, number=1):
	    steps = dict(STEPS)
	    if method.endswith("-static"):
	        steps.update({"start": 2600, "total": 5400})
	    if method == "kermon-page":
	        steps = dict.fromkeys(STEPS, 50)
	    return steps
	def lab(steps_of, numbers=(1,), processes=1024):
	    cells = [{"method": method, "events": number,
	              "processes": processes // (4 if method in LIBRARIES else 1),
	              **{step: dict.fromkeys(("low", "median", "high"), value)
	                 for step, value in steps_of(method, number).items()}}
	             for method in METHODS for number in numbers]
	    result = Result(Facts("CPU", "6.12", "gcc 12"), {"cells": cells})
	    machines = types.SimpleNamespace(
	        methods=lambda wanted: dict.fromkeys(wanted, result))
	    return types.SimpleNamespace(folder=pathlib.Path("."), self_monitoring=machines)
	def fails(experiment, *arguments):
	    try:
	        experiment(lab(*arguments))
	    except Failed as failure:
	        return str(failure)
	    raise AssertionError("it does not fail")
	exec(sys.argv[1])
	END
}

test_stop_in_parts_of_start()
{
	made_up '
assert "perf-read" in str(selfmonitoring.stop(lab(like)))
half = fails(selfmonitoring.stop, lambda *cell: {**like(*cell), "start": 7000})
assert half == "stop of start, our perf-read is 21%, not 40% to 55%", half
'
}

# With 3 events, the pages of RDPMC take more than read() does.
test_order_with_several_events()
{
	made_up '
NUMBERS = 1, 2, 3, 4
def cell(page, method, number):
    steps = {"start": 1000 * number, "first read": 100, "later read": 100, "stop": 1000 * number}
    if "rdpmc" in method:
        steps.update(start=(1000 + page) * number, stop=(1000 + page) * number)
    elif method not in ("kermon-page",):
        steps["first read"] = 1100 + 100 * number
    return {**steps, "total": sum(steps.values()) - 100}
assert "study: 4" in str(selfmonitoring.events(lab(lambda *key: cell(300, *key), NUMBERS)))
other = fails(selfmonitoring.events, lambda *key: cell(100, *key), NUMBERS)
assert other.startswith("another order of perf-read-static and perf-rdpmc-touched-static"), other
'
}

test_unknown_experiment()
{
	paper nonsense
	expect_status 2
	expect_line err 'no experiment nonsense; see --list'
}

run_tests
