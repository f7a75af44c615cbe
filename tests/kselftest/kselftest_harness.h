/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's harness with a different timeout per test: see the makefiles. */
#include_next <kselftest_harness.h>

#ifdef TEST_TIMEOUT
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	TEST_TIMEOUT
#endif
