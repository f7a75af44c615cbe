# SPDX-License-Identifier: GPL-2.0
"""The virtual machine: the QEMU command line, the guest's initramfs, and the folders
shared with the guest.

Machine.run() boots, runs one command and returns a Result, or raises Lost if the
machine exits, or has to be killed, without reporting a result.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from relay import Lost, Relay

TOP = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kermon"

# The kernel lines that KerMon has patches for, oldest first.
LINES = sorted((path.parent.name for path in TOP.glob("kernel-patches/*/BASE")),
               key=lambda line: [int(part) for part in line.split(".")])

FIRMWARE = ["/usr/share/seabios", "/usr/share/qemu"]

# Processors with a PMU model in tests/qemu. Model 62 is the Ivy Bridge server, for
# which Linux also reads DRAM energy. TCG supports neither x2APIC nor the TSC deadline
# timer and would warn about both. Core 2 has IA32_PERF_CAPABILITIES, but nothing in it that
# is modelled. Model 17 of AMD's family 25 is Zen 4. "hot" draws a megawatt, so that its
# energy counter wraps every 66 ms.
INTEL = "pmu=on,+pdcm,full-width-write=on,-x2apic,-tsc-deadline"
CPUS = {
    "ivy-bridge": f"IvyBridge,model=62,{INTEL}",
    "sky-lake": f"Skylake-Server,pmu-version=4,{INTEL}",
    "hot": f"IvyBridge,model=62,rapl-pkg-mw=1000000000,{INTEL}",
    "ice-lake": f"Icelake-Server,model=106,pmu-version=5,{INTEL}",
    "core2": "Penryn,pmu=on,+pdcm",
    "four-counters": "EPYC-Milan,perfctr-core=off,pmu=on",
    "zen3": "EPYC-Milan,pmu=on",
    "zen4": "EPYC-Milan,model=17,pmu-version=2,pmu=on",
}

# Of these, those that set a power that is constant and has no effect if it is modelled.
CONSTANT_POWER = ["hot"]

# One instruction takes one nanosecond; nothing depends on the host's clock.
ICOUNT = ["-icount", "shift=0,sleep=off", "-rtc", "base=2026-01-01,clock=vm"]

# Emulation is slow enough to look like a lockup or an interrupt storm; neither may stop
# or throttle the counters. The TSC of the model is synchronous on all CPUs and its rate
# is known (tests/qemu), so it need not be calibrated. On a busy host, timer interrupts may
# be so late that the kernel would take the timer for broken and panic, and ticks so slow
# that nothing else runs for RCU's 21 seconds. Without address
# randomization, QEMU does not have to translate a program each time it starts, which
# would take three times as long.
KERNEL_ARGUMENTS = ("console=ttyS0 panic=-1 nmi_watchdog=0 tsc=reliable "
                    "tsc_early_khz={tsc_khz} no_timer_check norandmaps "
                    "rcupdate.rcu_cpu_stall_timeout=60 "
                    "sysctl.kernel.perf_cpu_time_max_percent=0")

# The rate of the TSC in MHz; where instructions take time, it is that of the CPU, unless
# set by this property.
TSC_MHZ = 1000
TIMED_MHZ = 3500
TIMED_RATE = "time-mhz"

# A kernel that writes nothing for this many seconds, before it starts init, hangs.
SILENCE = 180
INIT_STARTS = b" as init process"

# A kernel as its distribution builds it, see scripts/stock-kernel.
STOCK = TOP / "build/kernel-stock"

# Maximum number of CPUs in the configuration of the guest's kernel.
CPUS_MAX = int(re.search(r"^CONFIG_NR_CPUS=(\d+)$",
                         (TOP / "tests/vm/config/base.config").read_text(), re.M)[1])

# MiB needed by the guest's kernel and init; with 32 it panics before init. Files in the
# initramfs temporarily exist twice, packed and unpacked. A stock kernel is larger.
MEMORY_MIN = 64
MEMORY_MIN_STOCK = 256

# Folders private to the guest, which hide the host's.
PRIVATE = ("/tmp", "/run", "/var/tmp", "/dev/shm")
SYSTEM = ("/dev", "/proc", "/sys")

# Maximum number of shares, see tests/vm/vm.h.
SHARES_MAX = 16


def below(path, folders):
    return any(path == f or path.startswith(f + "/") for f in folders)


@dataclass
class Share:
    """A folder of the host, mounted in the guest at the same path."""
    path: str
    writable: bool = False

    def arguments(self, tag):
        readonly = "off" if self.writable else "on"
        return ["-virtfs", f"local,path={self.path.replace(',', ',,')},mount_tag={tag},"
                f"security_model=none,multidevs=remap,readonly={readonly}"]

    def item(self, tag):
        return f"share={tag}:{'rw' if self.writable else 'ro'}:{self.path}"


class Hung(Lost):
    """The kernel stopped before it started init."""


class Boot:
    """Watches the console until the kernel starts init."""

    def __init__(self, console):
        self.console = console
        self.size = -1
        self.since = time.monotonic()
        self.over = False

    def check(self):
        """Raise Hung if the kernel hangs."""
        if self.over:
            return
        size = self.console.stat().st_size if self.console.exists() else 0
        if size != self.size:
            self.size, self.since = size, time.monotonic()
            self.over = size and INIT_STARTS in self.console.read_bytes()
        elif time.monotonic() - self.since > SILENCE:
            raise Hung(f"the guest's kernel hangs while it boots: silent for {SILENCE} s")


@dataclass
class Machine:
    """One run of one command. Without shares it is self-contained: the guest has only
    the files of a gen_init_cpio list and nothing else of the host; with icount, every
    run is then bit-identical."""
    argv: list
    cwd: str = "/"
    env: dict = field(default_factory=dict)
    shares: list = field(default_factory=list)
    hidden: list = field(default_factory=list)    # files in argv that are not shared
    fleeting: list = field(default_factory=list)    # new files that would not be shared
    files: str = ""
    kernel: Path = TOP / "build/kernel"
    qemu: Path = TOP / "build/qemu"
    module: bool = True
    cpu: str = "ivy-bridge"
    icount: bool = False
    seed: int = 1    # of the guest's random numbers, with icount
    caches: bool = False    # modelled, for Intel's cache events
    # Time and power are modelled, with these properties of tests/qemu by name, or with the
    # defaults if there are none; includes icount and caches.
    timed: dict = None
    cpus: int = 2
    threads: int = 1    # CPUs per core
    memory: int = 1024
    board: str = "pc"
    timeout: float = 3600
    arguments: str = ""
    forward: bool = False    # forward signals of this process to the command

    def __post_init__(self):
        if self.timed is not None:
            self.icount = self.caches = True

    @property
    def modules(self):
        """The modules that a stock kernel has to load before init."""
        names = self.kernel / "modules.list"
        return names.read_text().split() if names.exists() else []

    def job(self):
        """The job file that tests/vm/job.c reads."""
        items = [share.item(f"share{i}") for i, share in enumerate(self.shares)]
        items.append(f"cwd={self.cwd}")
        items += [f"env={name}={value}" for name, value in self.env.items()]
        items += [f"arg={text}" for text in self.argv]
        return b"".join(os.fsencode(item) + b"\0" for item in items)

    def initramfs(self, folder):
        """Write the guest's initramfs, reproducibly for the same job."""
        (folder / "job").write_bytes(self.job())
        lines = ["dir /dev 755 0 0", "nod /dev/console 600 0 0 c 5 1",
                 "dir /proc 755 0 0", "dir /sys 755 0 0", "dir /tmp 1777 0 0",
                 f"file /init {TOP}/build/vm/init 755 0 0",
                 f"file /job {folder}/job 644 0 0"]
        if self.module:
            lines.append(f"file /kermon.ko {self.kernel}/kermon.ko 644 0 0")
        if self.modules:
            lines += [f"file /load {TOP}/build/vm/load 755 0 0", "dir /modules 755 0 0",
                      f"file /modules.list {self.kernel}/modules.list 644 0 0"]
            lines += [f"file /modules/{name} {self.kernel}/modules/{name} 644 0 0"
                      for name in self.modules]
        (folder / "files").write_text("\n".join(lines) + "\n" + self.files)
        with open(folder / "initramfs", "wb") as out:
            subprocess.run([self.packer(), "-t", "0", folder / "files"], stdout=out, check=True)

    def packer(self):
        """The newest gen_init_cpio: older ones ignore -t and keep the times of files."""
        newest = kernel_of(LINES[-1]) / "gen_init_cpio"
        return newest if newest.exists() else self.kernel / "gen_init_cpio"

    def processor(self):
        """The processor and what is modelled of it."""
        text = CPUS[self.cpu] + (",pmu-cache=on" if self.caches else "")
        if self.timed is None:
            return text
        return ",".join([f"{text},pmu-time=on"] + [f"{name}={self.timed[name]}"
                                                   for name in sorted(self.timed)])

    def kernel_arguments(self):
        mhz = TSC_MHZ if self.timed is None else int(self.timed.get(TIMED_RATE, TIMED_MHZ))
        return f"{KERNEL_ARGUMENTS.format(tsc_khz=mhz * 1000)} {self.arguments}".strip()

    def command(self, folder, chardevs):
        """The command line of QEMU."""
        # Shared caches require all CPUs in one thread.
        accel = "tcg,thread=single" if self.caches else "tcg"
        line = ["setpriv", "--pdeathsig", "KILL", str(self.qemu / "qemu-system-x86_64"),
                "-nodefaults", "-display", "none", "-no-reboot", "-accel", accel,
                "-machine", self.board, "-cpu", self.processor(),
                "-smp", f"{self.cpus},threads={self.threads}", "-m", str(self.memory),
                "-kernel", str(self.kernel / "bzImage"), "-initrd", str(folder / "initramfs"),
                "-append", self.kernel_arguments(),
                "-serial", f"file:{folder}/console",
                # Without ioeventfd, the CPU that writes to a port also transfers the data.
                "-device", "virtio-serial-pci,ioeventfd=off"]
        if self.modules:
            line[line.index("-append") + 1] += " rdinit=/load"
        for where in FIRMWARE:
            line += ["-L", where]
        for name, chardev in chardevs.items():
            line += ["-chardev", f"{chardev},id={name}",
                     "-device", f"virtserialport,chardev={name},name={name}"]
        for i, share in enumerate(self.shares):
            line += share.arguments(f"share{i}")
        return line + ([*ICOUNT, "-seed", str(self.seed)] if self.icount else [])

    def run(self, stdin=None, stdout=1, stderr=2):
        """Run the command with these file descriptors; None for stdin means empty."""
        if self.module and not (self.kernel / "kermon.ko").exists():
            raise Lost(f"no kermon.ko in {self.kernel}: build it (make kernel) "
                       "or use --no-module")
        parent = CACHE / "vm"
        parent.mkdir(parents=True, exist_ok=True)
        discard_old(parent)
        folder = Path(tempfile.mkdtemp(prefix=time.strftime("%H%M%S-"), dir=parent))
        self.initramfs(folder)
        self.check_memory((folder / "initramfs").stat().st_size)
        try:
            result = self.boot_twice(folder, (stdin, stdout, stderr))
        except Lost as lost:
            console = folder / "console"
            raise type(lost)(f"{lost}; its console: {console}", console) from None
        shutil.rmtree(folder)
        return result

    def check_memory(self, size):
        """Without enough memory, the guest panics or hangs before it can report that."""
        least = (MEMORY_MIN_STOCK if self.modules else MEMORY_MIN) + 2 * (size >> 20)
        if self.memory < least:
            raise ValueError(f"{self.memory} MiB of memory is not enough: this guest needs at "
                             f"least {least} MiB")

    def boot_twice(self, folder, streams):
        """Boot again if the kernel hangs, unless input is lost with it."""
        # QEMU writes to files without waiting for a reader, so that the guest's view of
        # its ports is reproducible.
        files = None if self.shares else folder
        relay = Relay(*streams, files)
        try:
            return self.boot(folder, relay)
        except Hung as hung:
            if relay.fed:
                raise
            kept = (folder / "console").rename(folder.with_name(f"{folder.name}-hung"))
            stderr_note(f"{hung}; booting it again (its console: {kept})")
        return self.boot(folder, Relay(*streams, files))

    def boot(self, folder, relay):
        start = time.monotonic()
        with open(folder / "qemu.log", "wb") as log:
            qemu = subprocess.Popen(self.command(folder, relay.chardevs), stdin=subprocess.DEVNULL,
                                    stdout=log, stderr=log, pass_fds=relay.guest_fds(),
                                    start_new_session=True)
        relay.started(self.forward)
        try:
            result = relay.until_result(start, self.timeout, Boot(folder / "console").check)
        finally:
            qemu.kill()
            qemu.wait()
            relay.ended()
        if not result:
            said = (folder / "qemu.log").read_text(errors="replace").strip()
            raise Lost("the virtual machine exited without a result"
                       + (f" ({said.splitlines()[-1]})" if said else ""))
        result.console = (folder / "console").read_text(errors="replace")
        result.config = (self.kernel / "config").read_text()
        return result


