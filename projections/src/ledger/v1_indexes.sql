create index ledger_v1_by_run on projections.ledger_v1 (run_id);
create index ledger_v1_unresolved on projections.ledger_v1 (id) where status <> 'reverted';
