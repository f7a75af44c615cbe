# SPDX-License-Identifier: GPL-2.0
#
# For tests that run commands under valgrind.

KERMON=${KERMON:-$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")/build/bin/kermon}
. "$(dirname "${BASH_SOURCE[0]}")/../cli/cli.bash"

FOUND=99

# checked COMMAND...: its output goes to the files out and err, its exit status to
# $status; any error of valgrind, including leaks and in its children, ends the test.
checked()
{
	valgrind --quiet --log-file=valgrind.%p --error-exitcode=$FOUND \
		--leak-check=full --errors-for-leak-kinds=definite,indirect \
		"$@" >out 2>err
	status=$?
	cat valgrind.* >found
	rm -f valgrind.*
	if [ -s found ]; then
		head -n 40 found | sed 's/^/#   /'
		fail "valgrind found errors: $*"
	fi
	[ "$status" -ne $FOUND ] || fail "valgrind has failed: $*"
}