def kernel_of(line, variant=""):
    """The folder of the kernel of a line, as scripts/build-kernel links it."""
    return TOP / f"build/kernel-{line}{variant}"


def discard_old(parent, age=86400):
    """Remove folders of lost machines after a day."""
    for folder in parent.iterdir():
        try:
            old = folder.stat().st_mtime < time.time() - age
        except FileNotFoundError:
            continue    # belongs to another run that has just ended
        if old and folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)
        elif old:
            folder.unlink(missing_ok=True)


def program_files(programs):
    """The lines of a gen_init_cpio list for files of the host, at the same paths, and
    for the shared libraries that programs among them need."""
    paths = set()
    for program in programs:
        path = os.path.abspath(program)
        if below(path, SYSTEM):
            raise ValueError(f"cannot copy '{program}' into the guest, which has its own "
                             f"{', '.join(SYSTEM)}; copy it elsewhere first")
        if not os.path.isfile(path):
            why = "is a folder; name its files" if os.path.isdir(path) else "does not exist"
            raise ValueError(f"cannot copy '{program}' into the guest: it {why}")
        paths.add(path)
        needed = subprocess.run(["ldd", path], capture_output=True, text=True, check=False)
        paths.update(re.findall(r"(/\S+) \(0x", needed.stdout))
    folders = {str(parent) for path in paths for parent in Path(path).parents}
    lines = [f"dir {folder} 755 0 0" for folder in sorted(folders - {"/", "/tmp"})]
    lines += [f"file {path} {os.path.realpath(path)} 755 0 0" for path in sorted(paths)]
    return "\n".join(lines) + "\n"


