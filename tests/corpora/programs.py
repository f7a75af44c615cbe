# SPDX-License-Identifier: GPL-2.0
"""Programs to be recorded: in several languages, linked and mapped in several ways."""

import errno
import shutil
import subprocess
from dataclasses import dataclass, field

WORK = """static volatile double sum;
__attribute__((noinline)) static void work(int step)
{
	for (int i = 0; i < 30000000; i++)
		sum += step * 0.5;
}
"""
MAIN = WORK + "int main(void) { work(1); work(2); return 0; }\n"

# Without a C library, because that for 32 bits may not be installed.
BARE = """static volatile int sum;
void _start(void)
{
	for (int i = 0; i < 100000000; i++)
		sum += i;
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
"""

# Its own code once more, mapped from the file and copied to anonymous memory.
REMAPPED = """#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <fcntl.h>
static volatile double sum;
__attribute__((noinline, aligned(4096))) static void work(void)
{
	for (int i = 0; i < 30000000; i++)
		sum += 0.5;
}
__attribute__((noinline, aligned(4096))) static void after(void) { sum = 0; }
int main(void)
{
	size_t size = (char *)after - (char *)work;
	char *huge = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *text = (char *)(((uintptr_t)huge + (2 << 20) - 1) & ~((2UL << 20) - 1));
	int fd = open("/proc/self/exe", O_RDONLY);
	char *again = mmap(NULL, size + 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	madvise(text, 2 << 20, MADV_HUGEPAGE);
	memcpy(text, (void *)work, size);
	/* the program's own text becomes memory of no file, as libhugetlbfs does it */
	if (again == MAP_FAILED ||
	    mremap(text, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, work) == MAP_FAILED)
		return 1;
	work();
	after();
	return 0;
}
"""

CPP = """#include <algorithm>
#include <numeric>
#include <string>
#include <vector>
namespace shop {
template <typename T> struct list { std::vector<T> all; T total() const; };
template <typename T> __attribute__((noinline)) T list<T>::total() const
{
	return std::accumulate(all.begin(), all.end(), T());
}
}
int main()
{
	shop::list<double> list;
	double sum = 0;
	for (int i = 0; i < 100000; i++)
		list.all.push_back(i % 7);
	for (int i = 0; i < 300; i++) {
		std::sort(list.all.begin(), list.all.end());
		sum += list.total();
	}
	return sum < 0;
}
"""

RUST = """use std::collections::HashMap;
#[inline(never)]
fn count(words: &[u64]) -> HashMap<u64, usize> {
    let mut map = HashMap::new();
    for word in words { *map.entry(*word % 1000).or_insert(0) += 1; }
    map
}
fn main() {
    let words: Vec<u64> = (0..100000).collect();
    let n: usize = (0..30).map(|_| count(&words).len()).sum();
    std::process::exit((n == 0) as i32);
}
"""

GO = """package main
func work(n int) (sum int) {
	for i := 0; i < n; i++ { sum += i % 7 }
	return
}
func main() {
	done := make(chan int)
	for i := 0; i < 4; i++ { go func() { done <- work(50000000) }() }
	for i := 0; i < 4; i++ { <-done }
}
"""

JAVA = """public class Work {
	static double work(int n) {
		double sum = 0;
		for (int i = 0; i < n; i++) sum += Math.sqrt(i);
		return sum;
	}
	public static void main(String[] args) {
		double sum = 0;
		for (int i = 0; i < 200; i++) sum += work(500000);
		if (sum == 0) System.exit(1);
	}
}
"""

PYTHON = "def work(n): return sum(i * i for i in range(n))\nfor _ in range(20): work(50000)\n"
NODE = "function work(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s }\n" \
    "for (let i = 0; i < 30; i++) work(3e6)\n"
PERL = "sub work { my $s = 0; $s += $_ % 7 for 1 .. $_[0]; $s } work(200000) for 1 .. 10;\n"


@dataclass
class Program:
    """needs: commands of this machine; build and run: command lines, executed in the
    folder."""
    source: str
    text: str
    run: list
    needs: list = field(default_factory=list)
    build: list = None


def of_c(*options, text=MAIN):
    return Program("a.c", text, ["./a"], ["gcc"], ["gcc", "-O1", "-g", *options, "-o", "a", "a.c"])


PROGRAMS = {
    "C": of_c(),
    "C, static": of_c("-static"),
    "C, static PIE": of_c("-static-pie"),
    "C, non-PIE": of_c("-no-pie"),
    "C, frame pointers": of_c("-fno-omit-frame-pointer"),
    "C, stripped": of_c("-s"),
    "C, without build id": of_c("-Wl,--build-id=none"),
    "C, 32 bits": of_c("-m32", "-nostdlib", "-static", "-ffreestanding", "-fno-pic", "-no-pie",
                       "-fno-stack-protector", text=BARE),
    "C, text on huge pages": of_c("-no-pie", text=REMAPPED),
    "C, text on huge pages, PIE": of_c("-pie", text=REMAPPED),
    "C++": Program("a.cc", CPP, ["./a"], ["g++"], ["g++", "-O2", "-g", "-o", "a", "a.cc"]),
    "Rust": Program("a.rs", RUST, ["./a"], ["rustc"], ["rustc", "-O", "-g", "-o", "a", "a.rs"]),
    "Go": Program("a.go", GO, ["./a"], ["go"], ["go", "build", "-o", "a", "a.go"]),
    "Java": Program("Work.java", JAVA, ["java", "-XX:+UnlockDiagnosticVMOptions",
                                        "-XX:+DumpPerfMapAtExit", "-cp", ".", "Work"],
                    ["java", "javac"], ["javac", "Work.java"]),
    "Python": Program("a.py", PYTHON, ["python3", "a.py"], ["python3"]),
    "Python with perf support": Program("a.py", PYTHON, ["python3.12", "-X", "perf", "a.py"],
                                        ["python3.12"]),
    "node": Program("a.js", NODE, ["node", "a.js"], ["node"]),
    "node with perf support": Program("a.js", NODE, ["node", "--perf-basic-prof", "a.js"],
                                      ["node"]),
    "Perl": Program("a.pl", PERL, ["perl", "a.pl"], ["perl"]),
    "container": Program("a.c", MAIN, ["unshare", "--mount", "--pid", "--fork", "--mount-proc",
                                       "./a"], ["gcc", "unshare"], of_c().build),
}

# In the quick run.
QUICK = ["C, static", "C, 32 bits", "C, text on huge pages", "C++", "Python", "node"]


def is_there(tool):
    """A version manager may provide the name of a command that is not installed: status
    127."""
    return shutil.which(tool) and subprocess.run(
        [tool, "--version"], capture_output=True, check=False).returncode != 127


def missing(name):
    """Why it cannot be built on this machine, or None."""
    tools = [tool for tool in PROGRAMS[name].needs if not is_there(tool)]
    return f"{tools[0]} is not installed" if tools else None


class CannotRun(Exception):
    """The kernel of this machine does not execute such programs."""


def run(command, folder):
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300,
                              check=False)
    except OSError as error:
        if error.errno == errno.ENOEXEC:
            raise CannotRun("this kernel does not execute such programs") from error
        raise


def prepare(name, folder):
    """The command line of a program, after it has been built and run; raises
    RuntimeError and CannotRun."""
    program = PROGRAMS[name]
    (folder / program.source).write_text(program.text)
    for command in filter(None, [program.build, program.run]):
        done = run(command, folder)
        if done.returncode:
            said = (done.stderr.splitlines() or ["no reason given"])[0]
            raise RuntimeError(f"{command[0]}: status {done.returncode}: {said}")
    return program.run
