/* SPDX-License-Identifier: GPL-2.0 */
/* Names of ITT's domains and string handles. */
#ifndef KERMON_PRELOAD_ITT_NAMES_H
#define KERMON_PRELOAD_ITT_NAMES_H

#include <stdbool.h>

#include "itt.h"
#include "names.h"

/* Whether what belongs to a domain is collected. */
static inline bool itt_is_on(const struct itt_domain *domain)
{
	return domain && domain->flags;
}

/**
 * itt_domain_name() - the name of a domain
 * @domain: made by us or by the static part
 *
 * Return: a name of the kind MARK_NAME_DOMAIN, or NULL.
 */
struct region *itt_domain_name(const struct itt_domain *domain);

/**
 * itt_name() - the name of a string handle in a domain
 * @kind: enum mark_name
 * @domain: made by us or by the static part
 * @string: likewise, or NULL for the name of the domain
 *
 * Takes a lock only if it is new.
 *
 * Return: the name or NULL.
 */
struct region *itt_name(unsigned int kind, const struct itt_domain *domain,
			struct itt_string *string);

#endif /* KERMON_PRELOAD_ITT_NAMES_H */
