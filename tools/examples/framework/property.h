/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Properties of components: values that the options set. A component declares them as members:
 *
 *	Property<long> hits{*this, "Hits", 100, "hits per event", 1, 1000000};
 */
#ifndef FRAMEWORK_PROPERTY_H
#define FRAMEWORK_PROPERTY_H

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace framework
{

using Strings = std::vector<std::string>;

/* The configuration is wrong: the message says what to change. */
struct ConfigurationError : std::runtime_error {
	using std::runtime_error::runtime_error;
};

class Component;

/**
 * class PropertyBase - a property, whatever its type
 *
 * Options hand over values as text: one, or those of a list. Their types, ranges and choices
 * were checked there, where a message has the line of the options.
 */
class PropertyBase
{
public:
	PropertyBase(Component &owner, std::string name, std::string help);
	virtual ~PropertyBase() = default;
	PropertyBase(const PropertyBase &) = delete;
	PropertyBase &operator=(const PropertyBase &) = delete;

	virtual void assign(const Strings &values) = 0;

	/* For the options: type, default, and limits or choices, each without tabs. */
	virtual Strings description() const = 0;

	const std::string name, help;
};

template <typename T> class Property;

template <> class Property<long> : public PropertyBase
{
public:
	Property(Component &owner, std::string name, long preset, std::string help, long min,
		 long max = std::numeric_limits<long>::max());
	void assign(const Strings &values) override;
	Strings description() const override;
	operator long() const { return value; }

private:
	long value;
	const long min, max;
};

template <> class Property<double> : public PropertyBase
{
public:
	Property(Component &owner, std::string name, double preset, std::string help, double min,
		 double max);
	void assign(const Strings &values) override;
	Strings description() const override;
	operator double() const { return value; }

private:
	double value;
	const double min, max;
};

template <> class Property<bool> : public PropertyBase
{
public:
	Property(Component &owner, std::string name, bool preset, std::string help);
	void assign(const Strings &values) override;
	Strings description() const override;
	operator bool() const { return value; }

private:
	bool value;
};

/* @choices: the valid values; none: all. */
template <> class Property<std::string> : public PropertyBase
{
public:
	Property(Component &owner, std::string name, std::string preset, std::string help,
		 Strings choices = {});
	void assign(const Strings &values) override;
	Strings description() const override;
	const std::string &get() const { return value; }

private:
	std::string value;
	const Strings choices;
};

/*
 * A list is empty by default. In options, components in it stand for their names.
 * @patterns: it may have patterns of names, as the shell's
 */
template <> class Property<Strings> : public PropertyBase
{
public:
	Property(Component &owner, std::string name, std::string help, bool patterns = false);
	void assign(const Strings &values) override;
	Strings description() const override;
	const Strings &get() const { return value; }

private:
	Strings value;
	const bool patterns;
};

/**
 * class Component - whatever the options create: algorithms, auditors, services
 */
class Component
{
public:
	virtual ~Component() = default;
	Component() = default;
	Component(const Component &) = delete;
	Component &operator=(const Component &) = delete;

	const std::string &name() const { return name_; }
	void rename(const std::string &name) { name_ = name; }
	const std::vector<PropertyBase *> &properties() const { return properties_; }

	/* Set a property; ConfigurationError if there is none of this name. */
	void set(const std::string &property, const Strings &values);

private:
	friend class PropertyBase;

	std::string name_;
	std::vector<PropertyBase *> properties_;
};

} /* namespace framework */

#endif /* FRAMEWORK_PROPERTY_H */
