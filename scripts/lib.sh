# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# What the scripts share: places, messages, keys, locks, phases with progress.
# Source it; it changes nothing by itself.

set -euo pipefail
export LC_ALL=C.UTF-8

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kermon
jobs=${JOBS:-$(nproc)}

# Cached results of one kind that are kept; the least recently used go first.
keep_results=12

say() {
	printf '%s\n' "$*" >&2
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# The usage text of a script is the comment at its top, after the licence.
usage() {
	sed -n '3,/^[^#]/{s/^# \{0,1\}//p}' "$0"
}

# BASE, series and configure-flags: lines without comments and blanks.
lines_of() {
	sed -e 's/[[:space:]]*#.*//' -e '/^[[:space:]]*$/d' "$1"
}

# base_of FILE KEY: the value of KEY in a BASE file.
base_of() {
	local value
	value=$(sed -n "s/^$2=//p" "$1") || die "cannot read $1"
	[ -n "$value" ] || die "$1 has no line '$2='"
	printf '%s\n' "$value"
}

# The kernel lines of this checkout.
kernel_lines() {
	find "$top/kernel-patches" -mindepth 2 -maxdepth 2 -name BASE -printf '%h\n' |
		xargs --max-args=1 basename | sort --version-sort
}

# source_of SERIES: the folder of the unpacked source that SERIES is for.
source_of() {
	"$top/scripts/source" "$(base_of "$top/$1/BASE" package)" "$(base_of "$top/$1/BASE" tested)"
}

# The version of an installed Debian package; empty when it is not installed.
version_of() {
	dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true
}

# key_of TEXT PATH...: a content hash of TEXT and of the names and contents of
# all files at PATH (relative to the top; those that do not exist are left out).
key_of() {
	local text=$1 path paths=()
	shift
	cd "$top"
	for path; do
		[ ! -e "$path" ] || paths+=("$path")
	done
	{
		printf '%s\n' "$text"
		find "${paths[@]}" -type f ! -name '*~' -print0 |
			sort --zero-terminated | xargs --null --no-run-if-empty sha256sum
	} | sha256sum | cut --characters=1-16
}

# lock NAME: wait for and hold the lock NAME until this shell ends.
lock() {
	local fd
	mkdir -p "$cache/lock"
	exec {fd}>"$cache/lock/$1"
	if ! flock --nonblock "$fd"; then
		say "  $1: waiting for another run that builds it"
		flock "$fd"
	fi
}

# Show a live line with the time and the last line of the log, until killed or
# until the script is gone: Ctrl-C does not reach what bash has in the background.
live_line() {
	local start=$SECONDS line width
	while sleep 1 && kill -0 $$ 2>/dev/null; do
		width=$(($(tput cols 2>/dev/null || echo 80) - 1))
		line=$(tail -n 1 -- "$2" | tr -d '\r' | tr '\t' ' ')
		line="  $1  $((SECONDS - start)) s  $line"
		printf '\r\033[K%s' "${line:0:width}" >&2
	done
}

# phase TITLE COMMAND...: run COMMAND with its output in a log of the cache.
# On a terminal a live line shows how it goes, elsewhere one line per phase.
# When COMMAND fails, the end of the log is shown and the script ends.
phase() {
	local title=$1 start=$SECONDS ticker='' status log
	shift
	mkdir -p "$cache/log"
	log=$cache/log/${title//[^a-zA-Z0-9.-]/-}.log
	: >"$log"
	if [ -t 2 ]; then
		live_line "$title" "$log" &
		ticker=$!
	else
		printf '  %s ...' "$title" >&2
	fi
	# Not "COMMAND || status=$?": there bash would ignore set -e inside.
	set +e
	(set -e && "$@") >"$log" 2>&1 </dev/null
	status=$?
	set -e
	if [ -n "$ticker" ]; then
		kill "$ticker" 2>/dev/null || true
		wait "$ticker" 2>/dev/null || true
		printf '\r\033[K  %s' "$title" >&2
	fi
	printf ' %d s\n' "$((SECONDS - start))" >&2
	[ "$status" -eq 0 ] && return
	tail -n 25 -- "$log" >&2
	die "$title failed with status $status; the whole log is $log"
}

# update_tree NAME WORK [OPTION...]: bring WORK/tree to the state of this checkout
# as "prepare" makes it with the options. Only files whose content differs are
# touched, so that make rebuilds what it must.
update_tree() {
	rm -rf "$2/new"
	"$top/scripts/prepare" --link "${@:3}" "$1" "$2/new"
	if [ -d "$2/tree" ]; then
		phase "$1: update the work tree" sync_tree "$2/new" "$2/tree"
		rm -rf "$2/new"
	else
		mv "$2/new" "$2/tree"
	fi
}

# Files of both trees that nobody changed are links to one inode in the cache:
# only the others need a look at their content. What changes is copied, for a
# time of modification that make sees.
sync_tree() {
	local file
	comm -13 <(inodes "$2" '%P\t%i') <(inodes "$1" '%P\t%i') | cut --fields=1 |
		while IFS= read -r file; do
			cmp --silent "$1/$file" "$2/$file" && continue
			mkdir -p "$(dirname "$2/$file")"
			cp --no-dereference --remove-destination "$1/$file" "$2/$file"
		done
	comm -23 <(inodes "$2" '%P') <(inodes "$1" '%P') |
		while IFS= read -r file; do
			rm "$2/$file"
		done
}

inodes() {
	find "$1" ! -type d -printf "$2\\n" | sort
}

# point NAME DIR: let build/NAME of this checkout be the result in DIR.
point() {
	mkdir -p "$top/build"
	ln --symbolic --force --no-dereference "$2" "$top/build/$1"
	touch "$2"
}

# prune DIR: keep the most recently used results in DIR.
prune() {
	find "$1" -mindepth 1 -maxdepth 1 -printf '%T@\t%p\n' | sort --reverse --numeric |
		cut --fields=2 | tail -n "+$((keep_results + 1))" |
		xargs --no-run-if-empty rm -rf --
}
