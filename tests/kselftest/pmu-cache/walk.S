/* SPDX-License-Identifier: GPL-2.0 */
/* Walks through memory: walk.h */

/* Offsets in struct walk */
#define START	0
#define STRIDE	8
#define STEPS	16
#define ROUNDS	24
#define ADVANCE	32
#define BEFORE	40
#define AFTER	72

	.macro	read_counter number, into
	mov	$\number, %ecx
	rdpmc
	shl	$32, %rdx
	or	%rdx, %rax
	movq	%rax, %\into
	.endm

	.macro	read_counters a, b, c, d
	read_counter	0, \a
	read_counter	1, \b
	read_counter	2, \c
	read_counter	3, \d
	.endm

	.macro	keep_counters offset, a, b, c, d
	movq	%\a, \offset(%rdi)
	movq	%\b, \offset+8(%rdi)
	movq	%\c, \offset+16(%rdi)
	movq	%\d, \offset+24(%rdi)
	.endm

/*
 * rdi: the walk; rsi: start of a round; r8: stride; r9: steps; r10: remaining
 * rounds; r11: advance
 */
	.text
	.macro	begin name
	.balign	4096
	.skip	1024		/* avoids the cache sets of code at the start of pages */
	.globl	\name
	.type	\name, @function
\name:	mov	START(%rdi), %rsi
	mov	STRIDE(%rdi), %r8
	mov	STEPS(%rdi), %r9
	mov	ROUNDS(%rdi), %r10
	mov	ADVANCE(%rdi), %r11
1:	read_counters	xmm0, xmm1, xmm2, xmm3
	.endm

	.macro	finish name
	read_counters	xmm4, xmm5, xmm6, xmm7
	add	%r11, %rsi
	dec	%r10
	jnz	1b
	keep_counters	BEFORE, xmm0, xmm1, xmm2, xmm3
	keep_counters	AFTER, xmm4, xmm5, xmm6, xmm7
	ret
	.size	\name, . - \name
	.endm

	.macro	walk name, step:vararg
	begin	\name
	mov	%rsi, %rax
	mov	%r9, %rcx
2:	\step
	add	%r8, %rax
	dec	%rcx
	jnz	2b
	finish	\name
	.endm

	walk	walk_loads, mov (%rax), %edx
	walk	walk_stores, mov %edx, (%rax)
	walk	walk_locked, lock incl (%rax)

/* The last step jumps to rdx. */
	begin	walk_code
	lea	2f(%rip), %rdx
	jmp	*%rsi
2:
	finish	walk_code

	.section .note.GNU-stack, "", @progbits
