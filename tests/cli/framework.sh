#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The example of a framework: what it executes, and which calls of ITT its auditor makes. A
# collector that writes down each call takes the place of KerMon's.
# shellcheck disable=SC2317,SC2016	# tests are called by run_tests; messages have backquotes

. "$(dirname "$0")/cli.bash"

PROGRAMS=$TOP/build/programs
EXAMPLE=$TOP/tools/examples/framework
FRAMEWORK=$TOP/build/sanitize/examples/framework/kermon-framework

# build_framework FOLDER SANITIZERS
build_framework()
{
	make -s -j 2 -C "$EXAMPLE" OUT="$1" LDFLAGS="-fsanitize=$2" \
		CXXFLAGS="-O1 -g -fsanitize=$2" CFLAGS="-O1 -g -fsanitize=$2" >&2
}

make -s -C "$TOP/tests/cli/programs" OUT="$PROGRAMS" itt >&2 || exit 1
build_framework "${FRAMEWORK%/*}" address,undefined || exit 1

# framework [NAME=VALUE...] WORD...: runs it on options.py, or on those of the words.
framework()
{
	env "$@" >out 2>err
	status=$?
}

run()
{
	framework "$FRAMEWORK" "${@:-options.py}"
}

# collect [WORD...]: the same with the collector, whose calls are in the file calls.
collect()
{
	framework INTEL_LIBITTNOTIFY64="$PROGRAMS/itt_printer.so" ITT_PRINTER=calls "$FRAMEWORK" \
		"${@:-options.py}"
}

# Options on standard input; the region auditor is added, as profiler.
options()
{
	cat - >options.py <<-END
		from Configurables import *
		profiler = RegionAuditor()
		AuditorSvc().Auditors += [profiler]
		$(cat)
	END
}

# Two sequences in one, with five algorithms that do next to nothing.
small_tree()
{
	options <<-END
		alg = [HitSorter(f"Alg{n}", Size=1) for n in range(1, 5)]
		sub = Sequence("Sub", Members=alg[1:3])
		ApplicationMgr(TopAlg=[Sequence("Top", Members=[alg[0], sub, alg[3]])], EvtMax=1)
		$(cat)
	END
}

# Marks alone, with a blank for each region that is open.
marks()
{
	awk '
		$2 == "begin" { printf "%*s%s\n", depth[$1], "", $4; depth[$1]++ }
		$2 == "end" { depth[$1]-- }
		$2 == "start" || $2 == "stop" || $2 == "pause" || $2 == "resume" {
			sub(/^[0-9]+ /, ""); print
		}' calls
}

# expect_marks <EXPECTED
expect_marks()
{
	marks >got
	diff - got >difference || fail "$(cat difference)"
}

# Each end has a begin, everything is ended, and of events one is open at a time.
expect_balance()
{
	awk '
		$2 == "begin" { open[$1]++; nr++ }
		$2 == "end" && --open[$1] < 0 { print "end without begin, line " NR }
		$2 == "start" { name = $0; sub(/^[0-9]+ start /, "", name)
			if ($1 in event) print "two events, line " NR
			event[$1] = name; nr++ }
		$2 == "stop" { name = $0; sub(/^[0-9]+ stop /, "", name)
			if (event[$1] != name) print "not the one that was started, line " NR
			delete event[$1] }
		END { for (each in open) if (open[each]) print each ": " open[each] " are open"
			for (each in event) print each ": " event[each] " is open"
			if (!nr) print "no marks" }' calls >balance
	[ ! -s balance ] || fail "$(head -n 3 balance)"
}

test_nested_tasks()
{
	small_tree </dev/null
	collect
	expect_status 0
	expect_empty err
	expect_balance
	expect_marks <<-END
		pause
		resume
		Top
		 Alg1
		 Sub
		  Alg2
		  Alg3
		 Alg4
		pause
	END
	expect_no_line calls identity
	expect_line calls '^1 begin Framework Alg1$'
}

# As Gaudi's auditor has it: a parent ends while its child is executed.
test_flat_events()
{
	small_tree <<<'profiler.Style = "events"'
	collect
	expect_status 0
	expect_balance
	expect_marks <<-END
		pause
		resume
		start Top
		stop Top
		start Top Alg1
		stop Top Alg1
		start Top
		stop Top
		start Top Sub
		stop Top Sub
		start Top Sub Alg2
		stop Top Sub Alg2
		start Top Sub
		stop Top Sub
		start Top Sub Alg3
		stop Top Sub Alg3
		start Top Sub
		stop Top Sub
		start Top
		stop Top
		start Top Alg4
		stop Top Alg4
		start Top
		stop Top
		pause
	END
}

