#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tool, library and headers can be used where they are installed.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

install_tools()
{
	make -s -C "$TOP/tools" install DESTDIR="$PWD/root" PREFIX=/usr \
		>out 2>err || fail "make install"
	ROOT=$PWD/root/usr
}

test_tool_runs_from_anywhere()
{
	install_tools
	"$ROOT/bin/kermon" --version >out 2>err || fail "kermon --version"
	expect_line out '^kermon '
	! ldd "$ROOT/bin/kermon" | grep -q libkermon ||
		fail "the tool needs libkermon.so"
}

# Each header can be included alone, by a program without extensions, in C or C++.
test_headers()
{
	local header

	install_tools
	for header in "$ROOT"/include/kermon/*.h; do
		echo "#include <kermon/${header##*/}>" >header.c
		gcc -std=c11 -Wall -Wextra -Werror \
			-I "$ROOT/include" -fsyntax-only header.c >out 2>err ||
			fail "${header##*/}"
		g++ -x c++ -std=c++17 -Wall -Wextra -Werror \
			-I "$ROOT/include" -fsyntax-only header.c >out 2>err ||
			fail "${header##*/} in C++"
	done
}

# A C++ program finds the functions, which have C names.
test_program_in_cplusplus()
{
	install_tools
	cat >program.cc <<-'END'
	#include <kermon/profile.h>
	#include <kermon/recorder.h>
	#include <cstdio>
	int main()
	{
		kermon_report_options options = {};
		options.size = sizeof(options);
		options.damages = kermon_damages_new(nullptr, nullptr);
		kermon_report *report = kermon_report_new(&options);
		int err = kermon_report_read(report, "/dev/null");
		std::printf("%d %d\n", err < 0, kermon_damages_count(options.damages) > 0);
		kermon_report_free(report);
		kermon_damages_free(options.damages);
	}
	END
	g++ -std=c++17 -Wall -Wextra -Werror -I "$ROOT/include" -o program program.cc \
		-L "$ROOT/lib" -lkermon >out 2>err || fail "linking"
	LD_LIBRARY_PATH=$ROOT/lib ./program >out 2>err || fail "still running"
	expect_line out '^1 1$'
}

test_shared_library()
{
	install_tools
	nm -D --defined-only "$ROOT/lib/libkermon.so" >out
	grep -vE ' (T kermon_[a-z0-9_]+@@KERMON_0|A KERMON_0)$' out >others
	expect_empty others
	sed -n 's/.* T \(kermon_.*\)@@.*/\1/p' out | sort >exported
	sed -n 's/^\t*\(kermon_[a-z0-9_]*\);$/\1/p' "$TOP/tools/lib/libkermon.map" >listed
	diff listed exported >out || fail "listed and exported functions differ"
	cat >program.c <<-'END'
	#include <kermon/version.h>
	#include <stdio.h>
	int main(void) { return puts(kermon_version()) < 0; }
	END
	gcc -I "$ROOT/include" -o program program.c -L "$ROOT/lib" -lkermon \
		2>err || fail "linking"
	LD_LIBRARY_PATH=$ROOT/lib ./program >out 2>err || fail "still running"
	expect_line out '^[0-9.]+$'
}

# The unit test and a fuzz target call each function of an object after a failed read.
test_every_function_after_a_failed_read()
{
	local name

	grep -oE '\bkermon_(file|merge|profile|readperf|report)_[a-z_]+' \
		"$TOP/tools/lib/libkermon.map" >names
	[ "$(wc -l <names)" -gt 40 ] || fail "names"
	while IFS= read -r name; do
		grep -q "\<$name(" "$TOP/tests/unit/public_calls.h" \
			"$TOP/tests/unit/unread.c" || echo "$name"
	done <names >missing
	expect_empty missing
}

