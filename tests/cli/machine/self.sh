#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs that cannot include <kermon/self.h> read their own counts by libkermon.
# shellcheck disable=SC2317	# tests are called by run_tests

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"

# The difference of each two reads is that of the interpreter's code in between, so not exactly
# known; ten times as much code has ten times as many instructions.
test_python()
{
	cat >reads.py <<-'END'
	import ctypes, sys
	library = ctypes.CDLL(sys.argv[1])
	own = ctypes.create_string_buffer(library.kermon_self_size())
	error = library.kermon_self_open(own)
	if error:
	    sys.exit(f"not opened: {error}")
	count = ctypes.c_uint64()

	def instructions():
	    error = library.kermon_read(own, library.kermon_self_fixed(own, 0), ctypes.byref(count))
	    assert not error, error
	    return count.value

	def work(rounds):
	    before = instructions()
	    for _ in range(rounds):
	        pass
	    return instructions() - before

	work(1)
	none, some, more = work(0), work(10000), work(100000)
	print(none, some, more)
	assert 0 < none < some, (none, some)
	assert 9.5 < (more - none) / (some - none) < 10.5, (none, some, more)
	assert library.kermon_read(own, 99, ctypes.byref(count)) == -22
	library.kermon_self_close(own)
	END
	"$KERMON" run -q -e set0 -- /usr/bin/python3 reads.py "$TOP/build/lib/libkermon.so" >out 2>err
	status=$?
	expect_status 0
	/usr/bin/python3 reads.py "$TOP/build/lib/libkermon.so" >out 2>err
	status=$?
	expect_status 1
	expect_line err '^not opened: -2$'
}

run_tests
