/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instruction sequences with their expected counts, as defined in
 * tests/qemu/README.md. They are copied and executed alone or in random
 * combinations, so all follow these rules: position-independent; %rdi points
 * to struct scratch; it, %rbx, %rbp, %rsp, %r10 and %r12 to %r15 are
 * preserved; the direction flag stays clear and the x87 stack is unchanged;
 * no instruction jumps to itself; control falls through at the end.
 */
#define SINGLES	64		/* offsets in struct scratch: 1.0f, ... */
#define DOUBLES	128		/* 1.0, ... */
#define OUT	256		/* scratch space */
#define STATE	1024		/* for FXSAVE and XSAVE */
#define AVX	1		/* enum needs of sequence.h */
#define FMA	2

	.section .note.GNU-stack, "", @progbits
	.section .rodata.sequences, "a", @progbits
	.globl	sequences
sequences:
	.text

/*
 * Defines a struct sequence of sequence.h; its code extends to that of the next
 * one.
 */
.macro	seq	name:req, insns=1, reps=0, branches=0, loads=0, stores=0,\
		x87=0, ss=0, sd=0, ps=0, pd=0, avx_ps=0, avx_pd=0,\
		arith_ss=0, arith_sd=0, arith_ps=0, arith_pd=0,\
		arith_avx_ps=0, arith_avx_pd=0,\
		adds=0, multiplies=0, divides=0, fused=0, needs=0
	.pushsection .rodata.str1.1, "aMS", @progbits, 1
800:	.asciz	"\name"
	.popsection
801:
	.pushsection .rodata.sequences, "a", @progbits
	.quad	800b, 801b, \needs
	.quad	\insns, \insns + \reps, \insns + \reps
	.quad	\branches, \loads, \stores, \x87
	.quad	\ss, \sd, \ps, \pd, \avx_ps, \avx_pd
	.quad	\arith_ss, \arith_sd, \arith_ps, \arith_pd
	.quad	\arith_avx_ps, \arith_avx_pd
	.quad	\adds, \multiplies, \divides, \fused
	.popsection
.endm

/* Integer instructions */
seq "registers", insns=13
	add	$1, %eax
	xor	%ecx, %ecx
	imul	%eax, %edx
	lea	8(%rdi,%rcx), %rsi
	bswap	%rax
	shl	$3, %rax
	cmovc	%ecx, %eax
	setc	%al
	bts	%ecx, %eax
	xchg	%edx, %ecx
	cmpxchg	%ecx, %edx
	xadd	%ecx, %edx
	nopl	(%rdi)
seq "loads", insns=11, loads=11
	mov	(%rdi), %rax
	movzbl	1(%rdi), %ecx
	movswq	3(%rdi), %rdx
	movslq	5(%rdi), %rdx
	add	8(%rdi), %rax
	cmpl	$5, OUT(%rdi)
	test	%eax, OUT(%rdi)
	cmovc	(%rdi), %eax
	cmovnc	(%rdi), %eax
	bt	%ecx, OUT(%rdi)
	imul	$3, (%rdi), %ecx
seq "stores", insns=6, stores=6
	mov	%eax, OUT(%rdi)
	movb	$5, OUT+7(%rdi)
	movq	$5, OUT+8(%rdi)
	setc	OUT+16(%rdi)
	movnti	%rax, OUT+24(%rdi)
	mov	%cs, OUT+32(%rdi)
seq "read-modify-write", insns=15, loads=14, stores=14
	mov	$5, %eax
	add	%eax, OUT(%rdi)
	adcq	$1, OUT+8(%rdi)
	sub	%al, OUT+5(%rdi)
	incl	OUT(%rdi)
	decw	OUT+2(%rdi)
	notl	OUT(%rdi)
	negq	OUT(%rdi)
	shll	$3, OUT(%rdi)
	rolb	%cl, OUT(%rdi)
	shld	$3, %eax, OUT+4(%rdi)
	btsl	$3, OUT(%rdi)
	btc	%eax, OUT(%rdi)
	xadd	%ecx, OUT(%rdi)
	xchg	%eax, OUT+8(%rdi)