test_delimiter()
{
	small_tree <<-END
		profiler.Style = "events"
		profiler.TaskTypeNameDelimeter = "/"
	END
	collect
	expect_line calls '^1 event Top/Sub/Alg3$'
}

# Regions in the order in which they begin, as paths: of nested tasks by nesting, of events by
# name. Those that begin again when their child has ended are left out.
paths()
{
	awk '
		$2 == "begin" { path[depth++] = $4
			line = path[0]; for (i = 1; i < depth; i++) line = line " " path[i]; print line }
		$2 == "end" { depth-- }
		$2 == "stop" { child = $0; sub(/^[0-9]+ stop /, "", child) }
		$2 == "start" { line = $0; sub(/^[0-9]+ start /, "", line)
			if (index(child, line " ") != 1) print line }' calls
}

test_styles_have_the_same_regions()
{
	local style

	for style in tasks events; do
		small_tree <<-END
			ApplicationMgr().EvtMax = 3
			profiler.Style = "$style"
			profiler.ExcludeAlgorithms = ["Sub", "Alg4"]
			profiler.IncludeAlgorithms = ["Top", "Alg3"]
		END
		collect
		expect_status 0
		expect_balance
		paths >"$style"
	done
	[ "$(wc -l <tasks)" -eq 15 ] || fail "not 15 regions in three events: $(cat tasks)"
	diff tasks events >difference || fail "$(cat difference)"
}

# The defects of Gaudi's auditor: time of an excluded algorithm was its parent's, and one that
# was included in an excluded one was measured twice.
test_exclude()
{
	small_tree <<<'profiler.ExcludeAlgorithms = ["Sub"]'
	collect
	expect_balance
	expect_marks <<-END
		pause
		resume
		Top
		 Alg1
		 [excluded]
		 Alg4
		pause
	END
}

test_include_within_exclude_within_include()
{
	small_tree <<-END
		profiler.IncludeAlgorithms = ["Top", "Alg3"]
		profiler.ExcludeAlgorithms = ["Sub"]
	END
	collect
	expect_balance
	expect_marks <<-END
		pause
		resume
		Top
		 Alg1
		 [excluded]
		  Alg3
		 Alg4
		pause
	END
}

test_include()
{
	small_tree <<<'profiler.IncludeAlgorithms = [sub, "*1"]'
	collect
	expect_balance
	expect_marks <<-END
		pause
		resume
		Alg1
		Sub
		 Alg2
		 Alg3
		pause
	END
}

test_range_of_events()
{
	small_tree <<-END
		ApplicationMgr().EvtMax = 10
		profiler.StartFromEventN = 4
		profiler.StopAtEventN = 7
		profiler.IncludeAlgorithms = ["Top"]
		profiler.ExcludeAlgorithms = ["Alg*", "Sub"]
	END
	collect
	expect_balance
	[ "$(marks | grep -c '^Top')" -eq 3 ] || fail "$(marks)"
	[ "$(marks | grep -E '^(pause|resume)' | tr '\n' ' ')" = 'pause resume pause ' ] ||
		fail "$(marks)"
	[ "$(marks | tail -n 1)" = pause ] || fail "$(marks)"
}

test_range_without_events()
{
	local range said

	while IFS=: read -r range said; do
		small_tree <<-END
			ApplicationMgr().EvtMax = 10
			profiler.$range
		END
		collect
		expect_status 0
		expect_line err "^kermon-framework: .RegionAuditor. collects none of 10 events: $said\$"
		[ "$(marks)" = pause ] || fail "$range: $(marks)"
	done <<-END
		StartFromEventN = 0:StartFromEventN is 0, StopAtEventN 0
		StartFromEventN = 11:StartFromEventN is 11, StopAtEventN 0
		StopAtEventN = 1:StartFromEventN is 1, StopAtEventN 1
	END
}

# Executed by the first sequence in even events, by the second one in odd events, never twice.
test_algorithm_in_two_sequences()
{
	options <<-END
		shared = HitSorter("Shared", Size=1)
		one = Sequence("One", Members=[EventFilter("Even", Every=2), shared])
		two = Sequence("Two", Members=[shared])
		ApplicationMgr(TopAlg=[one, two], EvtMax=10)
	END
	collect
	expect_status 0
	expect_line out '^10 events in [0-9.]+ s, CPU time [0-9.]+ s, 5 passed, '
	paths | sort | uniq -c | sed 's/^ *//' >got
	diff - got >difference <<-END || fail "$(cat difference)"
		10 One
		10 One Even
		5 One Shared
		10 Two
		5 Two Shared
	END
}

