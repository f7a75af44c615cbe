/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A known mix of instructions, without libc, whose counts would add to it. Each of the
 * 100,000 rounds has
 *
 *	single: 1 scalar, 1 of 128 bits, 1 of 256 bits: 13 operations
 *	double: 2 scalar, 1 of 128 bits, 1 of 256 bits: 8 operations
 *	3 loads and 2 stores of 8, 16 and 32 bytes: 96 bytes
 */
	.globl	_start
_start:
	vzeroall
	lea	memory(%rip), %rsi
	mov	$100000, %ecx
1:	addss	%xmm1, %xmm0
	mulps	%xmm1, %xmm2
	vaddps	%ymm3, %ymm4, %ymm4
	addsd	%xmm1, %xmm5
	mulsd	%xmm1, %xmm6
	addpd	%xmm1, %xmm7
	vmulpd	%ymm3, %ymm8, %ymm8
	mov	(%rsi), %rax
	movups	32(%rsi), %xmm9
	vmovups	64(%rsi), %ymm10
	mov	%rax, 8(%rsi)
	vmovups	%ymm10, 96(%rsi)
	dec	%ecx
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall

	.bss
	.balign	64
memory:	.skip	128

	.section .note.GNU-stack, "", @progbits