seq "compare and exchange", insns=11, loads=9, stores=9
	mov	OUT(%rdi), %eax
	cmpxchg	%ecx, OUT(%rdi)
	lock cmpxchg %ecx, OUT(%rdi)
	not	%eax
	cmpxchg	%ecx, OUT(%rdi)
	lock cmpxchg %ecx, OUT(%rdi)
	mov	%edx, OUT(%rdi)
	cmpxchg8b OUT(%rdi)
	lock cmpxchg8b OUT(%rdi)
	cmpxchg16b OUT(%rdi)
	lock cmpxchg16b OUT(%rdi)
seq "locked", insns=12, loads=12, stores=12
	lock add %eax, OUT(%rdi)
	lock subl $1, OUT(%rdi)
	lock orb $1, OUT(%rdi)
	lock and %rax, OUT+8(%rdi)
	lock xor %eax, OUT(%rdi)
	lock incl OUT(%rdi)
	lock decq OUT(%rdi)
	lock notl OUT(%rdi)
	lock negl OUT(%rdi)
	lock negb OUT(%rdi)
	lock xadd %eax, OUT(%rdi)
	lock btsl $5, OUT(%rdi)
seq "xlat", insns=4, loads=1
	mov	%rbx, %rcx
	mov	%rdi, %rbx
	xlat
	mov	%rcx, %rbx
seq "popcnt", insns=2, loads=1, needs=AVX
	popcnt	%rax, %rcx
	popcnt	(%rdi), %eax
seq "division", insns=4, loads=1
	mov	$7, %eax
	xor	%edx, %edx
	divl	SINGLES(%rdi)
	cqto

/* Stack */
seq "push and pop", insns=8, loads=5, stores=5
	push	%rax
	pop	%rcx
	push	OUT(%rdi)
	pop	OUT+8(%rdi)
	pushf
	popf
	push	$5
	pop	%rdx
seq "enter and leave", insns=2, loads=1, stores=1
	enter	$16, $0
	leave
seq "call and return", insns=3, branches=3, loads=1, stores=1
	call	1f
	jmp	2f
1:	ret
2:
seq "indirect call and jump", insns=7, branches=4, loads=2, stores=2
	lea	1f(%rip), %rax
	mov	%rax, OUT(%rdi)
	call	*OUT(%rdi)
	jmp	2f
1:	ret
2:	lea	3f(%rip), %rax
	jmp	*%rax
3:

/* Branches */
seq "conditional jumps", insns=8, branches=6
	xor	%eax, %eax
	jz	1f
	ud2
1:	jnz	2f
	jz	2f
	ud2
2:	cmp	$1, %eax
	jc	3f
	ud2
3:	jnc	4f
	.byte	0x0f, 0x85, 0, 0, 0, 0	/* jnz to the next instruction */
4:
seq "loop", insns=21, branches=10
	mov	$10, %ecx
1:	inc	%eax
	loop	1b
seq "jrcxz", insns=4, branches=2
	xor	%ecx, %ecx
	jrcxz	1f
	ud2
1:	inc	%ecx
	jrcxz	2f
2:
seq "system call", insns=2, branches=1
	mov	$39, %eax		/* getpid */
	syscall

/* Strings */
seq "strings without rep", insns=9, loads=5, stores=2
	mov	%rdi, %r8
	mov	%rdi, %rsi
	lea	OUT(%rdi), %rdi
	movsb
	lodsl
	stosq
	scasw
	cmpsb
	mov	%r8, %rdi
seq "rep movsb", insns=6, reps=5, loads=5, stores=5
	mov	%rdi, %r8
	mov	%rdi, %rsi
	lea	OUT(%rdi), %rdi
	mov	$5, %ecx
	rep movsb
	mov	%r8, %rdi
seq "rep stosq, one and none", insns=6, reps=1, stores=1
	mov	%rdi, %r8
	lea	OUT(%rdi), %rdi
	mov	$1, %ecx
	rep stosq
	rep stosq
	mov	%r8, %rdi
seq "rep lodsd", insns=3, reps=300, loads=300
	mov	%rdi, %rsi
	mov	$300, %ecx
	rep lodsl
