// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the options in python3, with the module Configurables, and reads what it writes to a
 * pipe: a line "component\tTYPE\tNAME", followed by lines "property\tNAME\tVALUE...".
 * Configurables.py makes sure that no value has a tab or a line break.
 */
#include "configuration.h"

#include <cerrno>
#include <cstring>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "factory.h"

namespace framework
{

static std::system_error failed(const char *what, int error)
{
	return std::system_error(error, std::generic_category(), what);
}

/* Start python3 with @output as its descriptor 3. */
static pid_t start(const Strings &words, int output)
{
	posix_spawn_file_actions_t actions;
	std::vector<char *> arguments;
	pid_t pid;

	for (const std::string &word : words)
		arguments.push_back(const_cast<char *>(word.c_str()));
	arguments.push_back(nullptr);
	posix_spawn_file_actions_init(&actions);
	/* dup2() to itself clears FD_CLOEXEC, too. */
	posix_spawn_file_actions_adddup2(&actions, output, 3);
	int error = posix_spawnp(&pid, "python3", &actions, nullptr, arguments.data(), environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		throw failed("python3 cannot be started", error);
	return pid;
}

static std::string all_of(int input)
{
	std::string text;
	char buffer[4096];
	ssize_t nr;

	while ((nr = read(input, buffer, sizeof(buffer))) != 0) {
		if (nr > 0)
			text.append(buffer, nr);
		else if (errno != EINTR)
			throw failed("the options cannot be read", errno);
	}
	return text;
}

/* Output of the options on descriptor 3; OptionsFailed if they fail. */
static std::string run(const Strings &words)
{
	int ends[2], status;

	if (pipe2(ends, O_CLOEXEC))
		throw failed("pipe", errno);
	pid_t pid = start(words, ends[1]);
	close(ends[1]);
	std::string text = all_of(ends[0]);
	close(ends[0]);
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			throw failed("waitpid", errno);
	}
	if (status)
		throw OptionsFailed();
	return text;
}

static Strings split(const std::string &line)
{
	Strings words;
	size_t begin = 0, end;

	while ((end = line.find('\t', begin)) != std::string::npos) {
		words.push_back(line.substr(begin, end - begin));
		begin = end + 1;
	}
	words.push_back(line.substr(begin));
	return words;
}

Configuration::Configuration(const std::string &module, const Strings &words)
{
	Strings command = { "python3", module, Factory::description() };

	command.insert(command.end(), words.begin(), words.end());
	read(run(command));
}

void Configuration::read(const std::string &text)
{
	std::istringstream lines(text);
	Component *component = nullptr;

	for (std::string line; std::getline(lines, line);) {
		Strings words = split(line);
		if (words[0] == "component" && words.size() == 3) {
			auto created = Factory::create(words[1]);
			if (!created)
				throw ConfigurationError("unknown type `" + words[1] + "`");
			component = created.get();
			component->rename(words[2]);
			components[words[2]] = std::move(created);
		} else if (words[0] == "property" && words.size() >= 2 && component) {
			component->set(words[1], { words.begin() + 2, words.end() });
		} else {
			throw ConfigurationError("unexpected line `" + line + "`");
		}
	}
}

} /* namespace framework */
