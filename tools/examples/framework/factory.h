/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of components by name. FRAMEWORK_COMPONENT(Type) at the end of a source file is all
 * that it takes for options to know a type.
 */
#ifndef FRAMEWORK_FACTORY_H
#define FRAMEWORK_FACTORY_H

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "property.h"

namespace framework
{

class Factory
{
public:
	using Create = std::function<std::unique_ptr<Component>()>;

	Factory(const char *type, Create create);

	/* NULL if there is no such type. */
	static std::unique_ptr<Component> create(const std::string &type);

	/*
	 * All types and their properties, for options: a line "type\tNAME" followed by lines
	 * "property\tNAME\tHELP\t" and what PropertyBase::description() returns.
	 */
	static std::string description();

private:
	static std::map<std::string, Create> &types();
};

} /* namespace framework */

#define FRAMEWORK_COMPONENT(type)						\
	static const ::framework::Factory factory_of_##type(#type, [] {	\
		return std::unique_ptr<::framework::Component>(new type);	\
	});

#endif /* FRAMEWORK_FACTORY_H */
