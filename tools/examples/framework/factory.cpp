// SPDX-License-Identifier: GPL-2.0
/* Types of components, which register before main(). */
#include "factory.h"

namespace framework
{

std::map<std::string, Factory::Create> &Factory::types()
{
	static std::map<std::string, Create> all;

	return all;
}

Factory::Factory(const char *type, Create create)
{
	types()[type] = std::move(create);
}

std::unique_ptr<Component> Factory::create(const std::string &type)
{
	auto found = types().find(type);

	return found == types().end() ? nullptr : found->second();
}

std::string Factory::description()
{
	std::string text;

	for (const auto &[type, create] : types()) {
		text += "type\t" + type + "\n";
		auto component = create();
		for (const PropertyBase *property : component->properties()) {
			text += "property\t" + property->name + "\t" + property->help;
			for (const std::string &word : property->description())
				text += "\t" + word;
			text += "\n";
		}
	}
	return text;
}

} /* namespace framework */
