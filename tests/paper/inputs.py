# SPDX-License-Identifier: GPL-2.0
"""Inputs of the programs on which the KerMon paper's figures are redone: small, because a second
of the virtual machine whose time is modelled takes minutes."""

import shutil

from machine import HERE, Failed, run

# Of a beam of steel: elements along it and across it, and modes of vibration.
BEAM, MODES = (10, 4, 4), 8
STEPS = f"""*BOUNDARY
END,1,3
*MATERIAL, NAME=STEEL
*ELASTIC
210000,0.3
*DENSITY
7.8E-9
*SOLID SECTION, ELSET=BEAM, MATERIAL=STEEL
*STEP
*FREQUENCY, STORAGE=YES
{MODES}
*END STEP
*STEP
*STEADY STATE DYNAMICS
1.,100000.,20,3.
*MODAL DAMPING
1,{MODES},0.02
*CLOAD
{{}},3,1.
*NODE PRINT, NSET=END
U
*END STEP
"""
ATOMS, DISTANCE = 6, 0.38


def cells(size):
    return [(i, j, k) for k in range(size[2]) for j in range(size[1]) for i in range(size[0])]


def beam():
    """A beam for CalculiX, fixed at one end and shaken at the other: its modes of vibration, and
    its answer to 20 frequencies."""
    corners = cells([elements + 1 for elements in BEAM])
    number = {corner: at for at, corner in enumerate(corners, 1)}
    around = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1),
              (0, 1, 1))
    lines = ["*NODE, NSET=ALL"]
    lines += [f"{number[corner]},{','.join(str(2.5 * x) for x in corner)}" for corner in corners]
    lines.append("*ELEMENT, TYPE=C3D8, ELSET=BEAM")
    for at, (i, j, k) in enumerate(cells(BEAM), 1):
        nodes = [number[i + x, j + y, k + z] for x, y, z in around]
        lines.append(",".join(map(str, [at, *nodes])))
    lines.append("*NSET, NSET=END")
    lines += [str(number[corner]) for corner in corners if not corner[0]]
    return "\n".join(lines) + "\n" + STEPS.format(number[BEAM])


def argon():
    """Atoms of argon for GROMACS, not quite on a grid."""
    lines = ["argon", str(ATOMS ** 3)]
    for at, corner in enumerate(cells([ATOMS] * 3), 1):
        place = ((x + 0.5) * DISTANCE + 0.01 * (at * 7 % 5 - 2) for x in corner)
        lines.append(f"{at:5}{'AR':5}{'AR':>5}{at:5}" + "".join(f"{x:8.3f}" for x in place))
    lines.append("".join(f"{ATOMS * DISTANCE:10.5f}" for _ in range(3)))
    return "\n".join(lines) + "\n"


def prepare(folder):
    """Write all inputs to a folder."""
    missing = [name for name in ("ccx", "povray", "gmx", "ergo", "node", "zstd", "openssl")
               if not shutil.which(name)]
    if missing:
        raise Failed(f"no {', '.join(missing)}; scripts/setup paper installs the programs")
    folder.mkdir(exist_ok=True)
    for path in (HERE / "inputs").iterdir():
        shutil.copy(path, folder)
    (folder / "beam.inp").write_text(beam(), encoding="ascii")
    (folder / "argon.gro").write_text(argon(), encoding="ascii")
    run(["gmx", "-quiet", "grompp", "-f", "argon.mdp", "-c", "argon.gro", "-p", "argon.top", "-o",
         "argon.tpr", "-po", "used.mdp"], folder)
