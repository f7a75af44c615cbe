// SPDX-License-Identifier: GPL-2.0
/* The command kermon-framework: runs the event loop that a file of options describes. */
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "application.h"
#include "auditor.h"
#include "configuration.h"

using namespace framework;

static constexpr char USAGE[] =
	"usage: kermon-framework OPTIONS.py [ARGUMENT...]\n"
	"\n"
	"Process events by the algorithms that a file of options describes, as in Gaudi.\n"
	"Arguments are for the options, as sys.argv. See Documentation/framework.rst.\n";

/* Beside the program, whatever the current folder is. */
static std::string module_file()
{
	return std::filesystem::read_symlink("/proc/self/exe").parent_path() /
	       "Configurables.py";
}

static void print(const Summary &summary)
{
	std::printf("%ld events in %.3f s, CPU time %.3f s, %ld passed, checksum %016lx\n",
		    summary.events, summary.seconds, summary.cpu_seconds, summary.passed,
		    summary.checksum);
	if (summary.failed)
		std::fprintf(stderr, "kermon-framework: exceptions ended %ld events; "
			     "event %ld: %s\n", summary.failed, summary.first_failed,
			     summary.first_failure.c_str());
}

static int run(const Strings &words)
{
	Configuration configuration(module_file(), words);
	auto *application = configuration.find<ApplicationMgr>("ApplicationMgr");
	auto *auditors = configuration.find<AuditorSvc>("AuditorSvc");

	application->configure(configuration, *auditors);
	Summary summary = application->run();
	print(summary);
	return summary.failed ? 1 : 0;
}

int main(int argc, char **argv)
{
	if (argc < 2 || (argv[1][0] == '-' && std::strcmp(argv[1], "--help"))) {
		std::fputs(USAGE, stderr);
		return 2;
	}
	if (!std::strcmp(argv[1], "--help")) {
		std::fputs(USAGE, stdout);
		return 0;
	}
	try {
		return run({ argv + 1, argv + argc });
	} catch (const OptionsFailed &) {
		return 2;
	} catch (const ConfigurationError &error) {
		std::fprintf(stderr, "kermon-framework: %s: %s\n", argv[1], error.what());
		return 2;
	} catch (const std::exception &error) {
		std::fprintf(stderr, "kermon-framework: %s\n", error.what());
		return 1;
	}
}
