// SPDX-License-Identifier: GPL-2.0
/*
 * Names of ITT's domains and string handles. Those that were made before the collector came are
 * of the static part; all have a field for us, which keeps the names that were found.
 */
#include "itt_names.h"
#include "process.h"

struct region *itt_domain_name(const struct itt_domain *domain)
{
	struct region *region = __atomic_load_n(&domain->extra2, __ATOMIC_ACQUIRE);

	if (region || !domain->name)
		return region;
	region = names_find(MARK_NAME_DOMAIN, NULL, domain->name, RING_NAME_MAX);
	__atomic_store_n((void **)&domain->extra2, region, __ATOMIC_RELEASE);
	return region;
}

/* A handle has a list of its names: one for each kind and domain. */
static struct region *known(const struct itt_string *string, unsigned int kind,
			    const struct region *domain)
{
	struct region *region = __atomic_load_n(&string->extra2, __ATOMIC_ACQUIRE);

	while (region && (region->domain != domain || region->kind != kind))
		region = region->extra;
	return region;
}

/* Two handles may have the same text, so that the name is in a list already. */
static void remember(struct itt_string *string, struct region *region)
{
	if (!process_lock())
		return;
	if (!region->extra && !known(string, region->kind, region->domain)) {
		region->extra = string->extra2;
		__atomic_store_n(&string->extra2, region, __ATOMIC_RELEASE);
	}
	process_unlock();
}

/* What has no name, as the graphs of oneTBB, has that of the domain. */
static struct region *nameless(unsigned int kind, const struct itt_domain *domain)
{
	if (!domain->name)
		return NULL;
	return names_find(kind, itt_domain_name(domain), domain->name, RING_NAME_MAX);
}

struct region *itt_name(unsigned int kind, const struct itt_domain *domain,
			struct itt_string *string)
{
	struct region *name, *region;

	if (!string || !string->text)
		return nameless(kind, domain);
	name = itt_domain_name(domain);
	region = known(string, kind, name);
	if (region)
		return region;
	region = names_find(kind, name, string->text, RING_NAME_MAX);
	if (region)
		remember(string, region);
	return region;
}
