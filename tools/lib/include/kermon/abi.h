/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What holds for all headers of libkermon, which record with KerMon and read what was
 * recorded.
 *
 * Errors: nothing is printed and nothing exits. A function that can fail returns 0, or
 * what it is asked for, and -errno; one that makes an object returns NULL and sets errno.
 *
 * Ownership: what one function opens or makes, another of the same prefix closes or
 * frees, and takes NULL. What a getter hands out belongs to the object that was asked.
 *
 * Threads: an object may be used by one thread at a time, and by another one later;
 * different objects by different threads at once. Exceptions say so.
 *
 * Later versions, of the same soname, do not break a program that was built with this
 * one. Structures of options and of callbacks begin with their size and may get new
 * members at their end: see struct kermon_report_options. So may those that the library
 * makes and hands out one by one, by pointer. Those that stand in arrays, or that the
 * caller provides to be filled, stay as they are; enumerations may get new values.
 */
#ifndef KERMON_ABI_H
#define KERMON_ABI_H

/* Around declarations: callable from C++, and visible when the library is built. */
#ifdef __cplusplus
#define KERMON_BEGIN_DECLS	extern "C" { _Pragma("GCC visibility push(default)")
#define KERMON_END_DECLS	_Pragma("GCC visibility pop") }
#else
#define KERMON_BEGIN_DECLS	_Pragma("GCC visibility push(default)")
#define KERMON_END_DECLS	_Pragma("GCC visibility pop")
#endif

#endif /* KERMON_ABI_H */