test_modes_of_sequences()
{
	options <<-END
		never = EventFilter("Never", Accept=0)
		always = EventFilter("Always")
		last = EventFilter("Last")
		top = [Sequence("And", Members=[EventFilter("No1", Accept=0), EventFilter("Skipped1")]),
			Sequence("Or", ModeOR=True, Members=[EventFilter("No2", Accept=0),
				EventFilter("Yes2"), EventFilter("Skipped2")]),
			Sequence("All", ShortCircuit=False, Members=[EventFilter("No3", Accept=0),
				EventFilter("Executed3")]),
			Sequence("Ignore", IgnoreFilterPassed=True, Members=["No3"])]
		ApplicationMgr(TopAlg=[Sequence("Top", ModeOR=True, ShortCircuit=False, Members=top)],
			EvtMax=1)
	END
	collect
	expect_status 0
	expect_line out '^1 events in [0-9.]+ s, CPU time [0-9.]+ s, 1 passed, '
	expect_no_line calls 'begin Framework Skipped'
	for name in Yes2 Executed3 Ignore; do
		expect_line calls "begin Framework $name\$"
	done
}

test_exception()
{
	small_tree <<-END
		ApplicationMgr().EvtMax = 6
		sub.Members += [EventBreaker("Broken", Every=3)]
	END
	collect
	expect_status 1
	expect_balance
	expect_line err '^kermon-framework: exceptions ended 2 events; event 3: `Broken` cannot process it$'
	expect_line out '^6 events in [0-9.]+ s, CPU time [0-9.]+ s, 4 passed, '
	[ "$(marks | grep -c ' Alg4$')" -eq 4 ] || fail "Alg4 was executed after an exception"
}

# The same marks in each thread, whatever the order, and the same results as in one thread.
test_threads()
{
	local style name

	run "$EXAMPLE/options/hlt.py" 40 1
	expect_status 0
	sed 's/.*checksum/checksum/' out >one
	for style in tasks events; do
		sed "s/^profiler = .*/profiler = RegionAuditor(Style=\"$style\", StartFromEventN=5)/" \
			"$EXAMPLE/options/hlt.py" >options.py
		collect options.py 40 4
		expect_status 0
		expect_empty err
		expect_balance
		sed 's/.*checksum/checksum/' out | cmp -s - one || fail "$(cat out one)"
		[ "$(cut -d ' ' -f 1 calls | sort -u | wc -l)" -eq 4 ] || fail "not four threads"
		awk '$2 == "resume" { on = 1 } $2 == "pause" { on = 0 }
			/ (begin|start) / && !on { print "a mark outside: line " NR }' calls >outside
		[ ! -s outside ] || fail "$(head -n 3 outside)"
	done
	grep -c 'begin Framework Hlt$' calls >/dev/null && fail "tasks among events"
	for name in 1 2 3 4; do
		[ "$(grep -c "^$name start Hlt HltDecisionSequence Hlt1\$" calls)" -ge 9 ] ||
			fail "thread $name"
	done
}

test_no_data_races()
{
	local tsan=$TOP/build/sanitize/thread-framework

	build_framework "$tsan" thread || fail "it cannot be built"
	sed '1i from Configurables import TimerAuditor
		s/^profiler = .*/profiler = RegionAuditor(StartFromEventN=3)/
		s/+= \[profiler\]/+= [profiler, TimerAuditor(Trace="trace")]/' \
		"$EXAMPLE/options/hlt.py" >options.py
	# TSan needs addresses that are not too random
	framework INTEL_LIBITTNOTIFY64="$PROGRAMS/itt_printer.so" ITT_PRINTER=calls \
		setarch -R "$tsan/kermon-framework" options.py 60 4
	expect_status 0
	expect_empty err
	expect_balance
}

# The collector is found in two ways.
test_ways_to_load_a_collector()
{
	small_tree </dev/null
	collect
	mv calls by_name
	framework INTEL_LIBITTNOTIFY64="$PROGRAMS/itt_printer_init.so" ITT_PRINTER=calls \
		"$FRAMEWORK" options.py
	expect_status 0
	[ "$(head -n 1 calls)" = '1 init right 3' ] || fail "$(head -n 1 calls)"
	sed 1d calls | diff by_name - >difference || fail "$(cat difference)"
}

