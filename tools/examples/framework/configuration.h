/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration: what a file of options, a Python program, creates.
 */
#ifndef FRAMEWORK_CONFIGURATION_H
#define FRAMEWORK_CONFIGURATION_H

#include <map>
#include <memory>
#include <string>

#include "property.h"

namespace framework
{

/* python3 has reported already what is wrong with the options. */
struct OptionsFailed : std::exception {
};

class Configuration
{
public:
	/**
	 * Configuration() - run a file of options, and create the components it describes
	 * @module: file of the Python module Configurables
	 * @words: the file of options, and its arguments
	 *
	 * Throws OptionsFailed if the options fail, else ConfigurationError.
	 */
	Configuration(const std::string &module, const Strings &words);

	/* The component of this name and type; NULL if there is none. */
	template <typename T> T *find(const std::string &name) const
	{
		auto found = components.find(name);

		return found == components.end() ? nullptr :
						   dynamic_cast<T *>(found->second.get());
	}

	/* The same; ConfigurationError, which says that @owner needs it, if there is none. */
	template <typename T> T &need(const std::string &name, const std::string &owner) const
	{
		T *component = find<T>(name);

		if (!component)
			throw ConfigurationError("`" + owner + "` refers to `" + name +
						 "`, which is not of the right type");
		return *component;
	}

private:
	void read(const std::string &text);

	std::map<std::string, std::unique_ptr<Component>> components;
};

} /* namespace framework */

#endif /* FRAMEWORK_CONFIGURATION_H */
