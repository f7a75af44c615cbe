#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Completion: what the tool offers for each kind of word, and that bash and zsh take it.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"
export LIBPFM_FORCE_PMU=ivb

COMPLETION=$TOP/tools/completion

make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
}

# offered WORD...: the words that can stand for the last one, to the file out.
offered()
{
	"$KERMON" help --complete -- "$@" >lines 2>err || fail "status $?"
	expect_empty err
	cut -f 1 lines >out
}

expect_offers()
{
	local word

	for word in "$@"; do
		grep -qxF -- "$word" out || fail "'$word' is not offered"
	done
}

test_commands()
{
	offered ''
	"$KERMON" help --words >words
	# shellcheck disable=SC2046	# a word each
	expect_offers $(cat words) --help --version
	offered di
	[ "$(cat out)" = diff ] || fail "not diff alone"
	offered rec
	[ "$(cat out)" = record ] || fail "not record alone"
	offered help sc
	[ "$(cat out)" = script ] || fail "not script alone"
	offered help script ''
	expect_empty out
	offered roofline be
	expect_offers bench
	offered roofline bench --level=L
	expect_offers --level=L1 --level=L2 --level=L3
}

# The options of each command, the same as in its help.
test_options()
{
	local command

	for command in $("$KERMON" help --words); do
		offered "$command" -
		"$KERMON" help --words "$command" | cmp -s - out ||
			fail "options of $command"
	done
	offered report --no-
	[ "$(sort out | xargs)" = '--no-children --no-demangle --no-inline --no-pager --no-progress' ] ||
		fail "no options with --no-"
}

test_values()
{
	offered export -f ''
	expect_offers folded pprof firefox perfetto json
	offered export --format=pp
	[ "$(cat out)" = '--format=pprof' ] || fail "not pprof alone"
	offered run --sched ''
	expect_offers kermon inherit
	offered diff --color ''
	expect_offers auto always never
	offered run --rotate s
	expect_offers signal
	offered attach --duration 20
	[ "$(xargs <out)" = '20ns 20us 20ms 20s 20m 20h' ] || fail "units"
	offered attach -m 64
	[ "$(xargs <out)" = '64B 64K 64M 64G' ] || fail "units"
}

# The argument may be missing: what follows is an argument, or the recording.
test_optional_values()
{
	offered report -g ''
	expect_line out '^callee$'
	expect_line out '^:files$'
	offered report -g -
	expect_line out '^--stdio'
	expect_no_line out '^callee$'
	offered report -g graph ''
	expect_no_line out '^callee$'
}

test_keys()
{
	local key

	kermon report --help
	offered report --sort ''
	expect_offers :nospace comm symbol_from dso_size
	offered diff -s pid,tid,co
	[ "$(xargs <out)" = ':nospace pid,tid,comm pid,tid,code_page_size' ] ||
		fail "keys"
	offered report -s symbol_t
	grep -q $'^symbol_to\t[a-z]' lines || fail "no help of keys"
	offered report -g graph,cal
	expect_offers graph,caller graph,callee
	for key in $("$KERMON" help --options report | awk -F '\t' '$3 == "sort" { print $5 }' |
			tr -d ,); do
		offered report -s "$key"
		expect_offers "$key"
	done
}

test_fields()
{
	offered script -F ip,sy
	[ "$(xargs <out)" = ':nospace ip,sym ip,symoff' ] || fail "fields"
	offered script -F +src
	expect_offers +srcline
	offered script --fields=sw:com
	expect_offers --fields=sw:comm
}

test_events_of_the_machine()
{
	offered run -e set
	expect_offers set0 set1 set2
	offered attach -p 1 --event set1,mem_uops_retired:all_l
	expect_offers set1,MEM_UOPS_RETIRED:ALL_LOADS
	offered run --event=l1d:rep
	expect_offers --event=L1D:REPLACEMENT
}

test_events_of_the_recording()
{
	make_file
	offered report -e ''
	expect_offers instructions:u cycles:u oncpu
	mv perf.data other
	offered export other --event=onc
	[ "$(cat out)" = --event=oncpu ] || fail "not oncpu alone"
	offered diff -i other -e power
	expect_offers power/energy-pkg/
	offered report -e ''
	expect_empty out
	mkfifo pipe
	offered report -i - -e ''
	expect_empty out
}

test_files()
{
	local command

	for command in report diff regions script export readperf merge header dump check; do
		offered "$command" ''
		expect_offers :files
		offered "$command" --input=
		expect_offers :files
	done
	offered report -- -
	expect_offers :files
	offered report --symfs ''
	expect_offers :folders
	offered status x
	expect_empty out
	offered attach -p ''
	expect_offers :pids
}

