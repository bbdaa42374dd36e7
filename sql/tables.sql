-- Properties of tables that Drizzle cannot express.

-- A lineage has at most one version at any instant.
do $$ begin
  if not exists (select from pg_constraint where conname = 'learnings_no_overlap') then
    alter table learnings add constraint learnings_no_overlap
      exclude using gist (user_id with =, lineage_id with =, tstzrange(valid_from, valid_until) with &&);
  end if;
end $$;

-- So has a skill.
do $$ begin
  if not exists (select from pg_constraint where conname = 'skills_no_overlap') then
    alter table skills add constraint skills_no_overlap
      exclude using gist (user_id with =, scope with =, name with =, tstzrange(valid_from, valid_until) with &&);
  end if;
end $$;

do $$ begin
  if not exists (select from pg_constraint where conname = 'notes_confidence') then
    alter table notes add constraint notes_confidence check (confidence between 0 and 1);
  end if;
end $$;

-- Facts, relations and decisions: at any instant of either clock a subject has one row at most. No row is empty.
do $$
declare
  t text;
begin
  foreach t in array array['facts', 'relations', 'decisions'] loop
    if not exists (select from pg_constraint where conname = t || '_no_overlap') then
      execute format('alter table %I
        add constraint %I check (valid_until > valid_from and recorded_until > recorded_at),
        add constraint %I exclude using gist (user_id with =, scope_id with =, subject with =,
          tstzrange(valid_from, valid_until) with &&, tstzrange(recorded_at, recorded_until) with &&)',
        t, t || '_periods', t || '_no_overlap');
    end if;
  end loop;
end $$;

-- A search compares thousands of these values. Plain storage keeps them in the row and without the header of a
-- compressible value. With that header each comparison copies the value: seven terms against 1,000 texts took 11 ms
-- instead of 1.6 ms.
alter table search_documents
  alter column embedding set storage plain,
  alter column terms set storage plain;

-- Leaves room on the page for the next version of a row, so that an update does not have to change the indexes.
alter table sessions set (fillfactor = 50);

-- No row belongs to an account that does not exist: not after a member was erased while a request was under way, nor
-- when events wait for a user whom a restored database does not have. All other tables hang on a project or a
-- session; facts, relations, decisions, notes, what these cite, patterns and nights may belong to no project.
-- Rows from before this rule are not checked (not valid), so that it can be added to any database.
do $$
declare
  t text;
begin
  foreach t in array array['projects', 'command_checks', 'command_cache', 'transcript_cursors', 'erasures', 'llm_usage',
    'facts', 'relations', 'decisions', 'skills', 'skill_logs', 'notes', 'channels', 'agents',
    'citations', 'consolidation_runs', 'note_finds', 'patterns']
  loop
    if not exists (select from pg_constraint where conname = t || '_account') then
      execute format('alter table %I add constraint %I foreign key (user_id) references profiles (user_id)
        on delete cascade not valid', t, t || '_account');
    end if;
  end loop;
end $$;

-- It is deflated already, so trying to compress it again would only take time.
alter table observations alter column content set storage external;
