# SPDX-License-Identifier: GPL-2.0
"""The virtual machine: how QEMU is called, what the guest is given, and what
it shows of this machine.

Machine.run() boots, runs one command and returns a Result, or raises Lost
when the machine ended, or had to be ended, without reporting a result.
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

# The lines of kernels that KerMon has patches for, the oldest first.
LINES = sorted((path.parent.name for path in TOP.glob("kernel-patches/*/BASE")),
               key=lambda line: [int(part) for part in line.split(".")])

FIRMWARE = ["/usr/share/seabios", "/usr/share/qemu"]

# The processors that tests/qemu gives a PMU. Model 62 is the Ivy Bridge server
# part: Linux reads its DRAM energy too. TCG has neither x2APIC nor the TSC
# deadline timer and would warn about both. Model 17 of AMD's family 25 is Zen 4.
# The hot one takes a megawatt: its energy counter wraps around every 66 ms.
INTEL = "pmu=on,+pdcm,full-width-write=on,-x2apic,-tsc-deadline"
CPUS = {
    "ivy-bridge": f"IvyBridge,model=62,{INTEL}",
    "sky-lake": f"Skylake-Server,pmu-version=4,{INTEL}",
    "hot": f"IvyBridge,model=62,rapl-pkg-mw=1000000000,{INTEL}",
    "ice-lake": f"Icelake-Server,model=106,pmu-version=5,{INTEL}",
    "four-counters": "EPYC-Milan,perfctr-core=off,pmu=on",
    "zen3": "EPYC-Milan,pmu=on",
    "zen4": "EPYC-Milan,model=17,pmu-version=2,pmu=on",
}

# One instruction is one nanosecond, nothing depends on the host's clock.
ICOUNT = ["-icount", "shift=0,sleep=off", "-rtc", "base=2026-01-01,clock=vm"]

# Emulation is slow enough to look like a watchdog's lockup or an interrupt
# storm; neither may stop or throttle the counters. The TSC of the model is one
# for all CPUs and runs at 1 GHz (tests/qemu); it need not be measured. Where programs
# are mapped at other addresses each time, QEMU translates their code each time: to
# start one takes three times as long.
KERNEL_ARGUMENTS = ("console=ttyS0 panic=-1 nmi_watchdog=0 tsc=reliable "
                    "tsc_early_khz=1000000 norandmaps "
                    "sysctl.kernel.perf_cpu_time_max_percent=0")

# The most CPUs that the guest's kernel is configured for.
CPUS_MAX = int(re.search(r"^CONFIG_NR_CPUS=(\d+)$",
                         (TOP / "tests/vm/config/base.config").read_text(), re.M)[1])

# MiB that the guest's kernel and init need; with 32 it panics before init. Files that
# are brought are there twice for a while, packed and unpacked.
MEMORY_MIN = 64

# Folders that are the guest's own: the host's do not show through.
PRIVATE = ("/tmp", "/run", "/var/tmp", "/dev/shm")
SYSTEM = ("/dev", "/proc", "/sys")

# Shares that tests/vm/vm.h has room for.
SHARES_MAX = 16


def below(path, folders):
    return any(path == f or path.startswith(f + "/") for f in folders)


@dataclass
class Share:
    """A folder of the host that the guest sees at the same place."""
    path: str
    writable: bool = False

    def arguments(self, tag):
        readonly = "off" if self.writable else "on"
        return ["-virtfs", f"local,path={self.path.replace(',', ',,')},mount_tag={tag},"
                f"security_model=none,multidevs=remap,readonly={readonly}"]

    def item(self, tag):
        return f"share={tag}:{'rw' if self.writable else 'ro'}:{self.path}"


@dataclass
class Machine:
    """One run of one command. Without shares it is self-contained: files are
    the lines of a gen_init_cpio list, and nothing else of the host is seen; with
    icount, every run of it is the same to the bit."""
    argv: list
    cwd: str = "/"
    env: dict = field(default_factory=dict)
    shares: list = field(default_factory=list)
    hidden: list = field(default_factory=list)    # what argv names and no share shows
    fleeting: list = field(default_factory=list)    # what it may make where no share is
    files: str = ""
    kernel: Path = TOP / "build/kernel"
    qemu: Path = TOP / "build/qemu"
    module: bool = True
    cpu: str = "ivy-bridge"
    icount: bool = False
    seed: int = 1    # with icount: of what the guest takes for random
    caches: bool = False    # modelled, for Intel's events of them
    cpus: int = 2
    threads: int = 1    # CPUs to a core
    memory: int = 1024
    board: str = "pc"
    timeout: float = 3600
    arguments: str = ""
    forward: bool = False    # signals to this process are for the command

    def job(self):
        """The job file that tests/vm/job.c reads."""
        items = [share.item(f"share{i}") for i, share in enumerate(self.shares)]
        items.append(f"cwd={self.cwd}")
        items += [f"env={name}={value}" for name, value in self.env.items()]
        items += [f"arg={text}" for text in self.argv]
        return b"".join(os.fsencode(item) + b"\0" for item in items)

    def initramfs(self, folder):
        """Write the guest's first file system, the same bytes for the same job."""
        (folder / "job").write_bytes(self.job())
        lines = ["dir /dev 755 0 0", "nod /dev/console 600 0 0 c 5 1",
                 "dir /proc 755 0 0", "dir /sys 755 0 0", "dir /tmp 1777 0 0",
                 f"file /init {TOP}/build/vm/init 755 0 0",
                 f"file /job {folder}/job 644 0 0"]
        if self.module:
            lines.append(f"file /kermon.ko {self.kernel}/kermon.ko 644 0 0")
        (folder / "files").write_text("\n".join(lines) + "\n" + self.files)
        with open(folder / "initramfs", "wb") as out:
            subprocess.run([self.packer(), "-t", "0", folder / "files"], stdout=out, check=True)

    def packer(self):
        """That of older kernels gives files the time they have here, whatever it is told."""
        newest = kernel_of(LINES[-1]) / "gen_init_cpio"
        return newest if newest.exists() else self.kernel / "gen_init_cpio"

    def command(self, folder, chardevs):
        """The command line of QEMU."""
        cpu = CPUS[self.cpu] + (",pmu-cache=on" if self.caches else "")
        # Caches that CPUs share need all CPUs in one thread.
        accel = "tcg,thread=single" if self.caches else "tcg"
        line = ["setpriv", "--pdeathsig", "KILL", str(self.qemu / "qemu-system-x86_64"),
                "-nodefaults", "-display", "none", "-no-reboot", "-accel", accel,
                "-machine", self.board, "-cpu", cpu,
                "-smp", f"{self.cpus},threads={self.threads}", "-m", str(self.memory),
                "-kernel", str(self.kernel / "bzImage"), "-initrd", str(folder / "initramfs"),
                "-append", f"{KERNEL_ARGUMENTS} {self.arguments}".strip(),
                "-serial", f"file:{folder}/console",
                # Not by ioeventfd: the CPU that writes to a port hands the data over.
                "-device", "virtio-serial-pci,ioeventfd=off"]
        for where in FIRMWARE:
            line += ["-L", where]
        for name, chardev in chardevs.items():
            line += ["-chardev", f"{chardev},id={name}",
                     "-device", f"virtserialport,chardev={name},name={name}"]
        for i, share in enumerate(self.shares):
            line += share.arguments(f"share{i}")
        return line + ([*ICOUNT, "-seed", str(self.seed)] if self.icount else [])

    def run(self, stdin=None, stdout=1, stderr=2):
        """Run the command with these file descriptors; stdin None is empty."""
        if self.module and not (self.kernel / "kermon.ko").exists():
            raise Lost(f"there is no kermon.ko in {self.kernel}: build it (make kernel) "
                       "or do without (--no-module)")
        parent = CACHE / "vm"
        parent.mkdir(parents=True, exist_ok=True)
        discard_old(parent)
        folder = Path(tempfile.mkdtemp(prefix=time.strftime("%H%M%S-"), dir=parent))
        self.initramfs(folder)
        self.check_memory((folder / "initramfs").stat().st_size)
        try:
            # Into files QEMU writes without waiting for anybody: what the
            # guest sees of its ports is the same in every run.
            files = None if self.shares else folder
            result = self.boot(folder, Relay(stdin, stdout, stderr, files))
        except Lost as lost:
            console = folder / "console"
            raise type(lost)(f"{lost}; its console: {console}", console) from None
        shutil.rmtree(folder)
        return result

    def check_memory(self, size):
        """With too little of it, the guest panics or hangs before it can say so."""
        least = MEMORY_MIN + 2 * (size >> 20)
        if self.memory < least:
            raise ValueError(f"{self.memory} MiB of memory are too little: this guest needs "
                             f"{least} MiB at least")

    def boot(self, folder, relay):
        start = time.monotonic()
        with open(folder / "qemu.log", "wb") as log:
            qemu = subprocess.Popen(self.command(folder, relay.chardevs), stdin=subprocess.DEVNULL,
                                    stdout=log, stderr=log, pass_fds=relay.guest_fds(),
                                    start_new_session=True)
        relay.started(self.forward)
        try:
            result = relay.until_result(start, self.timeout)
        finally:
            qemu.kill()
            qemu.wait()
            relay.ended()
        if not result:
            said = (folder / "qemu.log").read_text(errors="replace").strip()
            raise Lost("the virtual machine ended without a result"
                       + (f" ({said.splitlines()[-1]})" if said else ""))
        result.console = (folder / "console").read_text(errors="replace")
        result.config = (self.kernel / "config").read_text()
        return result


