/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules for all headers of libkermon, the library to record with KerMon and to read
 * recordings.
 *
 * Errors: nothing is printed and nothing exits. A function that can fail returns 0, or
 * its result, and -errno on error; one that creates an object returns NULL and sets errno.
 *
 * Ownership: an object that is opened or created by one function is closed or freed by
 * another one with the same prefix, which accepts NULL. What a getter returns belongs to
 * the object.
 *
 * Threads: an object may be used by one thread at a time, not necessarily the same one;
 * different objects may be used by different threads concurrently. Exceptions are noted.
 *
 * Processes: after fork(), a child may create objects of its own, also if the parent has
 * several threads. Objects that existed before share file descriptors and their offsets:
 * the child may close or free them, but not use them. All file descriptors are closed by
 * exec.
 *
 * Signals: a handler for SIGBUS is installed, see <kermon/sigbus.h>.
 *
 * Compatibility: later versions with the same soname do not break a program that was built
 * with this one. Structures of options and of callbacks begin with their size and may get
 * new members at their end: see struct kermon_report_options. The same applies to
 * structures that the library creates and returns by pointer, one by one. Structures that
 * are elements of arrays, or that the caller provides to be filled in, do not change;
 * enumerations may get new values.
 */
#ifndef KERMON_ABI_H
#define KERMON_ABI_H

/* Around declarations: callable from C++, and exported when the library is built. */
#ifdef __cplusplus
#define KERMON_BEGIN_DECLS	extern "C" { _Pragma("GCC visibility push(default)")
#define KERMON_END_DECLS	_Pragma("GCC visibility pop") }
#else
#define KERMON_BEGIN_DECLS	_Pragma("GCC visibility push(default)")
#define KERMON_END_DECLS	_Pragma("GCC visibility pop")
#endif

#endif /* KERMON_ABI_H */
