# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# Functions shared by the scripts: paths, messages, cache keys, locks, and phases with a
# progress display. To be sourced; has no side effects.

set -euo pipefail
export LC_ALL=C.UTF-8

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kermon
jobs=${JOBS:-$(nproc)}

# Number of cached results of each kind to keep; the least recently used are removed. Of
# kernels, each state of the repository has up to six.
keep_results=24

say() {
	printf '%s\n' "$*" >&2
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# Print the usage text of a script: the comment at its top, after the licence.
usage() {
	sed -n '3,/^[^#]/{s/^# \{0,1\}//p}' "$0"
}

# Print a file such as series or configure-flags without comments and blank lines.
lines_of() {
	sed -e 's/[[:space:]]*#.*//' -e '/^[[:space:]]*$/d' "$1"
}

# base_of FILE KEY: the value of KEY in a BASE file.
base_of() {
	local value
	value=$(sed -n "s/^$2=//p" "$1") || die "cannot read $1"
	[ -n "$value" ] || die "no line '$2=' in $1"
	printf '%s\n' "$value"
}

# List the kernel lines of this checkout.
kernel_lines() {
	find "$top/kernel-patches" -mindepth 2 -maxdepth 2 -name BASE -printf '%h\n' |
		xargs --max-args=1 basename | sort --version-sort
}

# source_of SERIES: the folder with the unpacked source for SERIES.
source_of() {
	"$top/scripts/source" "$(base_of "$top/$1/BASE" package)" "$(base_of "$top/$1/BASE" tested)"
}

# The version of a Debian package; empty if it is not installed.
version_of() {
	dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true
}

# key_of TEXT PATH...: a hash of TEXT and of the names and contents of all files at PATH
# (relative to the top; nonexistent ones are ignored).
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

# lock NAME: acquire the lock NAME, waiting if necessary, and hold it until this shell
# exits.
lock() {
	local fd
	mkdir -p "$cache/lock"
	exec {fd}>"$cache/lock/$1"
	if ! flock --nonblock "$fd"; then
		say "  $1: waiting for another process that is building it"
		flock "$fd"
	fi
}

# Show a live line with the elapsed time and the last line of the log, until killed or
# until the script has exited: Ctrl-C does not reach background jobs of bash.
live_line() {
	local start=$SECONDS line width
	while sleep 1 && kill -0 $$ 2>/dev/null; do
		width=$(($(tput cols 2>/dev/null || echo 80) - 1))
		line=$(tail -n 1 -- "$2" | tr -d '\r' | tr '\t' ' ')
		line="  $1  $((SECONDS - start)) s  $line"
		printf '\r\033[K%s' "${line:0:width}" >&2
	done
}

# phase TITLE COMMAND...: run COMMAND with its output in a log in the cache. On a
# terminal show the progress in a live line, otherwise print one line per phase. If
# COMMAND fails, print the end of the log and exit.
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
	# Not "COMMAND || status=$?", since bash would then ignore set -e inside COMMAND.
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
	die "$title failed with status $status; full log: $log"
}

# update_tree NAME WORK [OPTION...]: update WORK/tree to what "prepare" makes of this
# checkout with the options. Only files whose content differs are touched, so that make
# rebuilds only what is necessary.
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

# Unchanged files of both trees are hard links to the same inode in the cache, so only
# the others need to be compared. Changed files are copied, to update the modification
# time for make.
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

# point NAME DIR: link build/NAME of this checkout to the result in DIR.
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