test_collector_that_is_missing()
{
	small_tree </dev/null
	framework INTEL_LIBITTNOTIFY64=/nonexistent.so "$FRAMEWORK" options.py
	expect_status 0
	expect_line err '^kermon-framework: no regions: cannot load the collector in INTEL_LIBITTNOTIFY64: /nonexistent.so: '
	expect_line out '^1 events in '
}

# expect_refusal PATTERN <OPTIONS
expect_refusal()
{
	{ echo 'from Configurables import *' && cat; } >options.py
	run
	expect_status 2
	[ "$(wc -l <err)" -eq 1 ] || fail "not one line in err"
	expect_line err "^kermon-framework: $1\$"
}

test_errors_of_options()
{
	expect_refusal 'options.py:3: HitSorter has no property `Siez`; did you mean `Size`\?' <<-END
		sort = HitSorter("Sort")
		sort.Siez = 5
	END
	expect_refusal 'options.py:2: Sort.Size must be an integer, not 1.5' <<<'HitSorter("Sort", Size=1.5)'
	expect_refusal 'options.py:2: Sort.Size must be from 0 to 1e\+08, not -1' <<<'HitSorter("Sort", Size=-1)'
	expect_refusal 'options.py:2: ApplicationMgr.EvtMax must be at least 0, not -1' <<<'ApplicationMgr(EvtMax=-1)'
	expect_refusal 'options.py:2: Sort.Spread must be from 0 to 1, not 2' <<<'HitSorter("Sort", Spread=2)'
	expect_refusal 'options.py:2: Seq.ModeOR must be True or False, not 1' <<<'Sequence("Seq", ModeOR=1)'
	expect_refusal "options.py:2: RegionAuditor.Style must be one of events, tasks, not 'flat'" <<<'RegionAuditor(Style="flat")'
	expect_refusal "options.py:2: Seq.Members must be a list of components or names, not 'A'" <<<'Sequence("Seq", Members="A")'
	expect_refusal 'options.py:3: `A` is already a HitSorter; a Sequence needs another name' <<-END
		HitSorter("A")
		Sequence("A")
	END
	expect_refusal 'options.py: Seq.Members: no component `Sort`; did you mean `Sorter`\?' <<-END
		HitSorter("Sorter")
		ApplicationMgr(TopAlg=[Sequence("Seq", Members=["Sort"])])
	END
	expect_refusal 'options.py: RegionAuditor.ExcludeAlgorithms: no component `Nono\*`; valid: .*' <<-END
		ApplicationMgr(TopAlg=[HitSorter("A")])
		RegionAuditor(ExcludeAlgorithms=["Nono*"])
	END
	expect_refusal 'options.py:2: NameError: .*Unknown.*' <<<'Unknown()'
	expect_refusal 'options.py:2: SyntaxError: .*' <<<'a = = b'
	expect_refusal 'options.py: nothing to execute: set ApplicationMgr\(\).TopAlg' </dev/null
	expect_refusal 'options.py: `ApplicationMgr` refers to `RegionAuditor`, which is not of the right type' <<-END
		ApplicationMgr(TopAlg=[RegionAuditor()])
	END
	expect_refusal 'options.py: sequence `A` contains itself: A > B > A' <<-END
		a = Sequence("A")
		ApplicationMgr(TopAlg=[a])
		a.Members += [Sequence("B", Members=[a])]
	END
}

test_errors_of_the_command()
{
	run nosuch.py
	expect_status 2
	expect_line err '^kermon-framework: cannot read the options: nosuch.py: No such file or directory$'
	run --nonsense
	expect_status 2
	expect_line err '^usage: kermon-framework OPTIONS.py'
	run --help
	expect_status 0
	expect_line out '^usage: kermon-framework OPTIONS.py'
	small_tree <<<'AuditorSvc().Auditors += [TimerAuditor(Output="/nonexistent/table")]'
	run
	expect_status 1
	expect_line err '^kermon-framework: /nonexistent/table: cannot be written$'
}

