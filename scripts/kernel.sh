# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
#
# Configuring and compiling a kernel; source it after lib.sh. The script sets
# $tree and $build, the folders, and $fragments, the names of the fragments of
# its configuration in tests/vm/config.

kernel_make() {
	make -C "$tree" O="$build" KBUILD_BUILD_USER=kermon KBUILD_BUILD_HOST=kermon \
		KBUILD_BUILD_TIMESTAMP='1 Jan 2026 UTC' -j "$jobs" "$@"
}

# Say which wishes of the fragments kconfig did not grant: a misspelt or
# unreachable option must not go unnoticed.
check_config() {
	local wish refused=0
	while IFS= read -r wish; do
		case $wish in
		CONFIG_*) grep --quiet --line-regexp --fixed-strings "$wish" "$build/.config" ;;
		'# CONFIG_'*) ! grep --quiet "^$(cut --delimiter=' ' --fields=2 <<<"$wish")=" "$build/.config" ;;
		esac || { echo "not granted: $wish" && refused=1; }
	done < <(grep --no-filename '^\(# \)\?CONFIG_' "$build/wishes")
	return "$refused"
}

configure() {
	local fragment
	mkdir -p "$build"
	for fragment in "${fragments[@]}"; do
		cat "$top/tests/vm/config/$fragment.config"
	done >"$build/wishes"
	cmp --silent "$build/wishes" "$build/granted" && [ -f "$build/.config" ] && return
	kernel_make KCONFIG_ALLCONFIG="$build/wishes" allnoconfig
	check_config
	mv "$build/wishes" "$build/granted"
}
