/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Three phases with known operations and bytes, without libc, whose counts would add to
 * them. A phase begins after a sleep, so that no sample has two of them. All operations
 * and accesses have 256 bits, in double precision:
 *
 *	memory:	 8 passes over 24 MiB, 4 operations for each line of 64 bytes
 *	compute: 1,500,000 rounds of 120 operations and 32 bytes of the same line
 *	mixed:	 8 passes over 24 MiB, 48 operations for each line
 *
 * tests/cli/modelled.py knows how long these take, and what energy.
 */
#define SIZE	(24 << 20)
#define PASSES	8
#define ROUNDS	1500000

	.macro	pause
	mov	$35, %eax		/* nanosleep */
	lea	moment(%rip), %rdi
	xor	%esi, %esi
	syscall
	.endm

/* @lines of 64 bytes in each step, with the instructions after each 32 of them */
	.macro	stream lines, insns:vararg
	pause
	mov	$PASSES, %r8d
1:	lea	memory(%rip), %rsi
	lea	SIZE(%rsi), %rdx
2:	.set	at, 0
	.rept	2 * \lines
	vmovapd	at(%rsi), %ymm1
	\insns
	.set	at, at + 32
	.endr
	add	$64 * \lines, %rsi
	cmp	%rdx, %rsi
	jne	2b
	dec	%r8d
	jnz	1b
	.endm

	.macro	pairs number
	.rept	\number
	vaddpd	%ymm0, %ymm0, %ymm2
	vmulpd	%ymm0, %ymm0, %ymm3
	.endr
	.endm

/* An addition for every other load */
	.macro	sparse
	.if	at % 64 == 0
	vaddpd	%ymm0, %ymm0, %ymm2
	.endif
	.endm

	.globl	_start
_start:	vzeroall
/* Memory that was never written to is one page of zeros. */
	lea	memory(%rip), %rsi
	lea	SIZE(%rsi), %rdx
1:	mov	%rsi, (%rsi)
	add	$4096, %rsi
	cmp	%rdx, %rsi
	jne	1b

	.balign	4096
	stream	8, sparse

	.balign	4096
	pause
	lea	memory(%rip), %rsi
	mov	$ROUNDS, %r8d
1:	vmovapd	(%rsi), %ymm1
	pairs	15
	dec	%r8d
	jnz	1b

	.balign	4096
	stream	4, pairs 3

	mov	$60, %eax		/* exit */
	xor	%edi, %edi
	syscall

	.section .rodata
	.balign	8
moment:	.quad	0, 2000000		/* 2 ms */

	.bss
	.balign	4096
memory:	.skip	SIZE

	.section .note.GNU-stack, "", @progbits