# The version is defined only once, in the header.
test_version()
{
	local version

	install_tools
	cat >program.c <<-'END'
	#include <kermon/version.h>
	#include <stdio.h>
	#if KERMON_VERSION < KERMON_VERSION_NUMBER(0, 0, 1)
	#error "version"
	#endif
	int main(void)
	{
		printf("%d.%d.%d\n", KERMON_VERSION_MAJOR, KERMON_VERSION_MINOR,
		       KERMON_VERSION_PATCH);
		puts(kermon_version());
		return kermon_version_number() != KERMON_VERSION;
	}
	END
	gcc -Wall -Wextra -Werror -I "$ROOT/include" -o program program.c \
		-L "$ROOT/lib" -lkermon >out 2>err || fail "linking"
	{
		LD_LIBRARY_PATH=$ROOT/lib ./program || fail "still running"
		"$ROOT/bin/kermon" --version | sed 's/^kermon //'
		package --modversion libkermon
		sed -nE '/^[0-9.]+( \(unreleased\))?$/ { s/ .*//p; q }' \
			"$TOP/Documentation/CHANGELOG.rst"
	} >versions
	version=$(sort -u versions)
	[ "$(wc -l <versions)" -eq 5 ] || fail "versions: $(cat versions)"
	[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "versions: $version"
}

# pkg-config that knows the packages of this machine, and the installed one.
package()
{
	PKG_CONFIG_PATH=$ROOT/lib/pkgconfig pkg-config "$@"
}

# Into the folder where it is used, which its pkg-config file must name.
install_in_place()
{
	ROOT=$PWD/place
	make -s -C "$TOP/tools" install PREFIX="$ROOT" >out 2>err ||
		fail "make install"
	: >empty
}

# The error is about the empty file: the library works.
expect_example_works()
{
	LD_LIBRARY_PATH=$ROOT/lib ./busiest empty >out 2>err
	expect_line err '^the file is empty$'
}

test_example_by_pkg_config()
{
	local flags

	install_in_place
	[ "$(package --libs libkermon)" = "-L$ROOT/lib -lkermon " ] ||
		fail "$(package --libs libkermon)"
	read -ra flags <<<"$(package --cflags --libs libkermon)"
	gcc -std=c11 -Wall -Wextra -Werror -o busiest \
		"$TOP/tools/examples/busiest.c" "${flags[@]}" >out 2>err ||
		fail "the example cannot be built"
	expect_example_works
	# the library's own dependencies do not matter
	readelf -d busiest | grep NEEDED >out
	expect_line out 'libkermon.so.0'
	expect_no_line out 'libdw|libnl|libz'
}

# The static library in the program: with the others shared, and with all of them static.
test_static_example_by_pkg_config()
{
	local flags

	install_in_place
	read -ra flags <<<"$(package --static --cflags --libs libkermon)"
	gcc -std=c11 -Wall -Wextra -Werror -o busiest "$TOP/tools/examples/busiest.c" \
		"${flags[@]/#-lkermon/-l:libkermon.a}" >out 2>err ||
		fail "cannot link with the static library"
	expect_example_works
	gcc -static -o busiest "$TOP/tools/examples/busiest.c" "${flags[@]}" \
		>out 2>err || fail "the example cannot be linked statically"
	expect_example_works
	! ldd busiest >out 2>&1 || fail "it is not static"
}

# Names that the library uses internally do not conflict with those of the program.
test_static_library_has_public_names_only()
{
	install_tools
	nm --defined-only --extern-only "$ROOT/lib/libkermon.a" |
		awk 'NF == 3 { print $3 }' >names
	expect_line names '^kermon_report_new$'
	grep -v '^kermon_' names >others
	expect_empty others
}

test_manual_pages_and_completion()
{
	local page

	install_tools
	for page in "$TOP"/tools/man/*.1; do
		[ -f "$ROOT/share/man/man1/${page##*/}" ] ||
			fail "${page##*/} is not installed"
	done
	for page in "$TOP"/tools/man/*.3; do
		[ -f "$ROOT/share/man/man3/${page##*/}" ] ||
			fail "${page##*/} is not installed"
	done
	man -l "$ROOT/share/man/man3/kermon_report_table.3" >out 2>err ||
		mandoc "$ROOT/share/man/man3/kermon_report_table.3" >out 2>err
	expect_line out 'KERMON_REPORT\(3\)'
	! grep -n '^\.so' "$ROOT"/share/man/man1/* >out || fail "unresolved .so"
	[ "$(realpath "$ROOT/share/man/man1/kermon-record.1")" = \
		"$(realpath "$ROOT/share/man/man1/kermon-run.1")" ] || fail "no kermon-record(1)"
	bash -n "$ROOT/share/bash-completion/completions/kermon" ||
		fail "completion"
	zsh -n "$ROOT/share/zsh/site-functions/_kermon" || fail "completion"
}

# As if the running kernel had neither modules nor a build tree.
install_everything()
{
	mkdir -p stub
	printf '#!/bin/sh\necho 0-none\n' >stub/uname
	chmod +x stub/uname
	PATH=$PWD/stub:$PATH make -C "$TOP" install DESTDIR="$PWD/root" PREFIX=/usr "$@" \
		>out 2>err
	status=$?
}

test_unpatched_kernel()
{
	unset KDIR
	install_everything
	expect_status 0
	expect_line out '^Skipped kermon.ko: /lib/modules/0-none/build does not exist'
	expect_line out 'Documentation/install.rst'
	root/usr/bin/kermon --version >out || fail "the tool is not installed"
	[ ! -e root/lib ] || fail "there is a module"
}

test_kernel_that_was_named()
{
	mkdir -p tree/include/config
	echo CONFIG_SMP=y >tree/include/config/auto.conf
	install_everything KDIR="$PWD/tree"
	expect_status 2
	expect_line err 'cannot install kermon.ko: the kernel in .*/tree was built without CONFIG_SCHED_KERMON'
	install_everything KDIR="$PWD/nowhere"
	expect_status 2
	expect_line err 'nowhere does not exist'
}

