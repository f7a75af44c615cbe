# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
#
# Configuring and compiling a kernel; source it after lib.sh. The script sets
# $tree and $build, the folders, and $fragments, the names of the fragments of
# its configuration in tests/vm/config; and $compiler, if it is not gcc.

# A work tree goes back and forth between states of this repository, and a change of a
# header that sched.h includes compiles everything anew: ccache, if installed, does not.
kernel_make() {
	local command=${compiler:-gcc}
	! command -v ccache >/dev/null || command="ccache $command"
	CCACHE_DIR=$cache/ccache-kernel CCACHE_MAXSIZE=2G CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1 \
		make -C "$tree" O="$build" CC="$command" KBUILD_BUILD_USER=kermon \
			KBUILD_BUILD_HOST=kermon \
			KBUILD_BUILD_TIMESTAMP='1 Jan 2026 UTC' -j "$jobs" "$@"
}

# Print which requested options kconfig did not accept: a misspelt or unreachable
# option must not go unnoticed.
check_config() {
	local option refused=0
	while IFS= read -r option; do
		case $option in
		CONFIG_*) grep --quiet --line-regexp --fixed-strings "$option" "$build/.config" ;;
		'# CONFIG_'*) ! grep --quiet "^$(cut --delimiter=' ' --fields=2 <<<"$option")=" "$build/.config" ;;
		esac || { echo "not accepted by kconfig: $option" && refused=1; }
	done < <(grep --no-filename '^\(# \)\?CONFIG_' "$build/requested.config")
	return "$refused"
}

# Of several lines about one option keep the last: a fragment overrides those before it.
last_of_each_option() {
	tac | awk '{ name = $0; sub(/^# /, "", name); sub(/[= ].*/, "", name) }
		name !~ /^CONFIG_/ || !seen[name]++' | tac
}

configure() {
	local fragment
	mkdir -p "$build"
	for fragment in "${fragments[@]}"; do
		cat "$top/tests/vm/config/$fragment.config"
	done | last_of_each_option >"$build/requested.config"
	cmp --silent "$build/requested.config" "$build/accepted.config" && [ -f "$build/.config" ] && return
	kernel_make KCONFIG_ALLCONFIG="$build/requested.config" allnoconfig
	check_config
	mv "$build/requested.config" "$build/accepted.config"
}
