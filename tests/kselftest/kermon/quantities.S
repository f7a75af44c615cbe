/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code with known counts; the *_round tables in quantities.c give them for one
 * round.
 */
#include <asm/unistd.h>

.macro	sse_singles
	addss	%xmm1, %xmm0
	mulps	%xmm1, %xmm2
	addps	%xmm1, %xmm2
.endm

.macro	sse_doubles
	addsd	%xmm1, %xmm8
	mulsd	%xmm1, %xmm9
	subsd	%xmm1, %xmm8
	addsd	%xmm1, %xmm9
	mulsd	%xmm1, %xmm8
	mulpd	%xmm1, %xmm10
	addpd	%xmm1, %xmm11
	subpd	%xmm1, %xmm10
	mulpd	%xmm1, %xmm11
	addpd	%xmm1, %xmm10
	mulpd	%xmm1, %xmm11
.endm

	.text

/* void code_arithmetic(uint64_t n, void *memory) */
	.globl code_arithmetic
	.type code_arithmetic, @function
	.balign 64
code_arithmetic:
	vzeroall
	test	%rdi, %rdi
	jz	2f
1:	sse_singles
	vaddps	%ymm3, %ymm4, %ymm4
	vmulps	%ymm3, %ymm5, %ymm5
	vaddps	%ymm3, %ymm4, %ymm4
	vmulpd	%ymm3, %ymm6, %ymm6
	vaddpd	%ymm3, %ymm7, %ymm7
	vsubpd	%ymm3, %ymm7, %ymm7
	vmulpd	%ymm3, %ymm6, %ymm6
	sse_doubles
	dec	%rdi
	jnz	1b
2:	ret
	.globl code_arithmetic_end
code_arithmetic_end:
	.size code_arithmetic, . - code_arithmetic

/* void code_sse(uint64_t n, void *memory) */
	.globl code_sse
	.type code_sse, @function
	.balign 64
code_sse:
	xorps	%xmm1, %xmm1
	test	%rdi, %rdi
	jz	2f
1:	sse_singles
	sse_doubles
	dec	%rdi
	jnz	1b
2:	ret
	.size code_sse, . - code_sse

/* void code_memory(uint64_t n, void *memory) */
	.globl code_memory
	.type code_memory, @function
	.balign 64
code_memory:
	test	%rdi, %rdi
	jz	2f
1:	mov	(%rsi), %rax
	mov	8(%rsi), %ecx
	movups	16(%rsi), %xmm0
	mov	%rax, 32(%rsi)
	push	%rax
	pop	%rax
	addq	$1, 40(%rsi)
	movups	%xmm0, 48(%rsi)
	nop
	dec	%rdi
	jnz	1b
2:	ret
	.size code_memory, . - code_memory

/* touches a new page per round */
	.globl code_faults
	.type code_faults, @function
	.balign 64
code_faults:
	test	%rdi, %rdi
	jz	2f
1:	addq	$1, (%rsi)
	mov	%rdi, 8(%rsi)
	mov	(%rsi), %rax
	add	$4096, %rsi
	dec	%rdi
	jnz	1b
2:	ret
	.size code_faults, . - code_faults

/* long spawn(void *stack, code_t code, uint64_t n, void *memory) */
/* CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM */
#define SPAWN_FLAGS	0x50f00
	.globl spawn
	.type spawn, @function
spawn:
	sub	$32, %rdi
	mov	%rsi, (%rdi)
	mov	%rdx, 8(%rdi)
	mov	%rcx, 16(%rdi)
	mov	%rdi, %rsi
	mov	$SPAWN_FLAGS, %edi
	xor	%edx, %edx
	xor	%r10d, %r10d
	xor	%r8d, %r8d
	mov	$__NR_clone, %eax
	syscall
	test	%rax, %rax
	jz	1f
	ret
1:	pop	%rax
	pop	%rdi
	pop	%rsi
	call	*%rax
	xor	%edi, %edi
	mov	$__NR_exit, %eax
	syscall
	ud2
	.size spawn, . - spawn

	.section .note.GNU-stack, "", @progbits
