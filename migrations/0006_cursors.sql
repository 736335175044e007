-- How far each consumer has read. A move is compare-and-set on position and epoch.
create table public.cursors (
    consumer text   not null,
    position bigint not null,
    epoch    bigint not null,
    constraint cursors_pkey primary key (consumer),
    constraint cursors_position_counts check (position >= 0),
    constraint cursors_epoch_counts check (epoch >= 1)
);

comment on table public.cursors is 'Durable cursors, one for each consumer.';
comment on column public.cursors.consumer is 'Name of the consumer.';
comment on column public.cursors.position is 'The last position that it has dealt with; it starts at 0, the opening of the log.';
comment on column public.cursors.epoch is 'Epoch of the leader that may move it; raised by each change of hands.';
