# SPDX-License-Identifier: GPL-2.0
"""The five algorithms of Tables 1 to 3 of "Advanced Modular Software Performance Monitoring" (A.
Mazurov, B. Couturier), with times about in the ratios of Table 3, its 1000 events. The exact
times go to a file, as does each execution if there is a third name.

    tables.py EVENTS SEED TIMES [EXECUTIONS]"""

import sys

from Configurables import (ApplicationMgr, AuditorSvc, HitCreator, HitSorter, RegionAuditor,
                           Sequence, TimerAuditor, TrackFitter)

events, seed, times, *executions = sys.argv[1:]

hlt = Sequence("Hlt", Members=[
    HitSorter("L0Muon", Size=15000),
    TrackFitter("Hlt1TrackAllL0Unit", Size=900),
    HitCreator("FastVeloHlt", Size=9800),
    HitSorter("L0Calo", Size=3780),
    TrackFitter("HltPVsPV3D", Size=59),
])
ApplicationMgr(TopAlg=[hlt], EvtMax=int(events), Seed=int(seed))
timer = TimerAuditor(Output=times)
if executions:
    timer.Trace = executions[0]
# The timer around marks: these take less time than the clocks, which then are in no region.
AuditorSvc().Auditors += [timer, RegionAuditor()]
