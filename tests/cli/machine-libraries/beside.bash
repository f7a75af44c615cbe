# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Runs examples of libraries with tests/cli/programs/beside.c, which reads the same counts by
# KerMon, and compares them.

# counted COMMAND...: with all symbols found before, as finding one executes instructions.
counted()
{
	LD_BIND_NOW=1 LD_PRELOAD=$TOP/build/programs/beside.so "$@" >out 2>err
	status=$?
}

# expect_same_counts READS LEAST: at least that many reads, one of at least LEAST instructions. What
# the library executes between its reading of a counter and KerMon's is the same for all
# reads of a kind; a count of several regions has it several times. KerMon repeats a read during
# which the thread is switched out, which is rare and takes REPEATED instructions at most.
REPEATED=40

expect_same_counts()
{
	/usr/bin/python3 - "$1" "$2" "$REPEATED" >facts 2>&1 <<-'END' || fail "$(cat facts)"
	import collections, sys
	rows = [line.split()[1:] for line in open("err") if line.startswith("beside: ")]
	kinds = collections.defaultdict(list)
	for since, read, event, theirs, ours in rows:
	    kinds[since, read, event].append((int(theirs), int(ours)))
	print(dict(kinds))
	assert len(rows) >= int(sys.argv[1]), rows
	assert max(ours for counts in kinds.values() for _, ours in counts) >= int(sys.argv[2]), rows
	for (since, read, event), counts in kinds.items():
	    more = [theirs - ours for theirs, ours in counts]
	    if read == "GetRegion":
	        more = [after - before for before, after in zip([0] + more, more)]
	    assert max(more) - min(more) <= int(sys.argv[3]), (since, read, event, counts)
	    assert 0 < max(more) < 5000, (since, read, event, counts)
	END
	sed 's/^/# /' facts
}
