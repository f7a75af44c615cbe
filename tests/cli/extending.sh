#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The examples of Documentation/extending.rst: each changes one file; applied to a copy of
# the sources, the tool shows what they add.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

COPY=$(mktemp -d)
trap 'rm -rf "$COPY"' EXIT

# Writes the diffs of the page to the files 1, 2... of a folder.
extract_examples()
{
	mkdir "$COPY/examples"
	awk -v folder="$COPY/examples" '
		/^\.\. code-block:: diff/ { inside = 1; number++; next }
		inside && /^[^ ]/ { inside = 0 }
		inside { sub(/^   /, ""); print > folder "/" number }' \
		"$TOP/Documentation/extending.rst"
}

# The sources, the objects of the tool, and the times of both. Of the sources, those that
# expand a table are compiled again: nothing else depends on its rows.
build_copy()
{
	local build=$COPY/build/sanitize

	mkdir -p "$build" "$COPY/kernel-patches/files"
	cp -a "$TOP/tools" "$COPY"
	mkdir -p "$COPY/kmod"
	cp -a "$TOP/kmod/"pmu_intel* "$COPY/kmod"
	cp -a "$TOP/kernel-patches/files/include" "$COPY/kernel-patches/files"
	cp -a "$TOP/build/sanitize/obj" "$build"
	find "$build" -name '*.d' -delete
	cat "$COPY/examples/"* | patch -s -p1 -d "$COPY" || return
	grep -rlE '(FEATURE|RECORD)_TABLE\(|struct report_key keys' "$COPY/tools/lib" \
		--include='*.c' | xargs touch
	make -s -j2 -C "$COPY/tools" SANITIZE=1 BUILD="$build" "$build/bin/kermon"
}

extract_examples
build_copy >"$COPY/log" 2>&1 || BUILD_FAILED=$?
KERMON=$COPY/build/sanitize/bin/kermon

expect_copy()
{
	[ -z "${BUILD_FAILED-}" ] || { cp "$COPY/log" err && fail "the examples do not build"; }
}

# perf.data with a feature 32, and a record of type 84.
make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
pack, build = synthetic.pack, synthetic.build
extra = synthetic.record(84, pack("16sQ64s256s", b"trace", 1, b"version", b"2"))
file = lambda data: build(data + extra, {32: pack("I", 64)})
open("perf.data", "wb").write(synthetic.recording(file=file))'
}

test_each_changes_one_file()
{
	local example

	[ "$(find "$COPY/examples" -type f | wc -l)" -eq 4 ] || fail "not four examples"
	for example in "$COPY/examples/"*; do
		[ "$(grep -c '^+++ ' "$example")" -eq 1 ] || fail "$example: not one file"
	done
}

test_feature()
{
	expect_copy
	make_file
	kermon header
	expect_line out '^cache line +64 bytes$'
}

test_record()
{
	expect_copy
	make_file
	kermon dump
	expect_line out ' BPF_METADATA size 352: prog trace, nr 1, key version, value 2$'
}

test_key()
{
	expect_copy
	make_file
	kermon report -s cgroup_id
	expect_status 0
	expect_line out '^ +% +cgroup_id '
	kermon report -s cgroup_id --csv
	expect_line out '^cgroup_id,samples,'
	kermon report -s unknown
	expect_line err 'valid keys: .*, cgroup_id$'
}

test_option()
{
	export LIBPFM_FORCE_PMU=ivb

	expect_copy
	kermon list --help
	expect_line out '^  -s, --sets +print only sets$'
	kermon list --sets
	expect_status 0
	expect_line out '^  set1 '
	[ "$(wc -l <out)" -lt 40 ] || fail "events are listed"
	kermon list --set
	expect_line err "did you mean '--sets'"
	kermon help --complete -- list --s
	expect_line out '^--sets'
}

run_tests
