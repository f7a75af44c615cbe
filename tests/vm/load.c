// SPDX-License-Identifier: GPL-2.0
/*
 * Init of a stock kernel, whose drivers are modules: load them in the order of
 * /modules.list, then become /init.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Drivers of hardware that this processor does not have fail: the console says so. */
static void load(const char *name)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "/modules/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		printf("kermon-vm: load: %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

int main(void)
{
	FILE *list = fopen("/modules.list", "re");
	char name[256];

	while (list && fscanf(list, "%255s", name) == 1)
		load(name);
	if (list)
		fclose(list);
	fflush(stdout);
	execl("/init", "/init", NULL);
	printf("kermon-vm: load: /init: %s\n", strerror(errno));
	fflush(stdout);
	return 1;
}
