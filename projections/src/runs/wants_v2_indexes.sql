create index run_wants_v2_by_want on projections.run_wants_v2 (want, begins, ends);