def kernel_of(line, variant=""):
    """The folder of the kernel of a line, as scripts/build-kernel links it."""
    return TOP / f"build/kernel-{line}{variant}"


def discard_old(parent, age=86400):
    """Folders of lost machines are kept for a day."""
    for folder in parent.iterdir():
        try:
            old = folder.stat().st_mtime < time.time() - age
        except FileNotFoundError:
            continue    # that of another run, which has just ended
        if old:
            shutil.rmtree(folder, ignore_errors=True)


def program_files(programs):
    """The lines of a gen_init_cpio list for files of the host at their own
    paths, with the shared libraries that programs among them need."""
    paths = set()
    for program in programs:
        path = os.path.abspath(program)
        if below(path, SYSTEM):
            raise ValueError(f"'{program}' cannot be brought: the guest has its own "
                             f"{', '.join(SYSTEM)}; copy it elsewhere")
        if not os.path.isfile(path):
            why = "is a folder: name its files" if os.path.isdir(path) else "is not there"
            raise ValueError(f"'{program}' cannot be brought: it {why}")
        paths.add(path)
        needed = subprocess.run(["ldd", path], capture_output=True, text=True, check=False)
        paths.update(re.findall(r"(/\S+) \(0x", needed.stdout))
    folders = {str(parent) for path in paths for parent in Path(path).parents}
    lines = [f"dir {folder} 755 0 0" for folder in sorted(folders - {"/", "/tmp"})]
    lines += [f"file {path} {os.path.realpath(path)} 755 0 0" for path in sorted(paths)]
    return "\n".join(lines) + "\n"


