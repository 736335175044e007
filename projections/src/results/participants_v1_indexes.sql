create index participants_v1_by_member on projections.participants_v1 (member);
