# SPDX-License-Identifier: GPL-2.0
""""kermon header" prints the same facts as perf."""

import re
import subprocess

# Lines of perf, and the line of ours that corresponds, with {} for what is in brackets;
# None: it is about the file, not in it, or is the same as the line before.
RULES = [
    (r"hostname : (.*)", r"host name +{}"),
    (r"os release : (.*)", r"OS release +{}"),
    (r"perf version : (.*)", r"recorded by version +{}"),
    (r"arch : (.*)", r"architecture +{}"),
    (r"nrcpus online : (.*)", r"CPUs +{} online, \d+ available"),
    (r"nrcpus avail : (.*)", r"CPUs +\d+ online, {} available"),
    (r"cpudesc : (.*)", r"CPU +{}"),
    (r"cpuid : (.*)", r"CPU id +{}"),
    (r"total memory : (.*)", r"memory +{}"),
    (r"cmdline : (.*?) *", r"command line +{}"),
    (r"event : name = (.*?), , id = \{ ([0-9, ]+) \}, .*", r"event +{}: .*, ids {}"),
    (r"PMU (.*) = (\d+)", r"PMU +{} = {}"),
    (r"sibling (?:sockets|cores) +: (.*)", r"sibling cores +{}"),
    (r"sibling (threads|dies) +: (.*)", r"sibling {} +{}"),
    (r"CPU (\d+): Core ID (-?\d+), Die ID -?\d+, Socket ID (-?\d+)",
     r"topology +CPU {}: core {}, socket {}"),
    (r"node(\d+) meminfo +: total = (\d+ kB), free = (\d+ kB)",
     r"NUMA node +{}: CPUs .*, {}, {} free"),
    (r"node(\d+) cpu list : -1", r"NUMA node +{}: CPUs , .*"),
    (r"node(\d+) cpu list : (.*)", r"NUMA node +{}: CPUs {}, .*"),
    (r"(cpu_\w+) cpu list : (.*)", r"hybrid topology +{} = {}"),
    (r"\w+ pmu capabilities: (\w+)=(.*)", r"PMU capability +{} = {}"),
    (r"contains AUX area data .*", r"hardware trace +\d+ bytes at offset \d+"),
    (r"bpf_prog_info (\d+):.*", r"BPF program +id {}, .*"),
    (r"btf info of id (\d+)", r"BPF types +id {}, .*"),
    (r" L(\d) (Data|Instruction|Unified) +(\w+) \[(.*)\]", r"cache +L{} {} {}, .*, CPUs {}"),
    (r"time of first sample : (.*)", r"samples from +{}\d\d\d s to .*"),
    (r"time of last sample : (.*)", r"samples from .* s to {}\d\d\d s"),
    (r" +(\d+) \[\w+\]: .*", r"memory +node {}: \d+ blocks of \d+ bytes"),
    (r"group: \{(\w+\S+),.*", r"group .*: \d+ events from event 0 on"),
    (r"compressed : Zstd, level = (\d+), ratio = (\d+)", r"compression +zstd, level {}, ratio {}"),
    (r"directory data version : (\d+)", r"directory format +version {}"),
    (r"clockid frequency: 1000 MHz", r"clock resolution +1 ns"),
    (r"clockid: \(not found\) \(4294967295\)", r"clock +perfs clock \(-1\) was .*"),
    (r"clockid: \w+ \((\d+)\)", r"clock +CLOCK_\w+ \({}\) was .*"),
    # perf stat record writes zeros
    (r"reference time: 1970-01-01 .*", r"clock +.* was 0 ns at 0 ns since 1970"),
    (r"reference time: .* = (\d+)\.(\d+) \(TOD\) .*", r"clock +.* at {}{}\d\d\d ns since 1970"),
    (r"contains samples with branch stack", r"branch stacks +yes"),
    (r"contains stat data", r"counts of perf stat +yes"),
    (r"captured on.*|header version.*|data offset.*|data size.*|feat offset.*|=+|",
     None),
    (r"\w+ pmu capabilities: not available|sample duration.*|CPU cache info:|memory nodes.*|hybrid cpu system:", None),
]

# Features that perf misses in a file, and how our lines for them begin.
NAMES = {
    "TRACING_DATA": "tracing data", "BUILD_ID": "build id", "BRANCH_STACK": "branch stacks",
    "GROUP_DESC": "group", "AUXTRACE": "hardware trace", "STAT": "counts of perf stat",
    "CLOCKID": "clock resolution", "DIR_FORMAT": "directory format",
    "COMPRESSED": "compression", "CPU_PMU_CAPS": "PMU capability", "CLOCK_DATA": "clock               ",
    "HYBRID_TOPOLOGY": "hybrid topology", "PMU_CAPS": "PMU capability",
    "BPF_PROG_INFO": "BPF program", "BPF_BTF": "BPF types", "CACHE": "cache",
    "CPU_TOPOLOGY": "topology", "NUMA_TOPOLOGY": "NUMA node", "SAMPLE_TIME": "samples from",
}


def unquoted(line):
    return line.replace("'", "").replace("\\", "")


def one_each(lines):
    """Lines of perf without comment signs; one line per PMU and capability."""
    for line in lines:
        name, what, rest = re.fullmatch(r"#? ?(.*?)(pmu mappings: |pmu capabilities: |$)(.*)",
                                        line).groups()
        if what == "pmu mappings: ":
            yield from (f"PMU {pmu}" for pmu in rest.split(", "))
        elif what:
            yield from (f"{name}{what}{pair}" for pair in rest.split(", "))
        else:
            yield name


def missed(names, lines):
    """Features that perf misses and that we found."""
    found = [name for name in names if any(line.startswith(NAMES.get(name, name) + " ")
                                           for line in lines)]
    return f"perf misses {' '.join(found)}" if found else None


def compare_line(line, lines):
    if line.startswith("missing features: "):
        return missed(line.split()[2:], lines)
    for theirs, ours in RULES:
        match = re.fullmatch(theirs, line)
        if match and ours is None:
            return None
        if match:
            wanted = ours.format(*(re.escape(value.replace(", ", " "))
                                   for value in match.groups()))
            return None if any(re.fullmatch(wanted, one) for one in lines) else \
                f"no line {wanted} for '{line}'"
    return f"perf says '{line}', which is compared with nothing"


def check(kermon, path):
    """The first difference, or None."""
    done = kermon("header", "-i", str(path))
    lines = unquoted(done.stdout).splitlines()
    if done.returncode:
        return f"status {done.returncode}\n{done.stderr}"
    theirs = subprocess.run(["perf", "report", "--header-only", "-I", "-i", path],
                            capture_output=True, text=True, errors="replace", check=False).stdout
    for line in one_each(theirs.splitlines()):
        problem = compare_line(unquoted(line), lines)
        if problem:
            return f"{path.name}: {problem}"
    return None if theirs else f"{path.name}: perf says nothing"