seq "repe cmpsb to the end", insns=5, reps=4, loads=8
	mov	%rdi, %r8
	mov	%rdi, %rsi
	mov	$4, %ecx
	repe cmpsb
	mov	%r8, %rdi
seq "repne scasb to a match", insns=8, reps=3, loads=3, stores=1
	mov	%rdi, %r8
	movl	$0x00010203, OUT(%rdi)
	lea	OUT(%rdi), %rdi
	mov	$5, %ecx
	mov	$1, %al
	repne scasb
	mov	%r8, %rdi
	nop

/* x87 */
seq "x87 arithmetic", insns=16, loads=4, stores=1, x87=12
	fld1
	fldpi
	fadd	%st(1), %st
	fsub	%st, %st(1)
	fmuls	SINGLES(%rdi)
	fdivl	DOUBLES(%rdi)
	fiaddl	(%rdi)
	fisubs	(%rdi)
	fsubrp	%st, %st(1)
	fsqrt
	fld1
	faddp	%st, %st(1)
	fsin
	frndint
	fscale
	fstpl	OUT(%rdi)
seq "x87 functions", insns=18, x87=8
	fld1
	fldpi
	fprem
	fprem1
	fpatan
	fptan
	fstp	%st(0)
	f2xm1
	fld1
	fyl2x
	fxtract
	fstp	%st(0)
	fincstp
	fdecstp
	fcos
	fsincos
	fstp	%st(0)
	fstp	%st(0)
seq "x87 comparisons", insns=12, x87=7
	fld1
	fldz
	fcom	%st(1)
	fucom	%st(1)
	fcomi	%st(1), %st
	fucomi	%st(1), %st
	ftst
	fxam
	fnstsw	%ax
	fcomip	%st(1), %st
	fld1
	fucompp
seq "x87 moves", insns=25, loads=8, stores=9
	flds	SINGLES(%rdi)
	fldl	DOUBLES(%rdi)
	fxch	%st(1)
	fchs
	fabs
	fstps	OUT(%rdi)
	fstpt	OUT(%rdi)
	fldt	OUT(%rdi)
	fildl	(%rdi)
	fildll	(%rdi)
	filds	(%rdi)
	fistps	OUT(%rdi)
	fistpl	OUT(%rdi)
	fistpll	OUT(%rdi)
	fbstp	OUT(%rdi)
	fbld	OUT(%rdi)
	fisttpl	OUT(%rdi)
	fldl	DOUBLES(%rdi)
	fsts	OUT(%rdi)
	fcmovb	%st(0), %st
	fstpl	OUT(%rdi)
	fnop
	fwait
	fldz
	fstp	%st(0)
seq "x87 state", insns=8, loads=3, stores=4
	fnstcw	OUT(%rdi)
	fldcw	OUT(%rdi)
	fnstsw	OUT(%rdi)
	fnstenv	OUT(%rdi)
	fldenv	OUT(%rdi)
	fnsave	STATE(%rdi)
	frstor	STATE(%rdi)
	fnclex

/* Computing SSE and AVX instructions */
seq "scalar single", insns=18, loads=6, ss=18, arith_ss=9,\
	adds=2, multiplies=1, divides=2
	addss	%xmm1, %xmm0
	subss	SINGLES(%rdi), %xmm0
	mulss	%xmm1, %xmm0
	divss	SINGLES(%rdi), %xmm0
	minss	%xmm1, %xmm0
	maxss	%xmm1, %xmm0
	sqrtss	SINGLES(%rdi), %xmm0
	rcpss	%xmm1, %xmm0
	rsqrtss	%xmm1, %xmm0
	cmpltss	%xmm1, %xmm0
	comiss	SINGLES(%rdi), %xmm0
	ucomiss	%xmm1, %xmm0
	roundss	$0, %xmm1, %xmm0
	cvtsi2ss %eax, %xmm0
	cvtsi2ssl (%rdi), %xmm0
	cvtss2si %xmm0, %eax
	cvttss2si SINGLES(%rdi), %rax
	cvtss2sd %xmm1, %xmm0
