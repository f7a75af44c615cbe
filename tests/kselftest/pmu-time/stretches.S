/* SPDX-License-Identifier: GPL-2.0 */
/* Loops that take a known time: stretch.h */

/* Offsets in struct stretch */
#define ROUNDS		0
#define COUNTER		8
#define AREA		16
#define STEPS		24
#define TSC_BEFORE	32
#define CYCLES_BEFORE	40
#define TSC_AFTER	48
#define CYCLES_AFTER	56

/* The TSC, then the counter, which ecx selects, into memory; changes rax and rdx */
	.macro	read_clocks tsc, cycles
	rdtsc
	shl	$32, %rdx
	or	%rdx, %rax
	mov	%rax, \tsc(%rdi)
	mov	COUNTER(%rdi), %ecx
	rdpmc
	shl	$32, %rdx
	or	%rdx, %rax
	mov	%rax, \cycles(%rdi)
	.endm

/*
 * rdi: the stretch; r8: remaining rounds; rsi: the memory. Each loop is one block
 * of the model, which ends at a jump, after 64 instructions, or with the page.
 */
	.text
	.macro	begin name
	.balign	4096
	.globl	\name
	.type	\name, @function
\name:	mov	ROUNDS(%rdi), %r8
	mov	AREA(%rdi), %rsi
	read_clocks	TSC_BEFORE, CYCLES_BEFORE
	.balign	64
	.endm

	.macro	finish name
	read_clocks	TSC_AFTER, CYCLES_AFTER
	vzeroupper
	ret
	.size	\name, . - \name
	.endm

/* @count times the instructions in each round */
	.macro	repeat name, count, first, second, third
	begin	\name
1:	.rept	\count
	\first
	\second
	\third
	.endr
	dec	%r8
	jnz	1b
	finish	\name
	.endm

	repeat	loop_nothing, 60, "nop"
	repeat	loop_add_scalar, 60, "addsd %xmm0, %xmm1"
	repeat	loop_add_sse, 60, "addpd %xmm0, %xmm1"
	repeat	loop_add_avx, 60, "vaddpd %ymm0, %ymm0, %ymm1"
	repeat	loop_mul_scalar, 60, "mulss %xmm0, %xmm1"
	repeat	loop_mul_avx, 60, "vmulps %ymm0, %ymm0, %ymm1"
	repeat	loop_mix_sse, 30, "addpd %xmm0, %xmm1", "mulpd %xmm0, %xmm2"
	repeat	loop_mix_avx, 30, "vaddpd %ymm0, %ymm0, %ymm1", "vmulpd %ymm0, %ymm0, %ymm2"
	repeat	loop_div_sse, 60, "divpd %xmm0, %xmm1"
	repeat	loop_div_avx, 60, "vdivpd %ymm0, %ymm0, %ymm1"
	repeat	loop_x87, 60, "fadd %st(0), %st"
	repeat	loop_load_scalar, 60, "mov (%rsi), %rax"
	repeat	loop_load_sse, 60, "movapd (%rsi), %xmm1"
	repeat	loop_load_avx, 60, "vmovapd (%rsi), %ymm1"
	repeat	loop_store_scalar, 60, "mov %rax, (%rsi)"
	repeat	loop_store_sse, 60, "movapd %xmm1, (%rsi)"
	repeat	loop_store_avx, 60, "vmovapd %ymm1, (%rsi)"
	repeat	loop_copy_avx, 20, "vmovapd (%rsi), %ymm1", "vmovapd 32(%rsi), %ymm2", "vmovapd %ymm1, (%rsi)"
	repeat	loop_fused, 20, "vaddpd (%rsi), %ymm0, %ymm1", "vmulpd %ymm0, %ymm0, %ymm2"

/* In each round, walk through memory in steps of 8 lines. */
	.macro	walk name, insns:vararg
	begin	\name
1:	mov	AREA(%rdi), %rsi
	mov	STEPS(%rdi), %r9
2:	\insns
	add	$512, %rsi
	dec	%r9
	jnz	2b
	dec	%r8
	jnz	1b
	finish	\name
	.endm

	.macro	load_lines
	.irp	line, 0, 64, 128, 192, 256, 320, 384, 448
	vmovapd	\line(%rsi), %ymm1
	vmovapd	\line + 32(%rsi), %ymm2
	.endr
	.endm

	.macro	store_lines
	.irp	line, 0, 64, 128, 192, 256, 320, 384, 448
	vmovapd	%ymm1, \line(%rsi)
	vmovapd	%ymm1, \line + 32(%rsi)
	.endr
	.endm

/* Additions take 40 cycles, more than L2 needs for 8 lines, less than L3. */
	.macro	compute_lines
	load_lines
	.rept	40
	vaddpd	%ymm0, %ymm0, %ymm1
	.endr
	.endm

	walk	walk_loads, load_lines
	walk	walk_stores, store_lines
	walk	walk_compute, compute_lines

	.section .note.GNU-stack, "", @progbits
