// SPDX-License-Identifier: GPL-2.0
/* Properties: from the text of the options to values, and what the options may know of them. */
#include "property.h"

#include <sstream>

namespace framework
{

PropertyBase::PropertyBase(Component &owner, std::string name, std::string help)
	: name(std::move(name)), help(std::move(help))
{
	owner.properties_.push_back(this);
}

void Component::set(const std::string &property, const Strings &values)
{
	for (PropertyBase *each : properties_) {
		if (each->name == property)
			return each->assign(values);
	}
	throw ConfigurationError("`" + name_ + "` has no property `" + property + "`");
}

static const std::string &only(const Strings &values, const std::string &property)
{
	if (values.size() != 1)
		throw ConfigurationError("`" + property + "` needs one value");
	return values.front();
}

template <typename T> static T number(const Strings &values, const std::string &property)
{
	const std::string &text = only(values, property);
	std::istringstream in(text);
	T value;

	if (!(in >> value) || in.peek() != EOF)
		throw ConfigurationError("`" + property + "` needs a number, not `" + text + "`");
	return value;
}

template <typename T> static std::string written(T value)
{
	std::ostringstream out;

	out << value;
	return out.str();
}

Property<long>::Property(Component &owner, std::string name, long preset, std::string help,
			 long min, long max)
	: PropertyBase(owner, std::move(name), std::move(help)), value(preset), min(min), max(max)
{
}

void Property<long>::assign(const Strings &values)
{
	value = number<long>(values, name);
}

Strings Property<long>::description() const
{
	return { "int", written(value), written(min), written(max) };
}

Property<double>::Property(Component &owner, std::string name, double preset, std::string help,
			   double min, double max)
	: PropertyBase(owner, std::move(name), std::move(help)), value(preset), min(min), max(max)
{
}

void Property<double>::assign(const Strings &values)
{
	value = number<double>(values, name);
}

Strings Property<double>::description() const
{
	return { "float", written(value), written(min), written(max) };
}

Property<bool>::Property(Component &owner, std::string name, bool preset, std::string help)
	: PropertyBase(owner, std::move(name), std::move(help)), value(preset)
{
}

void Property<bool>::assign(const Strings &values)
{
	value = only(values, name) == "True";
}

Strings Property<bool>::description() const
{
	return { "bool", value ? "True" : "False" };
}

Property<std::string>::Property(Component &owner, std::string name, std::string preset,
				std::string help, Strings choices)
	: PropertyBase(owner, std::move(name), std::move(help)), value(std::move(preset)),
	  choices(std::move(choices))
{
}

void Property<std::string>::assign(const Strings &values)
{
	value = only(values, name);
}

Strings Property<std::string>::description() const
{
	Strings all = { "str", value };

	all.insert(all.end(), choices.begin(), choices.end());
	return all;
}

Property<Strings>::Property(Component &owner, std::string name, std::string help, bool patterns)
	: PropertyBase(owner, std::move(name), std::move(help)), patterns(patterns)
{
}

void Property<Strings>::assign(const Strings &values)
{
	value = values;
}

Strings Property<Strings>::description() const
{
	return { patterns ? "patterns" : "list" };
}

} /* namespace framework */
