/* SPDX-License-Identifier: GPL-2.0 */
/*
 * See script.h. A script is a stack that only shrinks, so a new task needs only
 * its own stack pointer to execute another script than its creator.
 */
#include <asm/unistd.h>

	.text

/* void walk(const struct step *script) */
	.globl walk
	.type walk, @function
walk:
	mov	%rdi, %rsp
1:	pop	%rax
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%r10
	pop	%r8
	pop	%rcx
2:	dec	%rcx
	jnz	2b
	syscall
	jmp	1b
	.size walk, . - walk

/* A minimal program: its ELF headers and code. */
	.section .rodata
	.globl program, program_end
	.balign 8
program:
	.ascii	"\177ELF"
	.byte	2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0	/* 64 bits, little endian */
	.short	2, 62			/* executable, x86-64 */
	.long	1
	.quad	0x400000 + begin - program
	.quad	headers - program, 0
	.long	0
	.short	64, 56, 1, 0, 0, 0
headers:
	.long	1, 5			/* load it, readable and executable */
	.quad	0, 0x400000, 0x400000
	.quad	program_end - program, program_end - program
	.quad	4096
begin:
	mov	$1000, %ecx
	xor	%edi, %edi
1:	dec	%ecx
	jnz	1b
	mov	$__NR_exit, %eax
	syscall
program_end:

	.section .note.GNU-stack, "", @progbits
