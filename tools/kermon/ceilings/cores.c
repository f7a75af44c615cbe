// SPDX-License-Identifier: GPL-2.0
/* Microarchitectures. Only what the manuals of the manufacturers state is here. */
#include <stdio.h>
#include <string.h>

#include "cores.h"

#define INTEL	"GenuineIntel"
#define AMD	"AuthenticAMD"
#define MODELS(...)	(const short[]){ __VA_ARGS__, -1 }
/* ADD, MUL, FMA, ADD+MUL, FMA+ADD; then loads, stores, both. */
#define RATES(add, mul, fma, add_mul, fma_add, ...)			\
	{ { add, mul, fma, add_mul, fma_add }, __VA_ARGS__ }
#define NONE	RATES(0, 0, 0, 0, 0, 0, 0, 0)
/* Zen 2 to 4: two units for FMA and MUL, two for ADD; vectors of 256 bits. */
#define ZEN	RATES(2, 2, 2, 4, 4, 2, 1, 3)
/* Sunny Cove, with vectors of up to 256 bits: two of everything. */
#define SUNNY_COVE	RATES(2, 2, 2, 2, 2, 2, 2, 3)
/* Golden Cove, with these: ports 0 and 1 have FMA, 1 and 5 ADD; three loads. */
#define GOLDEN_COVE	RATES(2, 2, 2, 3, 3, 3, 2, 4.5)

#define OPTIMIZATION	"Intel 64 and IA-32 Architectures Optimization Reference Manual, "

