/* SPDX-License-Identifier: GPL-2.0 */
/* The compiled policy.conf. */
	.section .rodata
	.globl policy, policy_end
policy:
	.incbin "policy.bin"
policy_end:

	.section .note.GNU-stack, "", @progbits