# Times of members are within those of their sequence, and what is self is the rest.
test_timer()
{
	sed '1i from Configurables import TimerAuditor
		s/^profiler = .*/profiler = TimerAuditor(Output="times", Trace="trace")/' \
		"$EXAMPLE/options/hlt.py" >options.py
	run options.py 30 2
	expect_status 0
	python3 - <<-END || fail "see above"
		import csv
		rows = {row["branch"]: {key: int(value) for key, value in row.items() if key != "branch"}
		        for row in csv.DictReader(open("times"))}
		assert rows["Hlt"]["calls"] == 30
		for branch, row in rows.items():
		    members = [other for name, other in rows.items() if name.rpartition("/")[0] == branch]
		    assert row["self"] == row["cpu"] - sum(member["cpu"] for member in members), branch
		    assert row["self"] >= 0 and row["cpu"] <= row["elapsed"] * 1.05 + 1e5, branch
		    assert row["shortest"] * row["calls"] <= row["elapsed"] <= row["longest"] * row["calls"], branch
		# of which each interval is part
		traced = [line.split() for line in open("trace")]
		assert len(traced) == sum(row["calls"] for row in rows.values())
		assert len({line[0] for line in traced}) == 2
		hlt = [line for line in traced if line[3] == "Hlt"]
		assert sum(int(line[2]) - int(line[1]) for line in hlt) == rows["Hlt"]["elapsed"]
		for thread, begin, end, path in traced:
		    assert any(each[0] == thread and int(each[1]) <= int(begin) and int(end) <= int(each[2])
		               for each in hlt), path
	END
	sed -i 's/Output="times", //' options.py
	run options.py 3
	expect_line out '^algorithm; times in ms +calls +elapsed +CPU +CPU, self +shortest +longest$'
	expect_line out '^  HltDecisionSequence +3 +[0-9.]+ '
}

# A command that prints its arguments takes the place of kermon.
test_wrapper()
{
	local profiler=${FRAMEWORK%/*}/regionprofiler

	printf '#!/bin/sh\nprintf "%%s\\n" "$@"\necho data >data/new/perf.data\nexit 3\n' >tool
	chmod +x tool
	framework KERMON=./tool "$profiler" -i 1ms -o data/new options.py --more 'two words'
	expect_status 3
	expect_line err '^regionprofiler: to see regions: ./tool regions data/new/perf.data$'
	diff out - >difference <<-END || fail "$(cat difference)"
		record
		-o
		data/new/perf.data
		-e
		cpu-clock
		--interval
		1ms
		-g
		--start-paused
		--
		$FRAMEWORK
		options.py
		--more
		two words
	END
	framework "$profiler" options.py
	expect_status 2
	expect_line err '^regionprofiler: no folder for the recording: give one with -o DIR$'
	framework KERMON=./nosuch "$profiler" -o data options.py
	expect_status 2
	expect_line err "^regionprofiler: no './nosuch': install KerMon"
	framework "$profiler" -x
	expect_status 2
	expect_line err '^regionprofiler: unknown option -x$'
	framework "$profiler" -h
	expect_status 0
	expect_line out '^usage: regionprofiler -o DIR '
	expect_no_line out '#|set -o'
}

# document LANGUAGE: the code of that language in the document.
document()
{
	awk -v language="$1" '
		/^[^ \t]/ { in_code = 0 }
		in_code { sub(/^   /, ""); print }
		$0 ~ (language == "cpp" ? "^[.][.] code-block:: cpp" : "as in Gaudi::$") { in_code = 1 }
	' "$TOP/Documentation/framework.rst"
}

# As the document describes it: a source file alone adds a type.
test_examples_of_the_document()
{
	document cpp >prescaler.cpp
	g++ -std=c++17 -Wall -Wextra -Werror -fsanitize=address,undefined -pthread \
		-I "$EXAMPLE" -c prescaler.cpp >out 2>err || fail "it cannot be compiled"
	g++ -fsanitize=address,undefined -pthread -o kermon-framework prescaler.o \
		"${FRAMEWORK%/*}"/*.o >out 2>err || fail "it cannot be linked"
	cp "$EXAMPLE/Configurables.py" .
	options <<<'ApplicationMgr(TopAlg=[Prescaler("Tenth", Factor=4)], EvtMax=4000)'
	framework ./kermon-framework options.py
	expect_status 0
	passed=$(sed -n 's/.* \([0-9]*\) passed.*/\1/p' out)
	{ [ "$passed" -gt 900 ] && [ "$passed" -lt 1100 ]; } || fail "$passed of 4000 passed, not 1000"
	document python | sed 's/EvtMax=20000/EvtMax=20/; s/15000/15/; s/5000/5/' >options.py
	collect
	expect_status 0
	expect_empty err
	[ "$(marks | grep -c '^Hlt$')" -eq 10 ] || fail "not ten events"
}

run_tests