# Installed event files are used instead of those that are built in, which are used if
# there are none, or one is damaged.
test_event_files()
{
	local files

	install_tools
	files=$ROOT/share/kermon/events
	[ -f "$ROOT/share/man/man5/kermon-events.5" ] || fail "no kermon-events(5)"
	export LIBPFM_FORCE_PMU=ivb
	sed -i 's/"caches: .*"/"changed"/' "$files/intel-sandybridge.events"
	"$ROOT/bin/kermon" list set2 >out
	expect_line out '^  set2 +changed$'
	echo nonsense >"$files/intel-sandybridge.events"
	"$ROOT/bin/kermon" list set2 >out 2>err || fail "kermon list"
	expect_line out '^  set2 +caches: '
	expect_line err "event file is not used: .*/intel-sandybridge.events:1: unknown keyword 'nonsense'"
	rm -r "$files"
	"$ROOT/bin/kermon" list set2 >out 2>err || fail "kermon list"
	expect_line out '^  set2 +caches: '
	expect_empty err
}

# The helper finds the lists that are installed beside it; what else to do is printed.
test_helper_of_registers()
{
	install_tools
	expect_line out '^kermon-msr-helper is installed, but only root can use it: it is below DESTDIR\.$'
	expect_line out '^  setcap cap_sys_rawio,cap_dac_override=ep /usr/libexec/kermon/kermon-msr-helper$'
	[ "$(stat -c %a "$ROOT/libexec/kermon/kermon-msr-helper")" = 750 ] || fail "mode"
	! ldd "$ROOT/libexec/kermon/kermon-msr-helper" >out 2>&1 ||
		expect_line out 'statically linked'
	"$ROOT/bin/kermon" msr list >out 2>err || cat err >out
	expect_line out "^Registers of $ROOT/share/kermon/msr/|there is no allow-list for this processor"
}

test_tools_alone()
{
	make -C "$TOP" install-tools DESTDIR="$PWD/root" PREFIX=/usr >out 2>err ||
		fail "make install-tools"
	expect_no_line out 'kermon.ko'
	root/usr/bin/kermon --version >out || fail "the tool is not installed"
}

test_uninstall()
{
	make -C "$TOP" install-tools DESTDIR="$PWD/root" >out 2>err || fail "make install-tools"
	touch root/usr/local/bin/other
	make -C "$TOP" uninstall DESTDIR="$PWD/root" >out 2>err || fail "make uninstall"
	find root ! -type d >files
	[ "$(<files)" = root/usr/local/bin/other ] || fail "remaining: $(<files)"
}

run_tests
