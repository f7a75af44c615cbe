#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The interactive page of reports, opened in headless Chromium: tests/cli/page/checks.js
# compares what it shows with what follows from its data.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

make -s -C "$TOP/tests/cli/programs" OUT="$TOP/build/programs" page >&2

# page_of TITLE DATA PAGE
page_of()
{
	"$TOP/build/programs/page_of" "$1" <"$2" >"$3" 2>err || fail "no page of $2"
}

# make_page OPTION...: data and the page of an application.
make_page()
{
	"$TOP/tests/cli/page/application.py" "$@" >data.json
	page_of 'A report' data.json page.html
}

# check NAME,...
check()
{
	node "$TOP/tests/cli/page/checks.js" "$1" page.html data.json >out 2>err ||
		fail "page: $(cat out)"
}

test_dots_and_pointer()
{
	make_page
	check dots,hover,zoom,words
}

test_selection()
{
	make_page
	check brush,region,toggles
}

test_keys_and_themes()
{
	make_page
	check keys,theme,values
}

test_runs()
{
	make_page --runs 2
	check runs,dots
}

# recording_page DOTS FILE...: the page and the JSON of recordings, by kermon roofline.
recording_page()
{
	local dots=$1

	shift
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" ceilings ceilings.json
	kermon roofline --ceilings ceilings.json --dots "$dots" --view none --html page.html "$@"
	expect_status 0
	kermon roofline --ceilings ceilings.json --dots "$dots" --json "$@"
	expect_status 0
	mv out data.json
}

test_recordings()
{
	local kind

	for kind in phases rotated spy uncounted; do
		PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" make "$kind" "$kind"
	done
	for kind in rotated uncounted; do
		recording_page simd "$kind"
		check recording
	done
	recording_page time phases spy
	check recording,beside
}

test_recording_with_pauses()
{
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" make long long
	recording_page time long
	check level
}

test_several_machines()
{
	local kind

	for kind in phases elsewhere; do
		PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" make "$kind" "$kind"
	done
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" ceilings other.json \
		GenuineIntel,6,85,7 2 elsewhere 0.5
	recording_page time --ceilings other.json phases elsewhere
	check machines
}

test_energy_of_packages_and_rotated_sets()
{
	local kind

	for kind in packages turns coalesced; do
		PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" make "$kind" "$kind"
		recording_page time "$kind"
		check energy
	done
}

test_threads_at_the_same_time()
{
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" make threads threads
	recording_page time threads
	check parallel
}

test_functions()
{
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" make functions functions
	recording_page function functions
	check functions
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" make slices slices
	recording_page function slices
	check whole
}

test_page_to_standard_output()
{
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" make phases phases
	kermon roofline --html - phases
	expect_status 0
	expect_line out '^<title>Roofline of phases</title>$'
	[ "$(tail -n 1 out)" = '</html>' ] || fail "not complete"
	note_files
	kermon roofline --html phases phases
	expect_status 1
	expect_same_files
}

# A file without samples shows ceilings.
test_without_samples()
{
	make_page --without-samples
	check ceilings
}

test_names_that_look_like_markup()
{
	local title='</title><script>alert(1)</script> & <b>'

	"$TOP/tests/cli/page/application.py" --hostile --runs 3 >data.json
	page_of "$title" data.json page.html
	TITLE=$title check hostile
}

# They are compressed in the page.
test_many_samples()
{
	make_page --samples 100000
	[ "$(stat -c %s data.json)" -gt 10000000 ] || fail "few samples"
	[ "$(stat -c %s page.html)" -lt 10000000 ] || fail "$(stat -c %s page.html) bytes"
	check many
}

# All that the page consists of is in it, and D3 with its licence.
test_page_is_complete()
{
	make_page
	expect_line page.html 'Copyright 2010-2020 Mike Bostock'
	expect_no_line page.html '^@(file|d3) '
	expect_no_line page.html 'src="?(http|//)'
}

test_missing_d3_is_named()
{
	"$TOP/tools/share/page/assemble" "$TOP/tools/share/page/page.html" "$PWD" >page.html 2>err &&
		fail "a page without D3"
	expect_line err 'd3-array.min.js is missing: install the package node-d3'
}

run_tests