def values(argv):
    """The words of a command, and what is behind a "=" or a short option in them."""
    behind = [re.sub(r"^-[A-Za-z](?=/)|^[^=]*=", "", word) for word in argv]
    return [word for word in [*argv, *behind] if word]


def named_paths(argv, path):
    """What a command names of this machine: files among its words, also programs by
    their names alone, the folders of PATH; by its name and by what that is a link to."""
    programs = [shutil.which(word, path=path) or "" for word in argv]
    found = {os.path.abspath(word) for word in [*programs, *values(argv), *path.split(":")]
             if word and os.path.exists(word)}
    return found | {os.path.realpath(word) for word in found}


def new_paths(argv):
    """Files that a command names and that are not there: it may be about to make them.
    What has a blank in it is rather a script."""
    return {os.path.abspath(word) for word in values(argv)
            if not re.search(r"\s", word) and not os.path.exists(word)}


def hidden_paths(paths, shown):
    """Those of them that the guest's own folders hide, and that are not shown."""
    return sorted(path for path in paths if below(path, PRIVATE) and not below(path, shown)
                  and path not in PRIVATE)


def host_machine(argv, writable=(), **settings):
    """A machine that shows the host's file system, in which the current folder and
    those named can be written to. Of what the guest's own folders hide, it shows those
    that the command names files in."""
    cwd = os.getcwd()
    if cwd == "/" or below(cwd, SYSTEM) and not below(cwd, PRIVATE):
        raise ValueError(f"the current folder {cwd} cannot be writable in the guest; "
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
        raise ValueError(f"{len(shares)} folders to be shown in the guest, "
                         f"{SHARES_MAX} are the most")
    return Machine(argv=argv, cwd=cwd, env=env, shares=shares,
                   hidden=hidden_paths(named_paths(argv, env["PATH"]), writable + shown),
                   fleeting=hidden_paths(new_paths(argv), writable + shown), **settings)


def stderr_note(text):
    print(f"kermon-vm: {text}", file=sys.stderr, flush=True)
