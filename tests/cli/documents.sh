#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Manual pages, help, completion and documents are in step with the sources.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# For tables and for tests of the checks: starts ten times as fast as with sanitizers.
PLAIN=$TOP/build/bin/kermon

make -s -C "$TOP/tools" man >/dev/null || exit 1
MAN=$TOP/build/man

# "help" is described in kermon(1).
commands()
{
	"$KERMON" help --words | grep -v '^help$'
}

options_of()
{
	"$KERMON" help --words "$1" | sed 's/^--//; s/=$//'
}

page_options()
{
	sed -n 's/^\.It Fl .*/&/p' "$1" | grep -oE 'Fl -[a-z-]+' |
		sed 's/^Fl -//'
}

test_a_page_for_each_command()
{
	local command

	for command in $(commands); do
		[ -f "$MAN/kermon-$command.1" ] ||
			fail "$command has no manual page"
		grep -q "^\.It Ic $command" "$MAN/kermon.1" ||
			fail "kermon(1) does not tell of $command"
		sed '1,/^\.Sh SEE ALSO/d' "$MAN/kermon.1" | grep -q "^\.Xr kermon-$command 1" ||
			fail "kermon(1) does not refer to kermon-$command(1)"
	done
}

test_a_command_for_each_page()
{
	local page command

	for page in "$MAN"/kermon-*.1; do
		command=${page##*/kermon-}
		command=${command%.1}
		"$KERMON" help "$command" >out 2>err ||
			fail "no command for ${page##*/}"
	done
}

test_options_of_pages()
{
	local command

	for command in $(commands); do
		options_of "$command" | sort >out
		page_options "$MAN/kermon-$command.1" | sort >err
		cmp -s out err ||
			fail "options of $command: out has the tool's, err the page's"
	done
}

# Manual pages that are referenced need not be installed.
test_mandoc()
{
	# separate files: lines written to one file at the same time could get mixed
	mandoc -T lint -W style "$MAN"/*.[135] >found 2>err
	grep -hvE 'referenced manual not found|outdated mandoc.db' found err >out
	expect_empty out
}

options()
{
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/options.py" "$@"
}

test_table_of_options()
{
	options table "$KERMON" >out 2>err || fail "no table"
	cmp -s out "$TOP/Documentation/options.rst" ||
		fail "run tests/cli/options.py table build/bin/kermon >Documentation/options.rst"
}

# One spelling has one meaning, and the other way round; what perf spells in another way is
# listed with the reason.
test_options_speak_one_language()
{
	local change

	options check "$KERMON" >out 2>err || fail "they do not"
	expect_empty out
	for change in 's/^cost\tj\tjson\t/cost\tj\tjson-output\t/' \
		's/^cost\tj\tjson\t/cost\t\tjson\t/' \
		's/^export\tf\tformat\t/export\te\tformat\t/' \
		's/\(^diff\t.*\)look up binaries/\1find binaries/' \
		's/^report\tS\tsymbols\t/report\t\tsymbols\t/' \
		's/^script\tG\thide/script\tg\thide/' \
		's/^script\tc\tcomms\t/script\t\tcomms\t/'; do
		printf '#!/bin/sh\n%q "$@" | sed %q\n' "$PLAIN" "$change" >kermon
		chmod +x kermon
		options check ./kermon >out 2>err && fail "not found: $change"
		[ -s out ] || fail "nothing is said: $change"
	done
}

habits()
{
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/habits.py" "$@"
}

test_table_of_habits()
{
	habits table "$PLAIN" >out 2>err || fail "no table"
	cmp -s out "$TOP/Documentation/habits.rst" ||
		fail "run tests/cli/habits.py table build/bin/kermon >Documentation/habits.rst"
}

# What users of perf type is accepted, or refused with advice that works.
test_habits()
{
	habits check "$KERMON" >out 2>err || fail "they are not"
	expect_empty out
}

# Functions that a public header declares.
functions_of()
{
	sed -nE 's/^((KERMON_SELF_(READ_)?API |[a-z]).*[ *])?(kermon_[a-z0-9_]+)\(.*/\4/p' \
		"$TOP/tools/lib/include/kermon/$1.h"
}

# The header of a page such as kermon_file(3), or those that libkermon(3) includes.
headers_of()
{
	if [ "$1" = libkermon ]; then
		sed -n '1,/^\.Sh DESCRIPTION/s/^\.In kermon\/\(.*\)\.h$/\1/p' "$MAN/$1.3"
	else
		echo "${1#kermon_}"
	fi
}

# Pages of section 3 name all functions of their headers, and no others.
test_pages_of_the_library()
{
	local page header name

	for page in libkermon kermon_{file,filter,merge,operations,profile,recorder,report,self}; do
		for header in $(headers_of "$page"); do
			functions_of "$header"
		done | sort >out
		sed -n '1,/^\.Nd/s/^\.Nm \([a-z_]*\).*/\1/p' "$MAN/$page.3" |
			grep -vx "$page" | sort >err
		cmp -s out err || fail "$page(3): out has functions, err those named"
		while IFS= read -r name; do
			grep -qE "^\.F[no] $name( |$)" "$MAN/$page.3" || echo "$name"
		done <out >unmentioned
		expect_empty unmentioned
	done
}

# An option that several commands have is told in the same words by all pages.
test_options_in_the_same_words()
{
	options pages "$MAN" >out 2>err || fail "words differ"
}

# Neither shell's file has a list of its own.
test_completion_asks()
{
	local file

	shellcheck -s bash "$TOP/tools/completion/kermon" >out 2>&1 ||
		fail "shellcheck"
	zsh -n "$TOP/tools/completion/_kermon" >out 2>&1 || fail "zsh"
	for file in kermon _kermon; do
		grep -oE -- '(^|[^-])--[a-z-]+' "$TOP/tools/completion/$file" |
			grep -v -- '--complete' >out
		expect_empty out
	done
}

# Keys of "report -s" according to the tool, which does not list "symbol", an alias of sym.
sort_keys()
{
	"$KERMON" report -s . 2>&1 | sed -n 's/.*valid keys: //p' | tr -d , | tr ' ' '\n'
}

test_sort_keys_of_the_page()
{
	sort_keys | sort >out
	sed -n '/^\.Ss Keys/,/^\.Ss Filters/s/^\.It Cm //p' \
		"$MAN/kermon-report.1" | grep -oE '[a-z_]+' | grep -vx symbol | sort >err
	expect_line out '^dso_size$'
	expect_line err '^dso_size$'
	[ -z "$(comm -13 out err)" ] || fail "the page has keys (err) that the tool has not"
	sed -nE 's/^\.(It )?Cm //p' "$MAN/kermon-report.1" | grep -oE '[a-z_]+' |
		sort -u >err
	[ -z "$(comm -23 out err)" ] || fail "the page does not tell of keys (out) that the tool has"
}

# The rows of the table that Documentation/perf-data.rst marks as "scripts/tables NAME".
documented_table()
{
	awk -v mark=".. scripts/tables $1" '
		$0 == mark { inside = 1 }
		inside && /^   [0-9A-Z].* \|/ { sub(/^   /, ""); print; next }
		inside && /^[^ .]/ { exit }' "$TOP/Documentation/perf-data.rst"
}

expect_documented_table()
{
	"$TOP/scripts/tables" "$1" >out
	documented_table "$1" >err
	{ [ -s out ] && cmp -s out err; } ||
		fail "$1: out has the table of the sources, err that of perf-data.rst"
}

test_table_of_features()
{
	expect_documented_table features
}

test_table_of_records()
{
	expect_documented_table records
}

PAPERS=$TOP/Documentation/papers.rst

# Each table of the papers is made by an experiment.
test_papers()
{
	"$TOP/tests/paper/run" --list | sort >out
	sed -n 's/^\.\. tests\/paper //p' "$PAPERS" | sort >err
	{ [ -s out ] && cmp -s out err; } ||
		fail "out has the experiments, err those of papers.rst"
}

# All of them were made, with as many processes as the document promises; each picture is there.
test_papers_are_measured()
{
	local picture

	expect_no_line "$PAPERS" 'Not measured yet'
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TOP/tests/paper python3 - "$PAPERS" >out <<-'END'
	import sys, tables
	print("\n".join(tables.too_few(open(sys.argv[1]).read())))
	END
	expect_no_line out .
	sed -n 's/^\.\. image:: //p' "$PAPERS" >pictures
	[ -s pictures ] || fail "no pictures"
	while IFS= read -r picture; do
		python3 -c 'import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])' \
			"$TOP/Documentation/$picture" 2>err || fail "$picture"
	done <pictures
}

# Entries of Documentation/map.rst as git patterns: the folder is the title above.
mapped_files()
{
	awk '
		/^--/ { folder = title }
		/^   [^ :*].* \| / {
			entry = ":(glob)" folder "/" $1
			if (sub(/\[ch\]$/, "c", entry)) {
				print entry
				sub(/c$/, "h", entry)
			}
			print entry
		}
		{ title = $0 }' "$TOP/Documentation/map.rst"
}

test_map_of_files()
{
	local entry files

	while read -r entry; do
		mapfile -t files < <(git -C "$TOP" ls-files -- "$entry")
		[ "${#files[@]}" -gt 0 ] || { echo "${entry#*)}" >&2; continue; }
		printf '%s\n' "${files[@]}"
	done < <(mapped_files) >listed 2>gone
	git -C "$TOP" ls-files tools kmod scripts 'kernel-patches/*files/*' >tracked
	sort listed | uniq --repeated | sed 's/^/listed twice: /' >out
	sort listed | comm -13 - <(sort tracked) | sed 's/^/not listed: /' >>out
	sed 's/^/listed, but not tracked: /' gone >>out
	[ ! -s out ] || fail "Documentation/map.rst differs from the tracked files"
}

run_tests
