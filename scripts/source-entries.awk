# SPDX-License-Identifier: GPL-2.0
#
# usage: awk -v codename=bookworm -v style={list|sources} -f source-entries.awk FILE
#
# Convert the entries of an apt source file for the suites of this Debian release to
# entries for source packages. Style "sources" is deb822 (stanzas), "list" is one entry
# per line.

function wanted(suites) {
	return suites ~ "(^|[ \t])" codename "([-/ \t]|$)"
}

function flush() {
	if (stanza != "" && wanted(suites))
		printf "%s\n", stanza
	stanza = suites = ""
}

style == "sources" && /^[ \t]*$/ { flush(); next }

style == "sources" {
	sub(/^Types:.*/, "Types: deb-src")
	if (/^Suites:/)
		suites = substr($0, length("Suites:") + 1)
	stanza = stanza $0 "\n"
	next
}

/^[ \t]*deb[ \t]/ {
	line = $0
	sub(/\[[^]]*\]/, "", line)
	split(line, word, " ")
	if (wanted(word[3]) && sub(/^[ \t]*deb/, "deb-src"))
		print
}

END { flush() }