seq "scalar double", insns=16, loads=6, sd=16, arith_sd=7,\
	adds=2, multiplies=1, divides=2
	addsd	%xmm1, %xmm0
	subsd	DOUBLES(%rdi), %xmm0
	mulsd	%xmm1, %xmm0
	divsd	DOUBLES(%rdi), %xmm0
	minsd	%xmm1, %xmm0
	maxsd	%xmm1, %xmm0
	sqrtsd	DOUBLES(%rdi), %xmm0
	cmpltsd	%xmm1, %xmm0
	comisd	DOUBLES(%rdi), %xmm0
	ucomisd	%xmm1, %xmm0
	roundsd	$0, %xmm1, %xmm0
	cvtsi2sd %rax, %xmm0
	cvtsi2sdl (%rdi), %xmm0
	cvtsd2si %xmm0, %eax
	cvttsd2si DOUBLES(%rdi), %rax
	cvtsd2ss %xmm1, %xmm0
seq "packed single", insns=19, loads=5, ps=19, arith_ps=14,\
	adds=20, multiplies=4, divides=8
	addps	%xmm1, %xmm0
	subps	SINGLES(%rdi), %xmm0
	mulps	%xmm1, %xmm0
	divps	%xmm1, %xmm0
	minps	%xmm1, %xmm0
	maxps	%xmm1, %xmm0
	sqrtps	SINGLES(%rdi), %xmm0
	rcpps	%xmm1, %xmm0
	rsqrtps	%xmm1, %xmm0
	cmpltps	%xmm1, %xmm0
	roundps	$0, %xmm1, %xmm0
	haddps	%xmm1, %xmm0
	hsubps	SINGLES(%rdi), %xmm0
	addsubps %xmm1, %xmm0
	dpps	$0xff, %xmm1, %xmm0
	cvtdq2ps (%rdi), %xmm0
	cvtps2dq %xmm1, %xmm0
	cvttps2dq %xmm1, %xmm0
	cvtps2pd SINGLES(%rdi), %xmm0
seq "packed double", insns=17, loads=5, pd=17, arith_pd=12,\
	adds=10, multiplies=2, divides=4
	addpd	%xmm1, %xmm0
	subpd	DOUBLES(%rdi), %xmm0
	mulpd	%xmm1, %xmm0
	divpd	DOUBLES(%rdi), %xmm0
	minpd	%xmm1, %xmm0
	maxpd	%xmm1, %xmm0
	sqrtpd	%xmm1, %xmm0
	cmpltpd	%xmm1, %xmm0
	roundpd	$0, %xmm1, %xmm0
	haddpd	%xmm1, %xmm0
	hsubpd	DOUBLES(%rdi), %xmm0
	addsubpd %xmm1, %xmm0
	dppd	$0x33, %xmm1, %xmm0
	cvtdq2pd (%rdi), %xmm0
	cvtpd2dq %xmm1, %xmm0
	cvttpd2dq %xmm1, %xmm0
	cvtpd2ps DOUBLES(%rdi), %xmm0
seq "MMX conversions", insns=7, loads=3, ps=3, pd=3
	cvtpi2ps (%rdi), %xmm0
	cvtpi2pd %mm0, %xmm0
	cvtps2pi %xmm0, %mm0
	cvttps2pi SINGLES(%rdi), %mm0
	cvtpd2pi DOUBLES(%rdi), %mm0
	cvttpd2pi %xmm0, %mm0
	emms
seq "AVX scalar", insns=5, loads=1, ss=3, sd=2, arith_ss=2, arith_sd=1,\
	adds=1, multiplies=1, divides=1, needs=AVX
	vaddss	%xmm1, %xmm2, %xmm0
	vsqrtss	%xmm1, %xmm2, %xmm0
	vcvtsi2ss %rax, %xmm2, %xmm0
	vmulsd	DOUBLES(%rdi), %xmm2, %xmm0
	vcmpltsd %xmm1, %xmm2, %xmm0
seq "AVX 128 bits", insns=8, loads=2, stores=1, ps=5, pd=3, arith_ps=3,\
	arith_pd=3, adds=12, divides=6, needs=AVX
	vaddps	SINGLES(%rdi), %xmm2, %xmm0
	vdivps	%xmm1, %xmm2, %xmm0
	vhaddps	%xmm1, %xmm2, %xmm0
	vcvtph2ps %xmm1, %xmm0
	vcvtps2ph $0, %xmm1, OUT(%rdi)
	vsubpd	DOUBLES(%rdi), %xmm2, %xmm0
	vsqrtpd	%xmm1, %xmm0
	vaddsubpd %xmm1, %xmm2, %xmm0
