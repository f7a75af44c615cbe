#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Options of kermon report that users of perf type, and what they print. habits.py runs what is
# documented.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# perf.data with three threads of two processes.
make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
}

# As in perf, -g may stand alone; the next word is a file if it is one and no such list.
test_optional_argument()
{
	make_file
	cp perf.data graph
	kermon report -g
	expect_status 0
	cp out expected
	for words in "-g perf.data" "-g -i perf.data" "--call-graph --stdio" "-fg" \
		"perf.data -g" "-g -- perf.data" "-g graph"; do
		# shellcheck disable=SC2086	# words
		kermon report $words
		expect_status 0
		expect_empty err
		cmp -s out expected || fail "$words: other output"
	done
	kermon report -g nosuchfile
	expect_status 129
	expect_line err "unknown kind of call graph 'nosuchfile'"
	kermon report -g nosuchfile graph
	expect_status 129
	kermon report --stdio --json
	expect_status 129
	expect_line err "'--json' cannot be used with '--stdio'"
}

test_separator()
{
	make_file
	kermon report --csv -s comm,tid
	sed 's/"/#/; s/"/#/; s/,/;/g; s/#/"/g' out >expected
	kermon report -t ';' -s comm,tid
	expect_status 0
	expect_line out '^"?a b ""c"" ä"?;200;'
	cmp -s out expected || fail "more differs than the separator"
	kermon report --field-separator=' ' -s comm
	expect_line out '^worker 4 '
	kermon report -t '\t' -s tid,comm
	expect_line out $'^101\thelper\t'
	kermon report -qt, --stdio -g none -s tid
	expect_status 0
	expect_empty err
	expect_line out '^100,'
	expect_no_line out '[a-z]{4}'
	for separator in '' ab 1 . - '"' ä; do
		kermon report -t "$separator"
		expect_status 129
		expect_line err "invalid separator '$separator' for '-t'; valid: "
	done
	kermon report -t , -g
	expect_status 129
	expect_line err "'--field-separator' cannot be used with '--call-graph'"
	kermon report -t , --header
	expect_status 129
}

test_samples_and_exact_sums()
{
	make_file
	kermon report -n -s comm,event
	expect_line out '^ *% +records +comm +event '
	expect_line out '^ *97\.49 +4 +worker '
	kermon report --show-nr-samples -s comm
	expect_line out '^ *% +samples +comm '
	expect_line out '^ *97\.49 +4 +worker '
	COLUMNS=40 kermon report -s comm
	expect_line out '30\.00M'
	COLUMNS=40 kermon report -s comm --show-total-period
	expect_no_line out '30\.00M'
	expect_line out '30,000,000'
}

# Only rows: lines of tables that are in the output without -q.
test_quiet()
{
	make_file
	kermon report
	cp out all
	kermon report -q
	expect_status 0
	expect_empty err
	grep -vxFf all out >others && fail "see others: $(cat others)"
	[ "$(grep -c . out)" -eq 5 ] || fail "not three threads and two functions"
	kermon report --quiet --csv
	expect_empty err
	[ "$(wc -l <out)" -eq 3 ] || fail "not three lines"
	head -c 2000 perf.data >short
	kermon report -q short
	expect_status 1
	expect_line err 'short: '
	kermon report -q --json
	expect_status 129
}

# A file that is named must exist: otherwise, names would be missing without explanation.
# make_samples MODE START SIZE PATH ADDRESS: perf.data with one mapping and one sample.
make_samples()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 - "$@" <<-'END'
	import sys
	import synthetic as s
	mode, path = sys.argv[1], sys.argv[4]
	start, size, address = (int(sys.argv[i], 16) for i in (2, 3, 5))
	taken = bytearray(s.sample(1, 100, 100, 0, 20, address, 1000))
	if mode == "kernel":
	    mapped = s.record(s.MMAP, s.pack("iIQQQ", -1, 0, start, size, start) + s.padded(path) +
	                      s.trailer(0, 0, 10), 1)
	    taken[4] = 1
	else:
	    mapped = s.mmap2(100, start, size, path, 10)
	open("perf.data", "wb").write(s.build(s.comm(100, 100, "worker", 5) + mapped + bytes(taken)))
	END
}

# The kernel ran 2 MiB behind the place that it was linked for.
test_vmlinux()
{
	local text=ffffffff81000000 moved=ffffffff81200000

	printf '.globl _text, do_work\n_text: nop\n.type do_work,@function\ndo_work: ret\n%s' \
		$'.size do_work, 1\n.section .note.GNU-stack\n' >kernel.s
	cc -nostdlib -static -no-pie -Wl,-Ttext="0x$text",-e0,--build-id=none -o kernel kernel.s ||
		fail "no kernel"
	make_samples kernel "$moved" 100000 '[kernel.kallsyms]_text' ffffffff81200001
	kermon report -s sym -e cycles:u
	expect_status 0
	expect_no_line out 'do_work'
	for option in "-k kernel" "--vmlinux=kernel" "-kkernel --kallsyms /dev/null"; do
		# shellcheck disable=SC2086	# words
		kermon report -s sym -e cycles:u $option
		expect_status 0
		expect_line out ' do_work '
	done
	kermon script -k kernel -F ip,sym
	expect_line out '^ +ffffffff81200001 do_work$'
	cc -nostdlib -static -no-pie -Wl,-Ttext="0x$text",-e0,--strip-all -o stripped kernel.s
	kermon report -s sym -k stripped
	expect_line out 'No symbols: \[kernel\.kallsyms\].*: it has none'
	kermon report -k nosuchfile
	expect_status 1
	expect_line err "cannot read the kernel's symbols from nosuchfile: No such file"
}

test_no_demangle()
{
	printf 'void _ZN4pack4workEi(void) {}\n' >work.c
	cc -shared -fPIC -nostdlib -o work.so work.c || fail "no library"
	make_samples user 400000 100000 "$PWD/work.so" \
		"$(printf '%x' $((0x400000 + 0x$(nm work.so | sed -n 's/ T _ZN4.*//p'))))"
	kermon report -s sym -e cycles:u
	expect_line out ' pack::work\(int\) '
	kermon report -s sym -e cycles:u --no-demangle
	expect_status 0
	expect_line out ' _ZN4pack4workEi '
	kermon report --csv -s sym -S 'pack::work' --no-demangle
	expect_line out '^_ZN4pack4workEi,'
}

test_max_stack()
{
	local stack

	make_file
	for stack in 0 -1 x 1x 99999999999; do
		kermon report --max-stack="$stack" --no-children
		expect_status 129
		expect_line err "invalid number '$stack' for '--max-stack'; valid: 1 to 2147483647"
	done
	for stack in "" "-g" "-g callee -G" "--no-children -g"; do
		# shellcheck disable=SC2086	# words
		kermon report --max-stack 2 $stack
		expect_status 129
		expect_line err "'--max-stack' requires '-g callee' or '--no-children'"
	done
	kermon report --max-stack 2 -g callee
	expect_status 0
}

run_tests