static const struct core cores[] = {
	{ "Sandy Bridge", INTEL, 6, MODELS(42, 45), ISA_AVX,
	  RATES(1, 1, 0, 2, 0, 2, 1, 3), RATES(1, 1, 0, 2, 0, 1, 0.5, 1.5), NONE, 32, false,
	  OPTIMIZATION "Sandy Bridge: one ADD and one MUL per cycle" },
	{ "Ivy Bridge", INTEL, 6, MODELS(58, 62), ISA_AVX,
	  RATES(1, 1, 0, 2, 0, 2, 1, 3), RATES(1, 1, 0, 2, 0, 1, 0.5, 1.5), NONE, 32, false,
	  OPTIMIZATION "Sandy Bridge: one ADD and one MUL per cycle" },
	{ "Haswell", INTEL, 6, MODELS(60, 63, 69, 70), ISA_AVX,
	  RATES(1, 2, 2, 2, 2, 2, 1, 3), RATES(1, 2, 2, 2, 2, 2, 1, 3), NONE, 64, false,
	  OPTIMIZATION "Haswell: two FMA or MUL, or one ADD, per cycle" },
	{ "Broadwell", INTEL, 6, MODELS(61, 71, 79, 86), ISA_AVX,
	  RATES(1, 2, 2, 2, 2, 2, 1, 3), RATES(1, 2, 2, 2, 2, 2, 1, 3), NONE, 64, false,
	  OPTIMIZATION "Haswell: two FMA or MUL, or one ADD, per cycle" },
	{ "Skylake", INTEL, 6, MODELS(78, 94, 142, 158, 165, 166), ISA_AVX,
	  RATES(2, 2, 2, 2, 2, 2, 1, 3), RATES(2, 2, 2, 2, 2, 2, 1, 3), NONE, 64, false,
	  OPTIMIZATION "Skylake: two FMA, MUL or ADD per cycle" },
	{ "Skylake Server", INTEL, 6, MODELS(85), ISA_AVX512,
	  RATES(2, 2, 2, 2, 2, 2, 1, 3), RATES(2, 2, 2, 2, 2, 2, 1, 3),
	  RATES(2, 2, 2, 2, 2, 2, 1, 3), 64, false,
	  OPTIMIZATION "Skylake Server with two FMA units of 512 bits" },
	{ "Ice Lake Client", INTEL, 6, MODELS(125, 126), ISA_AVX512,
	  SUNNY_COVE, SUNNY_COVE, RATES(1, 1, 1, 1, 1, 2, 1, 3), 64, false,
	  OPTIMIZATION "Ice Lake Client: two FMA, MUL or ADD of 256 bits per cycle, or one of 512, as port 5 has no FMA unit" },
	{ "Rocket Lake", INTEL, 6, MODELS(167), ISA_AVX512,
	  SUNNY_COVE, SUNNY_COVE, RATES(1, 1, 1, 1, 1, 2, 1, 3), 64, false,
	  OPTIMIZATION "Ice Lake Client, whose core Rocket Lake has: two FMA, MUL or ADD of 256 bits per cycle, or one of 512" },
	{ "Ice Lake Server", INTEL, 6, MODELS(106, 108), ISA_AVX512,
	  SUNNY_COVE, SUNNY_COVE, RATES(2, 2, 2, 2, 2, 2, 1, 3), 64, false,
	  OPTIMIZATION "Ice Lake Client, and its FMA unit of 512 bits at port 5, which servers have: two FMA, MUL or ADD per cycle" },
	{ "Sapphire Rapids", INTEL, 6, MODELS(143, 207), ISA_AVX512,
	  GOLDEN_COVE, GOLDEN_COVE, RATES(2, 2, 2, 2, 2, 2, 1, 3), 64, true,
	  OPTIMIZATION "Golden Cove: two FMA, MUL or ADD per cycle, of up to 256 bits also one ADD beside two FMA; three loads of 256 bits or two of 512" },
	{ "Zen 2", AMD, 23, MODELS(49, 71, 96, 104, 113, 144), ISA_AVX,
	  ZEN, ZEN, NONE, 32, false,
	  "AMD Software Optimization Guide for family 17h, models 30h and later (56305): two FMA or MUL and two ADD per cycle" },
	{ "Zen 3", AMD, 25, MODELS(0, 1, 8, 33, 64, 68, 80), ISA_AVX,
	  ZEN, ZEN, NONE, 32, false,
	  "AMD Software Optimization Guide for family 19h (56665): two FMA or MUL and two ADD per cycle" },
	{ "Zen 4", AMD, 25, MODELS(16, 17, 24, 97, 116, 117, 120, 160, 161), ISA_AVX512,
	  ZEN, ZEN, RATES(1, 1, 1, 2, 2, 1, 0.5, 1.5), 32, false,
	  "AMD Software Optimization Guide for Zen 4 (57647): two FMA or MUL and two ADD per cycle, 512 bits as two halves" },
	{ "Zen 5", AMD, 26, MODELS(2, 17, 68), ISA_AVX512,
	  RATES(2, 2, 2, 4, 4, 2, 2, 3), RATES(2, 2, 2, 4, 4, 2, 2, 3),
	  RATES(2, 2, 2, 4, 4, 2, 1, 3), 64, false,
	  "AMD Software Optimization Guide for the Zen5 Microarchitecture (58455): two FMA or MUL and two ADD of 512 bits per cycle" },
};

#define NR_CORES	(sizeof(cores) / sizeof(cores[0]))

static bool has_model(const struct core *core, unsigned int model)
{
	for (const short *known = core->models; *known >= 0; known++)
		if ((unsigned int)*known == model)
			return true;
	return false;
}

const struct core *core_find(const char *cpuid)
{
	char vendor[32];
	unsigned int family, model;

	if (sscanf(cpuid, "%31[^,],%u,%u", vendor, &family, &model) != 3)
		return NULL;
	for (size_t i = 0; i < NR_CORES; i++)
		if (!strcmp(cores[i].vendor, vendor) && cores[i].family == family &&
		    has_model(&cores[i], model))
			return &cores[i];
	return NULL;
}

const struct core *core_with_amx(void)
{
	for (size_t i = 0; i < NR_CORES; i++)
		if (cores[i].has_amx)
			return &cores[i];
	return NULL;
}

const struct core_rates *core_rates(const struct core *core, enum isa isa)
{
	return isa == ISA_AVX512 ? &core->avx512 : isa == ISA_AVX ? &core->avx :
								    &core->narrow;
}
