/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program without a C library, so that what it executes from start to exit
 * is known: INSTRUCTIONS = 6 * LOOPS + 5, BRANCHES = LOOPS + 1 with the system
 * call, and LOOPS each of loads, stores, scalar double and packed single.
 */
	.section .note.GNU-stack, "", @progbits
	.bss
	.balign	16
memory:	.skip	32

	.text
	.globl	_start
_start:
	mov	$LOOPS, %ecx
	lea	memory(%rip), %rdi
	.globl	known_loop
	.type	known_loop, @function
known_loop:
	mov	(%rdi), %eax
	mov	%eax, 16(%rdi)
	addsd	%xmm1, %xmm0
	mulps	%xmm3, %xmm2
	dec	%ecx
	jnz	known_loop
	xor	%edi, %edi
	mov	$60, %eax			/* exit */
	syscall
	.size	known_loop, . - known_loop
