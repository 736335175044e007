create index places_v1_by_member on projections.places_v1 (member);