seq "AVX single", insns=23, loads=5, stores=1, avx_ps=22, arith_avx_ps=14,\
	adds=40, multiplies=8, divides=16, needs=AVX
	vaddps	%ymm1, %ymm2, %ymm0
	vsubps	SINGLES(%rdi), %ymm2, %ymm0
	vmulps	%ymm1, %ymm2, %ymm0
	vdivps	%ymm1, %ymm2, %ymm0
	vminps	%ymm1, %ymm2, %ymm0
	vmaxps	%ymm1, %ymm2, %ymm0
	vsqrtps	SINGLES(%rdi), %ymm0
	vrcpps	%ymm1, %ymm0
	vrsqrtps %ymm1, %ymm0
	vcmpltps %ymm1, %ymm2, %ymm0
	vroundps $0, %ymm1, %ymm0
	vhaddps	%ymm1, %ymm2, %ymm0
	vhsubps	%ymm1, %ymm2, %ymm0
	vaddsubps %ymm1, %ymm2, %ymm0
	vdpps	$0xff, %ymm1, %ymm2, %ymm0
	vcvtdq2ps (%rdi), %ymm0
	vcvtps2dq %ymm1, %ymm0
	vcvttps2dq %ymm1, %ymm0
	vcvtps2pd %xmm1, %ymm0
	vcvtps2pd SINGLES(%rdi), %ymm0
	vcvtph2ps (%rdi), %ymm0
	vcvtps2ph $0, %ymm1, OUT(%rdi)
	vzeroupper
seq "AVX double", insns=18, loads=3, avx_pd=17, arith_avx_pd=10,\
	adds=20, multiplies=4, divides=8, needs=AVX
	vaddpd	%ymm1, %ymm2, %ymm0
	vsubpd	DOUBLES(%rdi), %ymm2, %ymm0
	vmulpd	%ymm1, %ymm2, %ymm0
	vdivpd	DOUBLES(%rdi), %ymm2, %ymm0
	vminpd	%ymm1, %ymm2, %ymm0
	vmaxpd	%ymm1, %ymm2, %ymm0
	vsqrtpd	%ymm1, %ymm0
	vcmpltpd %ymm1, %ymm2, %ymm0
	vroundpd $0, %ymm1, %ymm0
	vhaddpd	%ymm1, %ymm2, %ymm0
	vhsubpd	%ymm1, %ymm2, %ymm0
	vaddsubpd %ymm1, %ymm2, %ymm0
	vcvtdq2pd %xmm1, %ymm0
	vcvtpd2dq %ymm1, %xmm0
	vcvttpd2dq %ymm1, %xmm0
	vcvtpd2ps %ymm1, %xmm0
	vcvtpd2psy DOUBLES(%rdi), %xmm0
	vzeroupper

seq "fused operations", insns=9, loads=1, arith_ss=2, arith_sd=2, arith_ps=2,\
	arith_pd=4, arith_avx_ps=4, arith_avx_pd=2, fused=60, needs=FMA
	vfmadd132ss %xmm1, %xmm2, %xmm0
	vfmadd213sd %xmm1, %xmm2, %xmm0
	vfmsub231ps %xmm1, %xmm2, %xmm0
	vfnmadd132pd %xmm1, %xmm2, %xmm0
	vfmsubadd213pd %xmm1, %xmm2, %xmm0
	vfnmsub213ps %ymm1, %ymm2, %ymm0
	vfmaddsub132ps %ymm1, %ymm2, %ymm0
	vfmadd231pd DOUBLES(%rdi), %ymm2, %ymm0
	vzeroupper

