# SPDX-License-Identifier: GPL-2.0
"""Algorithms of which one spends its time in operator new and delete, for a comparison of
implementations of malloc().

    memory.py EVENTS TIMES"""

import sys

from Configurables import (ApplicationMgr, AuditorSvc, HitCreator, HitSorter, RegionAuditor,
                           Sequence, TimerAuditor, TrackFitter)

events, times = sys.argv[1:]

reconstruction = Sequence("Reconstruction", Members=[
    HitCreator("CreateHits", Size=10000, Spread=0),
    HitSorter("SortHits", Size=3000, Spread=0),
    TrackFitter("FitTracks", Size=400, Spread=0),
])
ApplicationMgr(TopAlg=[reconstruction], EvtMax=int(events))
AuditorSvc().Auditors += [TimerAuditor(Output=times), RegionAuditor()]