def values(argv):
    """The words of a command, and values after "=" or a short option in them."""
    behind = [re.sub(r"^-[A-Za-z](?=/)|^[^=]*=", "", word) for word in argv]
    return [word for word in [*argv, *behind] if word]


def named_paths(argv, path):
    """Existing paths that a command refers to: files among its words, programs found in
    PATH, and the folders of PATH; as named and with symbolic links resolved."""
    programs = [shutil.which(word, path=path) or "" for word in argv]
    found = {os.path.abspath(word) for word in [*programs, *values(argv), *path.split(":")]
             if word and os.path.exists(word)}
    return found | {os.path.realpath(word) for word in found}


def new_paths(argv):
    """Files named by a command that do not exist: it may create them. A word with
    blanks is assumed to be a script."""
    return {os.path.abspath(word) for word in values(argv)
            if not re.search(r"\s", word) and not os.path.exists(word)}


def hidden_paths(paths, shown):
    """Those paths that the guest's private folders hide and that are not shared."""
    return sorted(path for path in paths if below(path, PRIVATE) and not below(path, shown)
                  and path not in PRIVATE)


def host_machine(argv, writable=(), **settings):
    """A machine that shares the host's file system, with the current folder and the given
    ones writable. Below the guest's private folders, it shares folders that contain
    files named by the command."""
    cwd = os.getcwd()
    if cwd == "/" or below(cwd, SYSTEM) and not below(cwd, PRIVATE):
        raise ValueError(f"cannot make the current folder {cwd} writable in the guest; "
                         "change to another one")
    env = {name: value for name, value in os.environ.items()
           if name not in ("TMPDIR", "XDG_RUNTIME_DIR")}
    env["PATH"] = f"{TOP}/build/bin:{env.get('PATH', os.defpath)}"
    writable = [cwd, *writable]
    shown = []
    for path in hidden_paths({str(TOP), *named_paths(argv, env["PATH"])}, writable):
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        if folder not in PRIVATE and not below(folder, shown):
            shown.append(folder)
    shares = ([Share("/")] + [Share(folder) for folder in shown]
              + [Share(folder, writable=True) for folder in writable])
    if len(shares) > SHARES_MAX:
        raise ValueError(f"cannot share {len(shares)} folders with the guest; "
                         f"the limit is {SHARES_MAX}")
    return Machine(argv=argv, cwd=cwd, env=env, shares=shares,
                   hidden=hidden_paths(named_paths(argv, env["PATH"]), writable + shown),
                   fleeting=hidden_paths(new_paths(argv), writable + shown), **settings)


def stderr_note(text):
    print(f"kermon-vm: {text}", file=sys.stderr, flush=True)