# The command of run has completions of its own, from where it begins.
test_command_to_run()
{
	offered run l
	expect_offers ':command 1'
	offered run -q -e set1 --coalesce ls -
	expect_offers ':command 5'
	offered run -q -- -
	expect_offers ':command 3'
	offered run -q -
	expect_offers --wait-all
}

test_nothing_to_offer()
{
	offered frobnicate ''
	expect_empty out
	offered report --frobnicate=
	expect_empty out
	offered report -n ''
	expect_offers :files
	offered report perf.data ''
	expect_empty out
	offered list LOADS ''
	expect_empty out
}

# completed WORD...: what bash offers in place of the last word, to the file out; what it
# asks of compopt to the file compopt. Words are split as bash does it at ':' and '='.
completed()
{
	PATH=${KERMON%/*}:$PATH bash --norc -c '
		compopt() { echo "$*" >>compopt; }
		. "$1"
		shift
		COMP_LINE=$*
		mapfile -t COMP_WORDS < <(for word; do
			[ -n "$word" ] || echo
			grep -oE "[:=]|[^:=]+" <<<"$word"
		done)
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_kermon
		printf "%s\n" "${COMPREPLY[@]}"' completed \
		"$COMPLETION/kermon" kermon "$@" >out 2>err
	expect_empty err
}

test_bash()
{
	: >compopt
	make_file
	mkdir folder
	completed rep
	[ "$(cat out)" = report ] || fail "not report alone"
	completed report --sort=pid,com
	expect_offers pid,comm
	completed report -s sym
	expect_offers symbol_from
	expect_line compopt nospace
	completed run -e MEM_UOPS_RETIRED:ALL_L
	expect_offers ALL_LOADS
	completed report -i perf.data -e instructions:
	expect_offers u
	completed report --inp
	[ "$(cat out)" = --input= ] || fail "not --input= alone"
	completed report --input=perf
	[ "$(cat out)" = perf.data ] || fail "not perf.data alone"
	completed report ''
	expect_offers perf.data folder
	expect_line compopt filenames
	completed report --symfs ''
	[ "$(cat out)" = folder ] || fail "not the folder alone"
	completed attach -p "$$"
	expect_offers "$$"
	completed run -e L1D:REPLACEMENT -- base6
	expect_offers base64
	completed run ls perf
	expect_offers perf.data
}

# typed LINE...: what zsh makes of each line with a tab behind it, to the file out.
typed()
{
	cat >typed.zsh <<-'END'
	zmodload zsh/zpty
	path=(${1:h} $path)
	export TERM=dumb
	zpty -b shell zsh -f -i
	zpty -w shell "PS1=; fpath=(${(q)2} \$fpath); autoload -Uz compinit; compinit -u -D"
	zpty -w shell 'tab() { zle complete-word; print -r -- "$BUFFER" >>out; BUFFER=; }'
	zpty -w shell 'zle -N tab; bindkey "^T" tab; : >ready'
	until [[ -e ready ]]; do sleep 0.1; zpty -r -t shell; done >/dev/null
	for i in {3..$#}; do
		zpty -w -n shell ${@[i]}$'\C-T'
		until (( $(wc -l <out) > i - 3 )); do sleep 0.1; done
	done
	END
	: >out
	timeout 60 zsh -f typed.zsh "$KERMON" "$COMPLETION" "$@" 2>err ||
		fail "zsh"
}

# In a shell at a terminal, as people use it.
test_zsh()
{
	make_file
	mkdir folder
	cat >expected <<-'END'
	kermon report 
	kermon report --input=
	kermon report --input=perf.data 
	kermon report perf.data 
	kermon report --symfs folder/
	kermon report -s pid,comm
	kermon report -e oncpu 
	kermon export -f pprof 
	kermon run -e MEM_UOPS_RETIRED:ALL_LOADS
	kermon run -q -- base64 
	kermon run -q ls perf.data 
	END
	typed 'kermon rep' 'kermon report --inp' 'kermon report --input=perf' \
		'kermon report per' 'kermon report --symfs fol' 'kermon report -s pid,com' \
		'kermon report -e onc' 'kermon export -f pp' \
		'kermon run -e mem_uops_retired:all_l' 'kermon run -q -- base6' \
		'kermon run -q ls per'
	diff expected out >err || fail "zsh completes otherwise"
}

run_tests
