-- One row for each command that committed, so that a repeat is answered and never done again.
create table public.commands (
    command_id     uuid   not null,
    first_position bigint not null,
    last_position  bigint not null,
    constraint commands_pkey primary key (command_id),
    constraint commands_positions_in_order check (0 <= first_position and first_position <= last_position)
);

comment on table public.commands is 'Commands that committed, with the positions they made.';
comment on column public.commands.command_id is 'Id of the command, given by its sender.';
comment on column public.commands.first_position is 'First position it made; the head at that moment when it made none.';
comment on column public.commands.last_position is 'Last position it made; the head at that moment when it made none.';
