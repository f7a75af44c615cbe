# SPDX-License-Identifier: GPL-2.0
"""A high-level trigger: the tree of sequences of "Advanced Modular Software Performance
Monitoring" (A. Mazurov, B. Couturier), section 3.2.3. MuonRec and createVeloLiteClusters also
are in a second sequence, which executes them in events that the first one has rejected.

    hlt.py [EVENTS [THREADS]]"""

import sys

from Configurables import (ApplicationMgr, AuditorSvc, BankReader, EventFilter, HitCreator,
                           HitSorter, RegionAuditor, Sequence, TrackFitter)

muons = TrackFitter("MuonRec", Size=150)
clusters = HitCreator("createVeloLiteClusters", Size=1500)

# Filters come first, so that most of the others need not be executed.
streamer = Sequence("Hlt1DiMuonHighMassStreamer", Members=[
    Sequence("Hlt1DiMuonHighMassL0DUFilterSequence", Members=[
        BankReader("L0DUFromRaw", Size=50),
    ]),
    EventFilter("Hlt1DiMuonHighMassL0DUFilter", Accept=0.6),
    Sequence("GECLooseUnit", Members=[
        HitCreator("createITLiteClusters", Size=800),
        clusters,
    ]),
    HitSorter("FastVeloHlt", Size=2000),
    muons,
    TrackFitter("Velo2CandidatesDiMuonHighMass", Size=60),
])
high_mass = Sequence("Hlt1DiMuonHighMass", IgnoreFilterPassed=True, Members=[
    Sequence("Hlt1DiMuonHighMassFilterSequence", Members=[streamer]),
])
control = Sequence("Hlt1Control", Members=[muons, clusters])
decision = Sequence("HltDecisionSequence", Members=[
    Sequence("Hlt1", Members=[high_mass, control]),
])

application = ApplicationMgr(TopAlg=[Sequence("Hlt", Members=[decision])])
if len(sys.argv) > 1:
    application.EvtMax = int(sys.argv[1])
if len(sys.argv) > 2:
    application.Threads = int(sys.argv[2])

profiler = RegionAuditor()
AuditorSvc().Auditors += [profiler]
