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

# expect_same_counts READS LEAST [KNOWN]: at least that many reads, one of at least LEAST
# instructions. What the library executes between its reading of a counter and KerMon's is known
# from the same read with nothing in between, and is the same for all reads of a kind; of several
# regions, counts are sums, which have it several times. The rest has to be equal, and to be
# KNOWN where the region executes that. KerMon repeats a read during which the thread is
# switched out, which is rare and takes REPEATED instructions at most.
REPEATED=40

expect_same_counts()
{
	/usr/bin/python3 - "$1" "$2" "$REPEATED" "${3-}" >facts 2>&1 <<-'END' || fail "$(cat facts)"
	import collections, sys
	reads, least, repeated = map(int, sys.argv[1:4])
	# by how lines begin, and kind
	found = collections.defaultdict(lambda: collections.defaultdict(list))
	for line in open("err"):
	    label, _, rest = line.partition(": ")
	    if label in ("beside", "empty", "known"):
	        *kind, theirs, ours = rest.split()
	        found[label][tuple(kind)].append((int(theirs), int(ours)))
	for label, kinds in found.items():
	    for kind, counts in kinds.items():
	        if kind[1] == "GetRegion":
	            kinds[kind] = [(theirs - before[0], ours - before[1]) for (theirs, ours), before in
	                           zip(counts, [(0, 0), *counts])]
	        print(label, *kind, kinds[kind])
	rows = [counts for kind in found["beside"].values() for counts in kind]
	assert len(rows) >= reads, rows
	assert max(ours for _, ours in rows) >= least, rows
	for label in "beside", "known":
	    for kind, counts in found[label].items():
	        theirs_empty, ours_empty = found["empty"][kind][-1]
	        offset = theirs_empty - ours_empty
	        assert 0 < offset < 5000, (kind, found["empty"][kind])
	        # The first one finds code and data that are new.
	        for theirs, ours in counts[-1:] if label == "known" else counts:
	            assert abs(theirs - offset - ours) <= repeated, (label, kind, offset, theirs, ours)
	        if label == "known" and kind[2] == "instructions":
	            theirs, ours = counts[-1]
	            assert abs(theirs - theirs_empty - int(sys.argv[4])) <= repeated, (kind, theirs)
	            assert abs(ours - ours_empty - int(sys.argv[4])) <= repeated, (kind, ours)
	assert bool(found["known"]) == bool(sys.argv[4]), "no region of known instructions"
	END
	sed 's/^/# /' facts
}