/* SSE and AVX moves */
seq "SSE moves", insns=37, loads=15, stores=12
	movaps	SINGLES(%rdi), %xmm0
	movaps	%xmm0, OUT(%rdi)
	movups	3(%rdi), %xmm1
	movss	SINGLES(%rdi), %xmm1
	movss	%xmm1, OUT(%rdi)
	movsd	DOUBLES(%rdi), %xmm1
	movsd	%xmm1, OUT(%rdi)
	movlps	(%rdi), %xmm1
	movlps	%xmm1, OUT(%rdi)
	movhps	(%rdi), %xmm1
	movhps	%xmm1, OUT(%rdi)
	movlhps	%xmm1, %xmm0
	movhlps	%xmm1, %xmm0
	shufps	$0x1b, %xmm1, %xmm0
	andps	SINGLES(%rdi), %xmm0
	xorps	%xmm1, %xmm1
	unpcklps %xmm1, %xmm0
	blendps	$5, %xmm1, %xmm0
	insertps $0x10, (%rdi), %xmm0
	extractps $1, %xmm0, OUT(%rdi)
	pextrd	$1, %xmm0, OUT(%rdi)
	pinsrd	$1, (%rdi), %xmm0
	movmskps %xmm0, %eax
	movd	(%rdi), %xmm0
	movd	%xmm0, OUT(%rdi)
	movq	(%rdi), %xmm0
	movq	%xmm0, OUT(%rdi)
	lddqu	1(%rdi), %xmm0
	movdqa	%xmm0, %xmm1
	movntdq	%xmm0, OUT(%rdi)
	movntps	%xmm0, OUT(%rdi)
	movntdqa (%rdi), %xmm0
	paddd	(%rdi), %xmm0
	pshufb	%xmm1, %xmm0
	movddup	DOUBLES(%rdi), %xmm0
	movshdup %xmm0, %xmm1
	maskmovdqu %xmm1, %xmm0
seq "MMX moves", insns=7, loads=2, stores=3
	movq	(%rdi), %mm0
	movd	4(%rdi), %mm1
	paddd	%mm0, %mm1
	movq	%mm0, OUT(%rdi)
	movntq	%mm0, OUT(%rdi)
	maskmovq %mm1, %mm0
	emms
seq "AVX moves", insns=17, loads=8, stores=5, needs=AVX
	vmovaps	SINGLES(%rdi), %ymm0
	vmovups	%ymm0, OUT+3(%rdi)
	vmaskmovps SINGLES(%rdi), %ymm0, %ymm1
	vmaskmovpd %ymm1, %ymm0, OUT(%rdi)
	vbroadcastss SINGLES(%rdi), %ymm1
	vbroadcastf128 (%rdi), %ymm1
	vinsertf128 $1, (%rdi), %ymm1, %ymm1
	vextractf128 $1, %ymm1, OUT(%rdi)
	vperm2f128 $1, (%rdi), %ymm0, %ymm1
	vandps	(%rdi), %ymm0, %ymm1
	vxorps	%ymm1, %ymm1, %ymm1
	vblendvps %ymm0, %ymm1, %ymm0, %ymm1
	vtestps	%ymm0, %ymm1
	vmovntps %ymm0, OUT(%rdi)
	vstmxcsr OUT(%rdi)
	vldmxcsr OUT(%rdi)
	vzeroall

/* Other instructions */
seq "processor state", insns=4, loads=2, stores=2
	fxsave	STATE(%rdi)
	fxrstor	STATE(%rdi)
	stmxcsr	OUT(%rdi)
	ldmxcsr	OUT(%rdi)
seq "extended state", insns=7, loads=1, stores=2, needs=AVX
	xor	%ecx, %ecx
	xgetbv
	mov	$7, %eax
	xor	%edx, %edx
	xsave	STATE(%rdi)
	xrstor	STATE(%rdi)
	xsaveopt STATE(%rdi)
seq "prefetches and fences", insns=8, loads=3
	prefetcht0 (%rdi)
	prefetchnta OUT(%rdi)
	prefetchw (%rdi)
	clflush	(%rdi)
	lfence
	mfence
	sfence
	pause
seq "cpuid and clocks", insns=5
	mov	%rbx, %r8
	xor	%eax, %eax
	cpuid
	mov	%r8, %rbx
	rdtsc
	.pushsection .rodata.sequences, "a", @progbits
	.quad	0, 801f, 0
	.popsection
801:	ud2
