# SPDX-License-Identifier: GPL-2.0
"""The example of Gaudi's own documentation of its auditor: Alg2 is excluded, and its time is a
region of its own, not that of SubSequence."""

from Configurables import (ApplicationMgr, AuditorSvc, HitCreator, HitSorter, RegionAuditor,
                           Sequence, TimerAuditor, TrackFitter)

top = Sequence("TopSequence", Members=[
    Sequence("SubSequence", Members=[
        HitSorter("Alg1", Size=3000),
        TrackFitter("Alg2", Size=600),
    ]),
    HitCreator("Alg3", Size=2000),
    TrackFitter("Alg4", Size=300),
])

ApplicationMgr(TopAlg=[top], EvtMax=500)

profiler = RegionAuditor()
profiler.StartFromEventN = 101
profiler.StopAtEventN = 401
profiler.ExcludeAlgorithms = ["Alg2"]
AuditorSvc().Auditors += [profiler, TimerAuditor()]
