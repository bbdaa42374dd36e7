-- ── data ──

drop trigger notify_keys on api_keys;
--> statement-breakpoint
-- Keys were bound to the name of a project, which may have been made later, or never. From now on they are bound to its id.
insert into projects (user_id, name)
select distinct k.user_id, regexp_replace(k.project, '^(/.*[^/])/+$', '\1') from api_keys k
where k.project is not null and k.revoked_at is null and not exists (
  select from projects p where p.user_id = k.user_id and k.project = any(p.name || p.also))
on conflict do nothing;
--> statement-breakpoint
update api_keys k set project = (
  select p.id from projects p
  where p.user_id = k.user_id
    and regexp_replace(k.project, '^(/.*[^/])/+$', '\1') = any(p.name || p.also)
  order by p.name = k.project desc, p.last_activity desc limit 1)::text
where k.project is not null;
--> statement-breakpoint
alter table api_keys alter column project type uuid using project::uuid;
--> statement-breakpoint
-- What was read out of a sentence in a prompt denies nothing any more: it asks. What a person stated or approved keeps its force.
update guards g set rule = jsonb_set(rule, '{then}', '"ask"'), updated_at = now(),
  reason = 'it was read out of a sentence in a prompt, so it asks; approve the lesson (lore lessons approve) to have such calls denied'
where g.source <> 'person' and g.state = 'on' and g.rule ->> 'then' = 'deny' and exists (
    select from learnings l where l.user_id = g.user_id and l.lineage_id = g.lineage_id and l.valid_until is null
      and l.source_session_id is not null)
  and not exists (
    select from learnings l join learning_requests r on r.user_id = l.user_id and r.learning_id = l.id
    where l.user_id = g.user_id and l.lineage_id = g.lineage_id and r.event = 'move' and r.decision = 'promoted'
      and r.evaluator = 'person');
--> statement-breakpoint
-- What was made of the hints in notes is not made any more, and erasing a note would not find it.
delete from learning_requests where evidence ->> 'kind' = 'noted';
--> statement-breakpoint
-- A lesson is proposed or active. What a person stated or approved, and what has helped, stays active. What was a way around a
-- safeguard waited for a person, and is closed.
update learnings set valid_until = greatest(now(), valid_from), updated_at = now()
where status = 'review' and valid_until is null;
--> statement-breakpoint
update learnings l set status = 'proposed', updated_at = now()
where l.status <> 'active' or l.evaluated_by <> 'person' and l.success_count = 0 and l.valid_until is null and not exists (
  select from learning_requests r
  where r.user_id = l.user_id and r.learning_id = l.id and r.event = 'move' and r.decision = 'promoted'
    and r.evaluator = 'person');
--> statement-breakpoint
update learning_requests set decision = 'stored' where decision = 'review';
--> statement-breakpoint
update consolidation_runs set stage = 'merge' where stage in ('gather', 'settle');
--> statement-breakpoint
-- Conditions that rules no longer have: without them a guard would be about more calls than its author meant.
update guards set state = 'refused', updated_at = now(),
  reason = 'it has a condition (bare, created, deed, environment or branch) that rules no longer have; write it anew (lore guards edit)'
where rule ? 'environment' or jsonb_path_exists(rule, '$.when[*] ? (exists(@.bare) || exists(@.created) || exists(@.deed))')
  or rule ? 'branch' and jsonb_path_exists(rule,
    '$.when[*] ? (@.kind != "command" || !(@.program like_regex "^git (push|commit)"))');
--> statement-breakpoint
-- The branch of a push or a commit is one of its arguments now.
update guards g set rule = jsonb_set(g.rule - 'branch', '{when}', (
  select jsonb_agg(jsonb_set(m, '{args}', coalesce(m -> 'args', '[]') || jsonb_build_array(g.rule -> 'branch')))
  from jsonb_array_elements(g.rule -> 'when') m))
where g.rule ? 'branch' and g.state <> 'refused';
--> statement-breakpoint
-- Rules are about changes of files.
update guards g set rule = jsonb_set(g.rule, '{when}', (
  select jsonb_agg(m - 'reads') from jsonb_array_elements(g.rule -> 'when') m))
where jsonb_path_exists(g.rule, '$.when[*].reads');
--> statement-breakpoint
-- The plans that were drafted for prompts helped nobody: those of one thing to do, and those of which nobody began a step.
with drafts as (
  delete from plans p
  where drafted_by = 'prompt' or drafted_by in ('rules', 'model') and status = 'planning'
  returning user_id, id
)
update sessions s set plan_id = null from drafts d where s.user_id = d.user_id and s.plan_id = d.id;
--> statement-breakpoint
-- Templates of tasks, uses of skills, and what several projects shared are not counted any more.
delete from patterns where type in ('task_template', 'refactor', 'skill') or project_id is null;
--> statement-breakpoint
-- Such offers have no maker any more.
update offers set kind = 'lesson' where kind = 'error';
--> statement-breakpoint
drop trigger index_pattern on patterns;
--> statement-breakpoint
-- What a subagent did belongs to the episode that it worked for.
delete from episodes where agent_id is not null;
--> statement-breakpoint
drop trigger index_episode on episodes;
--> statement-breakpoint
-- A skill is its files. What was noted about it stands in its text again, where its section stood (in UTF-16 units), else last.
update skills s set content = left(s.content, j.place) || j.before || j.memory
    || case when j.memory <> '' and j.after !~ '^[ \t\r]*\n' and substr(s.content, j.place + 1) <> '' then E'\n' else '' end
    || j.after || substr(s.content, j.place + 1)
from (
  select k.user_id, k.id, k.memory,
    case when k.memory_place is null then length(k.content) else (
      select count(*) from (
        select sum(case when ascii(c) > 65535 then 2 else 1 end) over (order by n) as upto
        from regexp_split_to_table(k.content, '') with ordinality t(c, n)) u
      where u.upto <= (k.memory_place ->> 'at')::int)::int end as place,
    case when k.memory_place is not null then (k.memory_place ->> 'before')
        || case when k.memory <> '' and strpos(k.memory_place ->> 'before', E'\n') = 0 then E'\n' else '' end
      when k.memory = '' then ''
      else case when k.front_matter || k.content ~ '(^|\n\n)$' then '' when k.front_matter || k.content ~ '\n$' then E'\n' else E'\n\n' end
        || E'## Memory\n\n' end as before,
    case when k.memory_place is not null then k.memory_place ->> 'after' when k.memory = '' then '' else E'\n' end as after
  from (
    select v.*, coalesce((
      select m.text from skill_memories m
      where m.user_id = v.user_id and m.scope = v.scope and m.skill = v.name
        and m.valid_from < coalesce(v.valid_until, 'infinity')
      order by m.version desc limit 1), '') as memory
    from skills v) k
) j
where j.user_id = s.user_id and j.id = s.id and (j.before, j.memory, j.after) <> ('', '', '');
--> statement-breakpoint
-- Logs of one run become one.
delete from skill_logs l using skill_logs o
where o.user_id = l.user_id and o.run = l.run
  and (o.result = 'failed', o.result = 'succeeded', o.at, o.id) > (l.result = 'failed', l.result = 'succeeded', l.at, l.id);
--> statement-breakpoint
drop trigger index_skill on skills;
--> statement-breakpoint
-- ── dropped ──

drop view searchable, searchable_conversation, searchable_decision, searchable_episode, searchable_error, searchable_fact, searchable_finding, searchable_learning, searchable_note, searchable_pattern, searchable_relation, searchable_skill;
--> statement-breakpoint
drop trigger note_changed_episode on episodes;
--> statement-breakpoint
drop trigger queue_consolidation on learnings;
--> statement-breakpoint
drop routine capture_metrics(timestamp with time zone);
--> statement-breakpoint
drop routine claim_step(uuid,integer,text,text,integer,integer,uuid,text);
--> statement-breakpoint
drop routine close_patterns(uuid,text[],uuid[]);
--> statement-breakpoint
drop routine consolidation_candidates(uuid[],uuid,integer);
--> statement-breakpoint
drop routine consolidation_stage(consolidation_runs,timestamp with time zone,boolean);
--> statement-breakpoint
drop routine consolidation_step(integer,text);
--> statement-breakpoint
drop routine count_episodes(uuid,integer);
--> statement-breakpoint
drop routine discarded_metrics(timestamp with time zone);
--> statement-breakpoint
drop routine end_step(uuid,integer,text,text,text,text,integer,jsonb);
--> statement-breakpoint
drop routine episode_steps(jsonb);
--> statement-breakpoint
drop routine episodes_since(uuid,timestamp with time zone);
--> statement-breakpoint
drop routine episodes_to_count(integer);
--> statement-breakpoint
drop routine episodes_to_mine(uuid,timestamp with time zone,uuid,integer,boolean);
--> statement-breakpoint
drop routine gather_pairs(consolidation_runs,timestamp with time zone);
--> statement-breakpoint
drop routine heartbeat_step(uuid,integer,text,integer);
--> statement-breakpoint
drop routine hold_plan(uuid,integer);
--> statement-breakpoint
drop routine index_size(integer);
--> statement-breakpoint
drop routine lessons_to_compare(timestamp with time zone,integer);
--> statement-breakpoint
drop routine lore.authenticate(text);
--> statement-breakpoint
drop routine lore.users_to_count_patterns();
--> statement-breakpoint
drop routine lore.users_to_mine_patterns(interval);
--> statement-breakpoint
drop routine mine_patterns(uuid);
--> statement-breakpoint
drop routine note_changed_episode();
--> statement-breakpoint
drop routine offer_costs(timestamp with time zone);
--> statement-breakpoint
drop routine offer_metrics(timestamp with time zone);
--> statement-breakpoint
drop routine pattern_confidence(integer,integer,integer,integer);
--> statement-breakpoint
drop routine pattern_is_useless(real,integer,integer);
--> statement-breakpoint
drop routine plan_as_of(uuid,timestamp with time zone);
--> statement-breakpoint
drop routine plan_fault(plans,integer);
--> statement-breakpoint
drop routine project_size(uuid);
--> statement-breakpoint
drop routine queue_consolidation();
--> statement-breakpoint
drop routine raw_before(timestamp with time zone);
--> statement-breakpoint
drop routine recovery_steps(jsonb,text);
--> statement-breakpoint
drop routine repeating_by_period(timestamp with time zone);
--> statement-breakpoint
drop routine session_counts(uuid);
--> statement-breakpoint
drop routine session_metrics(timestamp with time zone);
--> statement-breakpoint
drop routine sessions_offered_patterns(integer);
--> statement-breakpoint
drop routine share_patterns();
--> statement-breakpoint
drop routine store_patterns(uuid,jsonb);
--> statement-breakpoint
drop routine task_times(timestamp with time zone);
--> statement-breakpoint
drop routine wilson_interval(integer,integer);
--> statement-breakpoint
-- ── tables ──

ALTER TABLE "findings" DROP CONSTRAINT "findings_origin";
--> statement-breakpoint
ALTER TABLE "patterns" DROP CONSTRAINT "patterns_form";
--> statement-breakpoint
ALTER TABLE "episodes" DROP CONSTRAINT "episodes_parent";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "agent_id";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "agent_type";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "parent_id";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "complexity";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "branch";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "work_items";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "tools_used";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "tests_passed";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "build_passed";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "duration_ms";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "tokens";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "findings";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "learnings";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "plan_id";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "private";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "prompts";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "corrected";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "created_at";
--> statement-breakpoint
ALTER TABLE "episodes" DROP COLUMN "updated_at";
--> statement-breakpoint
ALTER TABLE "findings" DROP COLUMN "origin";
--> statement-breakpoint
ALTER TABLE "guards" DROP COLUMN "past_calls";
--> statement-breakpoint
ALTER TABLE "guards" DROP COLUMN "past_hits";
--> statement-breakpoint
ALTER TABLE "learning_requests" DROP COLUMN "score";
--> statement-breakpoint
ALTER TABLE "learnings" DROP COLUMN "quality_score";
--> statement-breakpoint
ALTER TABLE "session_measures" DROP COLUMN "checked";
--> statement-breakpoint
ALTER TABLE "session_measures" DROP COLUMN "green_seconds";
--> statement-breakpoint
ALTER TABLE "session_measures" DROP COLUMN "commands_to_success";
--> statement-breakpoint
ALTER TABLE "patterns" DROP COLUMN "scope";
--> statement-breakpoint
ALTER TABLE "patterns" DROP COLUMN "named_by";
--> statement-breakpoint
ALTER TABLE "patterns" DROP COLUMN "lift";
--> statement-breakpoint
ALTER TABLE "patterns" DROP COLUMN "offered";
--> statement-breakpoint
ALTER TABLE "patterns" DROP COLUMN "followed";
--> statement-breakpoint
ALTER TABLE "patterns" DROP COLUMN "helped";
--> statement-breakpoint
ALTER TABLE "patterns" DROP COLUMN "harmed";
--> statement-breakpoint
ALTER TABLE "patterns" DROP COLUMN "confidence";
--> statement-breakpoint
ALTER TABLE "patterns" DROP COLUMN "pinned";
--> statement-breakpoint
ALTER TABLE "patterns" DROP COLUMN "private";
--> statement-breakpoint
ALTER TABLE "plans" DROP COLUMN "project_type";
--> statement-breakpoint
ALTER TABLE "plans" DROP COLUMN "learnings";
--> statement-breakpoint
ALTER TABLE "plans" DROP COLUMN "agent_template";
--> statement-breakpoint
ALTER TABLE "projects" DROP COLUMN "private_episodes";
--> statement-breakpoint
ALTER TABLE "skill_logs" DROP COLUMN "action";
--> statement-breakpoint
ALTER TABLE "skill_logs" DROP COLUMN "duration_ms";
--> statement-breakpoint
ALTER TABLE "skill_logs" DROP COLUMN "observation_ref";
--> statement-breakpoint
ALTER TABLE "skill_logs" DROP COLUMN "run";
--> statement-breakpoint
ALTER TABLE "skills" DROP COLUMN "category";
--> statement-breakpoint
ALTER TABLE "skills" DROP COLUMN "config";
--> statement-breakpoint
ALTER TABLE "skills" DROP COLUMN "memory_place";
--> statement-breakpoint
ALTER TABLE "skills" DROP COLUMN "evaluated_by";
--> statement-breakpoint
ALTER TABLE "skills" DROP COLUMN "source_session_id";
--> statement-breakpoint
ALTER TABLE "skills" DROP COLUMN "source_subagent";
--> statement-breakpoint
ALTER TABLE "working_states" DISABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "consolidation_pairs" DISABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "consolidation_queue" DISABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pattern_changes" DISABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "skill_memories" DISABLE ROW LEVEL SECURITY;
--> statement-breakpoint
DROP POLICY "own rows" ON "working_states" CASCADE;
--> statement-breakpoint
DROP TABLE "working_states" CASCADE;
--> statement-breakpoint
DROP POLICY "own rows" ON "consolidation_pairs" CASCADE;
--> statement-breakpoint
DROP TABLE "consolidation_pairs" CASCADE;
--> statement-breakpoint
DROP POLICY "own rows" ON "consolidation_queue" CASCADE;
--> statement-breakpoint
DROP TABLE "consolidation_queue" CASCADE;
--> statement-breakpoint
DROP POLICY "own rows" ON "pattern_changes" CASCADE;
--> statement-breakpoint
DROP TABLE "pattern_changes" CASCADE;
--> statement-breakpoint
DROP POLICY "own rows" ON "skill_memories" CASCADE;
--> statement-breakpoint
DROP TABLE "skill_memories" CASCADE;
--> statement-breakpoint
DROP INDEX "skill_logs_order";
--> statement-breakpoint
ALTER TABLE "api_keys" ALTER COLUMN "project" SET DATA TYPE uuid;
--> statement-breakpoint
ALTER TABLE "patterns" ALTER COLUMN "project_id" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "guards" ADD COLUMN "passes" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "learnings" ADD COLUMN "everywhere" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "roots" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_project_projects_user_id_id_fk" FOREIGN KEY ("user_id","project") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "learnings_everywhere" ON "learnings" USING btree ("user_id") WHERE everywhere and valid_until is null;
--> statement-breakpoint
ALTER TABLE "patterns" ADD CONSTRAINT "patterns_form" UNIQUE("user_id","project_id","type","form");
--> statement-breakpoint
-- ── sql/tables.sql ──

-- Properties of tables that Drizzle cannot express.

-- A lineage has at most one version at any instant.
do $$ begin
  if not exists (select from pg_constraint where conname = 'learnings_no_overlap') then
    alter table learnings add constraint learnings_no_overlap
      exclude using gist (user_id with =, lineage_id with =, tstzrange(valid_from, valid_until) with &&);
  end if;
end $$;
--> statement-breakpoint
-- So has a skill.
do $$ begin
  if not exists (select from pg_constraint where conname = 'skills_no_overlap') then
    alter table skills add constraint skills_no_overlap
      exclude using gist (user_id with =, scope with =, name with =, tstzrange(valid_from, valid_until) with &&);
  end if;
end $$;
--> statement-breakpoint
do $$ begin
  if not exists (select from pg_constraint where conname = 'notes_confidence') then
    alter table notes add constraint notes_confidence check (confidence between 0 and 1);
  end if;
end $$;
--> statement-breakpoint
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
--> statement-breakpoint
-- A search compares thousands of these values. Plain storage keeps them in the row and without the header of a
-- compressible value. With that header each comparison copies the value: seven terms against 1,000 texts took 11 ms
-- instead of 1.6 ms.
alter table search_documents
  alter column embedding set storage plain,
  alter column terms set storage plain;
--> statement-breakpoint
-- Leaves room on the page for the next version of a row, so that an update does not have to change the indexes.
alter table sessions set (fillfactor = 50);
--> statement-breakpoint
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
--> statement-breakpoint
-- It is deflated already, so trying to compress it again would only take time.
alter table observations alter column content set storage external;
--> statement-breakpoint
-- ── sql/consolidation/close_lessons.sql ──

-- The confidence below which a lesson is not offered, and the night closes it. (MIN_CONFIDENCE in src/learnings; a
-- test compares the two.)
create or replace function lesson_floor() returns real
language sql immutable parallel safe as $$ select 0.5::real $$;
--> statement-breakpoint
-- Returns lessons of the caller that a night closes, with the reason: those below the floor; those proposed whose error
-- nobody met for 60 days; and those that nobody was offered and nothing confirmed for 180 days, once
-- confidence × ½^(days / 90) is below 0.25. What a person has undone stays undone.
create or replace function lessons_to_close(at timestamptz, most int) returns table (id uuid, reason text)
language sql stable as $$
  select l.id,
    case
      when l.confidence < lesson_floor()
        then format('its confidence, %s, is below %s', round(l.confidence::numeric, 2), lesson_floor())
      when l.status = 'proposed' then 'proposed for 60 days, and its error did not come back'
      else format('unused for %s days, and its confidence was %s', floor(u.days), round(l.confidence::numeric, 2))
    end
  from learnings l
  cross join lateral (
    select extract(epoch from at - greatest(l.last_confirmed_at, (
      select max(o.offered_at) from offers o
      where o.user_id = l.user_id and o.source_id = l.id and not o.withheld
        and l.last_confirmed_at < at - interval '180 days')))::float8 / 86400 as days
  ) u
  where l.user_id = auth.uid() and l.valid_until is null
    and (l.confidence < lesson_floor()
      or l.status = 'proposed' and l.last_confirmed_at < at - interval '60 days'
        and not exists (
          select from incidents i
          where i.user_id = l.user_id and i.project_id = l.project_id and i.signature = l.signature
            and i.opened_at > at - interval '60 days')
      or l.last_confirmed_at < at - interval '180 days' and u.days > 180
        and l.confidence * power(0.5::float8, u.days / 90) < 0.25)
    and not exists (
      select from consolidation_items i
      where i.user_id = l.user_id and i.record_id = l.id and i.action = 'closed' and i.undone_at is not null)
  order by l.id
  limit most
$$;
--> statement-breakpoint
-- Keeps in the report of a run that it closed a record.
create or replace function report_closed(
  run consolidation_runs, of_kind text, of_table text, id uuid, reason text, before jsonb, after jsonb
) returns void
language sql as $$
  insert into consolidation_items (user_id, run_id, action, kind, record_id, reason, changes)
  values (auth.uid(), (run).id, 'closed', of_kind, id, reason, jsonb_build_array(
    jsonb_build_object('table', of_table, 'id', id, 'before', before, 'after', after)))
$$;
--> statement-breakpoint
-- Closes lessons until an instant of the clock. Returns whether none is left.
create or replace function close_lessons(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  ended record;
  before jsonb;
  after jsonb;
begin
  for ended in select * from lessons_to_close(run.started_at, 200)
  loop
    select jsonb_build_object('valid_until', l.valid_until, 'updated_at', l.updated_at) into before
    from learnings l where l.user_id = auth.uid() and l.id = ended.id
    for update;
    update learnings l
    set valid_until = greatest(run.started_at, l.valid_from), updated_at = run.started_at
    where l.user_id = auth.uid() and l.id = ended.id
    returning jsonb_build_object('valid_until', l.valid_until, 'updated_at', l.updated_at) into after;
    perform report_closed(run, 'learning', 'learnings', ended.id, ended.reason, before, after);
    if clock_timestamp() > until then
      return false;
    end if;
  end loop;
  return not exists (select from lessons_to_close(run.started_at, 1));
end $$;
--> statement-breakpoint
-- ── sql/consolidation/consolidation_step.sql ──

-- A night of one user is a run, and a run is a row that says how far it is. Each step does a little of the work of
-- its stage, in a transaction of its own. So a run that was killed goes on where it was, and nobody waits long.

-- Begins a run of the caller, or returns the one that is open.
--
--   keep_days   events and checks that are older are deleted; null or 0: none
create or replace function begin_consolidation(by text, keep_days int) returns uuid
language plpgsql as $$
declare
  run uuid;
begin
  insert into consolidation_runs (started_by, stage, keep_from)
  values (by, (consolidation_stages())[1],
    case when keep_days > 0 then now() - make_interval(days => keep_days) end)
  on conflict (user_id) where finished_at is null do nothing
  returning id into run;
  return coalesce(run, (
    select r.id from consolidation_runs r where r.user_id = auth.uid() and r.finished_at is null));
end $$;
--> statement-breakpoint
-- The stages of a run, in their order. A room that has work for the night adds its stage here and its call below.
create or replace function consolidation_stages() returns text[]
language sql immutable as $$
  select array['merge', 'lessons', 'notes', 'patterns', 'events', 'checks']
$$;
--> statement-breakpoint
-- Does some of the work of a stage, until an instant of the clock or little later. Returns whether the stage is done.
create or replace function consolidation_stage(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
begin
  case run.stage
    when 'merge' then return merge_lessons(run, until);
    when 'lessons' then return close_lessons(run, until);
    when 'notes' then return close_notes(run, until);
    when 'patterns' then return mine_at_night(run, until);
    when 'events' then return expire_events(run, until);
    when 'checks' then return expire_checks(run, until);
  end case;
end $$;
--> statement-breakpoint
-- Does one step of the caller's open run. Returns the stage that it is in afterwards: `done` when the run has ended,
-- null when no run is open or another transaction is doing a step.
create or replace function consolidation_step(budget_ms int) returns text
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  run consolidation_runs;
  stages constant text[] := consolidation_stages();
  next text;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('consolidation ' || me, 0)) then
    return null;
  end if;
  select * into run from consolidation_runs r where r.user_id = me and r.finished_at is null;
  if run.id is null then
    return null;
  end if;
  if not consolidation_stage(run, clock_timestamp() + make_interval(secs => budget_ms / 1000.0)) then
    return run.stage;
  end if;
  next := stages[array_position(stages, run.stage) + 1];
  update consolidation_runs r
  set stage = coalesce(next, 'done'), position = null, error = null,
    finished_at = case when next is null then clock_timestamp() end
  where r.user_id = me and r.id = run.id;
  return coalesce(next, 'done');
end $$;
--> statement-breakpoint
-- ── sql/consolidation/expire_raw.sql ──

-- Events and checks are append-only, so deleting old ones needs functions that look past the rights of the caller.
-- They touch only rows of auth.uid().

-- Deletes the caller's events from before an instant, session by session from `session` on, until an instant of the
-- clock. It keeps what an incident cites (the call that failed and the one that worked), the event with which an
-- episode begins, and all of a session that a lesson may still be learned from. Returns how many are gone, and the
-- session to go on with; null when all are done.
create or replace function lore.expire_events(
  before timestamptz, inout session uuid, until timestamptz, out gone bigint
)
language plpgsql security definer
set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  -- at once; the embedded engine answers nothing else meanwhile
  most constant int := 200;
  one uuid;
  n bigint;
begin
  gone := 0;
  for one in
    select s.id from public.sessions s
    where s.user_id = me and (session is null or s.id >= session)
    order by s.id
  loop
    session := one;
    if not exists (
      select from public.learning_requests r
      where r.user_id = me and r.session_id = one and r.status = 'pending')
    then
      loop
        delete from public.events x
        where x.id in (
          select e.id
          from public.events e
          where e.user_id = me and e.session_id = one and e.occurred_at < before
            and not exists (
              select from public.incidents i
              where i.user_id = me and i.session_id = one and i.tool_use_id = e.tool_use_id)
            and not exists (
              select from public.incidents i
              where i.user_id = me and i.resolution ->> 'toolUseId' = e.tool_use_id
                and coalesce(i.resolution ->> 'sessionId', i.session_id::text) = one::text)
            and not exists (
              select from public.episodes p
              where p.user_id = me and p.session_id = one and p.start_key = e.dedup_key)
          order by e.occurred_at
          limit most);
        get diagnostics n = row_count;
        gone := gone + n;
        if clock_timestamp() > until then
          return;
        end if;
        exit when n < most;
      end loop;
    end if;
  end loop;
  session := null;
end $$;
--> statement-breakpoint
grant execute on function lore.expire_events to lore_user;
--> statement-breakpoint
-- Deletes up to `most` of the caller's checks of commands from before an instant. Returns their number.
create or replace function lore.expire_checks(before timestamptz, most int) returns bigint
language sql security definer
set search_path = ''
as $$
  with gone as (
    delete from public.command_checks x
    where x.id in (
      select c.id from public.command_checks c
      where c.user_id = auth.uid() and c.checked_at < before
      order by c.checked_at limit most)
    returning 1
  )
  select count(*) from gone
$$;
--> statement-breakpoint
grant execute on function lore.expire_checks to lore_user;
--> statement-breakpoint
-- Adds to a count in the report of a run.
create or replace function count_in_run(run consolidation_runs, name text, n bigint) returns void
language sql as $$
  update consolidation_runs r
  set counts = r.counts || jsonb_build_object(name, coalesce((r.counts ->> name)::bigint, 0) + n)
  where r.user_id = auth.uid() and r.id = (run).id and n > 0
$$;
--> statement-breakpoint
-- Deletes raw events of a run's user that are older than it keeps. Returns whether none is left.
create or replace function expire_events(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  deleted record;
begin
  if run.keep_from is null then
    return true;
  end if;
  select * into deleted from lore.expire_events(run.keep_from, run.position, until);
  perform count_in_run(run, 'events', deleted.gone);
  update consolidation_runs r set position = deleted.session where r.user_id = auth.uid() and r.id = run.id;
  return deleted.session is null;
end $$;
--> statement-breakpoint
-- Deletes old checks of commands. Returns whether none is left.
create or replace function expire_checks(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  deleted bigint;
begin
  loop
    deleted := case when run.keep_from is null then 0 else lore.expire_checks(run.keep_from, 200) end;
    perform count_in_run(run, 'checks', deleted);
    if deleted = 0 then
      return true;
    elsif clock_timestamp() > until then
      return false;
    end if;
  end loop;
end $$;
--> statement-breakpoint
-- ── sql/consolidation/merge_lessons.sql ──

-- Returns a text without what says nothing: more than one blank, and the mark at its end.
create or replace function bare_words(words text) returns text
language sql immutable parallel safe as $$
  select rtrim(regexp_replace(btrim(words, E' \t\n\r'), '\s+', ' ', 'g'), '.!。 ')
$$;
--> statement-breakpoint
-- Returns the numbers in a text, without those of an error that it quotes: “5 retries” is not “7 retries”.
create or replace function numbers_in(words text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct m[1] order by m[1]), '{}')
  from regexp_matches(regexp_replace(words, '“[^”]*”', '', 'g'), '\d+', 'g') m
$$;
--> statement-breakpoint
-- Returns whether two lessons say the same: in the same words, or by the same key and with the same numbers. Nothing
-- else is decided without a person.
create or replace function says_same(a text, a_key text, b text, b_key text) returns boolean
language sql immutable parallel safe as $$
  select bare_words(a) = bare_words(b)
    or coalesce(a_key <> '' and a_key = b_key and numbers_in(a) = numbers_in(b), false)
$$;
--> statement-breakpoint
-- Returns the lessons of the caller that say what another one of their project says, each with the one that stays: a
-- person's, of these the newest; else one that is active; else the oldest. What a person has undone stays undone.
create or replace function lessons_to_merge(most int) returns table (id uuid, keep uuid, reason text)
language sql stable as $$
  with l as materialized (
    select l.*, bare_words(l.lesson) as words, numbers_in(l.lesson) as numbers,
      l.evaluated_by = 'person' and l.source_subagent is null as said
    from learnings l
    where l.user_id = auth.uid() and l.valid_until is null
      and not exists (
        select from consolidation_items i
        where i.user_id = l.user_id and i.record_id = l.id and i.action = 'merged' and i.undone_at is not null)
  ), ranked as (
    select l.*, row_number() over (order by said desc,
      case when said then l.created_at end desc, l.status, l.created_at, l.id) as rank
    from l
  ), twins as (
    select r.id, first_value(r.id) over (partition by r.project_id, r.words order by r.rank) as keep,
      'the same words' as reason
    from ranked r
    union all
    select r.id, first_value(r.id) over (partition by r.project_id, r.same_key, r.numbers order by r.rank),
      'it tells the same'
    from ranked r where r.same_key <> ''
  )
  select distinct on (t.id) t.id, t.keep, format('agrees with %s (%s)', t.keep, t.reason)
  from twins t where t.id <> t.keep
  order by t.id, t.reason
  limit most
$$;
--> statement-breakpoint
-- Returns what changed in a row, as an item of a night keeps it.
create or replace function row_change(of_table text, id uuid, before jsonb, after jsonb) returns jsonb
language sql immutable as $$
  select jsonb_build_object('table', of_table, 'id', id,
    'before', coalesce(jsonb_object_agg(key, before -> key), '{}'),
    'after', coalesce(jsonb_object_agg(key, value), '{}'))
  from jsonb_each(after)
  where value is distinct from before -> key
$$;
--> statement-breakpoint
-- Merges lessons until an instant of the clock. What stays takes over what the other counted. Returns whether none is
-- left.
create or replace function merge_lessons(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  twin record;
  kept learnings;
  dropped learnings;
  elsewhere boolean;
  after jsonb;
  changes jsonb;
begin
  for twin in select * from lessons_to_merge(200)
  loop
    select * into kept from learnings l where l.user_id = me and l.id = twin.keep and l.valid_until is null for update;
    continue when not found;
    select * into dropped from learnings l where l.user_id = me and l.id = twin.id and l.valid_until is null for update;
    continue when not found;
    elsewhere := kept.source_session_id is distinct from dropped.source_session_id;
    update learnings l
    set success_count = l.success_count + dropped.success_count + elsewhere::int,
      failure_count = l.failure_count + dropped.failure_count,
      usage_count = l.usage_count + dropped.usage_count,
      prior_confidence = greatest(l.prior_confidence, dropped.prior_confidence),
      confidence = learning_confidence(greatest(l.prior_confidence, dropped.prior_confidence),
        l.success_count + dropped.success_count + elsewhere::int, l.failure_count + dropped.failure_count),
      -- two sessions that found the same answer to an error confirm it
      status = case when dropped.status = 'active'
        or elsewhere and l.source_incident_id is not null and dropped.source_incident_id is not null
        then 'active' else l.status end,
      everywhere = l.everywhere or dropped.everywhere,
      signature = coalesce(l.signature, dropped.signature), target = coalesce(l.target, dropped.target),
      last_confirmed_at = greatest(l.last_confirmed_at, dropped.last_confirmed_at), updated_at = run.started_at
    where l.user_id = me and l.id = kept.id
    returning to_jsonb(l) into after;
    changes := jsonb_build_array(row_change('learnings', kept.id, to_jsonb(kept), after));
    update learnings l set valid_until = greatest(run.started_at, l.valid_from), updated_at = run.started_at
    where l.user_id = me and l.id = dropped.id
    returning to_jsonb(l) into after;
    changes := changes || row_change('learnings', dropped.id, to_jsonb(dropped), after);
    -- what was judged of the other is the history of this one from now on
    with moved as (
      update learning_requests r set learning_id = kept.id
      where r.user_id = me and r.learning_id = dropped.id
      returning r.id)
    select changes || coalesce(jsonb_agg(jsonb_build_object('table', 'learning_requests', 'id', m.id,
      'before', jsonb_build_object('learning_id', dropped.id),
       'after', jsonb_build_object('learning_id', kept.id))), '[]')
    into changes from moved m;
    insert into consolidation_items (run_id, action, kind, record_id, kept_id, reason, changes)
    values (run.id, 'merged', 'learning', dropped.id, kept.id, twin.reason, changes);
    if clock_timestamp() > until then
      return false;
    end if;
  end loop;
  return not exists (select from lessons_to_merge(1));
end $$;
--> statement-breakpoint
-- Deletes what the nights have stored about a record that is erased. Their changes to it can no longer be undone.
create or replace function forget_consolidation() returns trigger
language plpgsql as $$
begin
  delete from consolidation_items i where i.user_id = old.user_id and i.record_id = old.id;
  delete from consolidation_items i where i.user_id = old.user_id and i.kept_id = old.id;
  delete from note_finds f where f.user_id = old.user_id and f.note_id = old.id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger forget_consolidation
  after delete on learnings
  for each row execute function forget_consolidation();
--> statement-breakpoint
create or replace trigger forget_consolidation
  after delete on notes
  for each row execute function forget_consolidation();
--> statement-breakpoint
-- ── sql/consolidation/nightly.sql ──

-- Returns the users with an open run, and those for whom no run has begun since `night`, the last time when one was
-- due. An account that was made after that time is not late. Where pg_cron begins the runs, this server waits for a
-- day and two hours before it begins one itself.
create or replace function lore.users_to_consolidate(night timestamptz) returns table (id uuid, open boolean)
language plpgsql stable security definer
set search_path = ''
as $$
declare
  due constant timestamptz :=
    case when lore.cron_is_set() then least(night, now() - interval '26 hours') else night end;
begin
  return query
  select p.user_id, r.open
  from public.profiles p
  cross join lateral (
    select coalesce(bool_or(o.finished_at is null), false) as open,
      coalesce(bool_or(o.started_at >= due), false) as begun
    from (
      select c.finished_at, c.started_at from public.consolidation_runs c
      where c.user_id = p.user_id order by c.started_at desc limit 1
    ) o
  ) r
  where p.removed_at is null and (r.open or not r.begun and p.created_at < due);
end $$;
--> statement-breakpoint
-- Returns when a night last ended, of any user, and whether a user's has not for a day and two hours. For /health.
create or replace function lore.consolidation_state(out last_run timestamptz, out late boolean)
language sql stable security definer
set search_path = ''
as $$
  select max(r.last), coalesce(bool_or(p.created_at < now() - interval '26 hours'
    and (r.last is null or r.last < now() - interval '26 hours')), false)
  from public.profiles p
  left join lateral (
    select c.finished_at as last from public.consolidation_runs c
    where c.user_id = p.user_id and c.finished_at is not null
    order by c.finished_at desc limit 1
  ) r on true
  where p.removed_at is null
$$;
--> statement-breakpoint
-- Returns whether a text has waited for its vector for a day, although nothing was wrong with it. For /health: it
-- looks at a few of each user.
create or replace function lore.embedding_stands_still() returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (
    select from public.profiles p
    cross join lateral (
      select d.embed_after from public.search_documents d
      where d.user_id = p.user_id and d.embedding_model is null limit 20
    ) w
    where w.embed_after < now() - interval '1 day')
$$;
--> statement-breakpoint
-- Returns whether pg_cron is there and begins the nights of this database.
create or replace function lore.cron_is_set() returns boolean
language plpgsql stable as $$
declare
  found boolean := false;
begin
  if to_regclass('cron.job') is not null then
    execute format($q$select exists (select from %s j
      where j.jobname = 'lore-consolidation' and j.active and j.database = current_database())$q$,
      to_regclass('cron.job')) into found;
  end if;
  return found;
exception when insufficient_privilege then
  return false;
end $$;
--> statement-breakpoint
-- Lets the rest of the transaction run as a user, under row level security, as src/db/as-user.ts does.
create or replace function lore.act_as(account uuid) returns void
language sql as $$
  select set_config('request.jwt.claims', json_build_object('sub', account, 'role', 'authenticated')::text, true),
    set_config('role', 'lore_user', true)
$$;
--> statement-breakpoint
-- Begins the night of an account.
create or replace function lore.begin_night(account uuid) returns void
language plpgsql as $$
declare
  days constant int := (select i.retention_days from lore.instance i);
begin
  perform lore.act_as(account);
  perform public.begin_consolidation('cron', days);
end $$;
--> statement-breakpoint
-- Does a piece of an account's night. Returns whether there is more of it.
create or replace function lore.go_on_with_night(account uuid) returns boolean
language plpgsql as $$
declare
  stage text;
begin
  perform lore.act_as(account);
  stage := public.consolidation_step(500);
  return stage <> 'done';
end $$;
--> statement-breakpoint
-- Wakes the servers that are connected, and the function `nightly` where there are Edge Functions.
create or replace function lore.wake_after_nights() returns void
language plpgsql as $$
begin
  notify lore_consolidation;
  perform lore.wake_function('nightly');
end $$;
--> statement-breakpoint
-- Returns what pg_cron runs: the nights of all accounts, one after the other, with a commit after each piece. (It is no
-- procedure, because one that commits can have no search_path of its own.)
create or replace function lore.nights() returns text
language sql immutable as $$
  select 'do $nights$
declare
  account uuid;
  more boolean;
begin
  for account in select p.user_id from public.profiles p where p.removed_at is null order by p.user_id loop
    perform lore.begin_night(account);
    commit;
    loop
      more := lore.go_on_with_night(account);
      commit;
      exit when more is not true;
    end loop;
  end loop;
  perform lore.wake_after_nights();
end $nights$'
$$;
--> statement-breakpoint
-- Every night at three where pg_cron is there (in its own time zone, usually UTC). It lives in one database only.
-- Elsewhere the servers begin the nights.
do $$ begin
  if exists (select from pg_available_extensions e where e.name = 'pg_cron')
    and current_setting('cron.database_name', true) = current_database()
  then
    create extension if not exists pg_cron;
    execute $q$select cron.schedule('lore-consolidation', '0 3 * * *', lore.nights())$q$;
  end if;
exception when others then
  raise notice 'pg_cron is not used: %', sqlerrm;
end $$;
--> statement-breakpoint
-- ── sql/events/notify_guards.sql ──

-- Servers keep the guards of the projects that are worked on in memory. This tells them which project's they must read
-- again. Counting a hit does not notify, because it changes nothing that is judged.
create or replace function notify_guards() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_guards',
    coalesce(new.user_id, old.user_id) || ' ' || coalesce(new.project_id, old.project_id));
  if tg_op = 'UPDATE' and old.project_id <> new.project_id then
    perform pg_notify('lore_guards', old.user_id || ' ' || old.project_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger notify_guards
  after insert or delete or update of project_id, rule, state, passes
  on guards
  for each row execute function notify_guards();
--> statement-breakpoint
-- ── sql/events/notify_learnings.sql ──

-- Servers keep the lessons of the projects that are worked on in memory, with what these cite, and the decisions that
-- are told before a call. This tells them which project's they must read again. Counting an offer of a lesson does not
-- notify, because it changes nothing that is told.
create or replace function notify_learnings() returns trigger
language plpgsql as $$
begin
  -- what holds everywhere is in the memory of each project, and so is its guard
  if tg_table_name = 'learnings' then
    if new.everywhere is true or old.everywhere is true then
      perform pg_notify('lore_learnings', p.user_id || ' ' || p.id), pg_notify('lore_guards', p.user_id || ' ' || p.id)
      from projects p where p.user_id = coalesce(new.user_id, old.user_id);
      return null;
    end if;
  end if;
  perform pg_notify('lore_learnings',
    coalesce(new.user_id, old.user_id) || ' ' || coalesce(new.project_id, old.project_id));
  if tg_op = 'UPDATE' and old.project_id <> new.project_id then
    perform pg_notify('lore_learnings', old.user_id || ' ' || old.project_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger notify_learnings
  after insert or delete or update of project_id, everywhere, status, lesson, why, applies_to, target, confidence,
    success_count,
    failure_count, valid_until, last_confirmed_at
  on learnings
  for each row execute function notify_learnings();
--> statement-breakpoint
create or replace trigger notify_learnings
  after insert or delete or update of project_id, recorded_until, confirmed_at, session_id
  on decisions
  for each row execute function notify_learnings();
--> statement-breakpoint
create or replace trigger notify_learnings
  after update of hash, state
  on citations
  for each row
  when (new.kind = 'learning' and (new.hash is distinct from old.hash or new.state is distinct from old.state))
  execute function notify_learnings();
--> statement-breakpoint
-- ── sql/index/searchable_conversation.sql ──

-- The turns of sessions: what a person asked, and what the agent said at the end. They are less sure than records that
-- were kept on purpose. So if a turn and another record answer equally well, the other record comes first.
create or replace view searchable_conversation with (security_invoker = true) as
select
  t.user_id,
  t.project_id,
  'conversation' as kind,
  t.id as source_id,
  concat_ws(E'\n', t.prompt, t.said) as content,
  null::text as label,
  null::text as context,
  null::text as agent,
  null::text as channel,
  0.5::real as confidence,
  t.started_at as valid_from,
  null::timestamptz as valid_until,
  coalesce(t.ended_at, t.started_at) as confirmed_at,
  null::text[] as links,
  30::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'sessionId', t.session,
    'branch', t.branch,
    'prompt', t.prompt,
    'answer', t.said,
    'createdAt', to_char(t.started_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from turns t;
--> statement-breakpoint
create or replace trigger index_conversation
  after insert or delete or update of project_id, prompt, said
  on turns
  for each row execute function index_record('conversation');
--> statement-breakpoint
-- ── sql/index/searchable_decision.sql ──

create or replace view searchable_decision with (security_invoker = true) as
select
  d.user_id,
  d.project_id,
  'decision' as kind,
  d.id as source_id,
  concat('When ', d.condition, ': ', d.action) as content,
  null::text as label,
  null::text as context,
  d.agent,
  null::text as channel,
  d.confidence,
  d.valid_from,
  d.valid_until,
  d.confirmed_at,
  null::text[] as links,
  365::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object('condition', d.condition, 'action', d.action, 'learnedFrom', d.source)
    || statement_metadata(d.tier, null, d.evidence, d.agent, d.session_id, d.recorded_at, d.confirmations)) as metadata
from decisions d
where d.recorded_until is null;
--> statement-breakpoint
create or replace trigger index_decision
  after insert or delete or update of project_id, recorded_until, confirmed_at
  on decisions
  for each row execute function index_record('decision');
--> statement-breakpoint
-- ── sql/index/searchable_episode.sql ──

-- Returns the text by which an episode is found: its task, what the agent said of it, its error and files.
create or replace function episode_document(e episodes) returns text
language sql immutable as $$
  select concat_ws(E'\n',
    e.description,
    nullif(left(e.last_message, 400), ''),
    e.error,
    nullif(concat_ws(' ', variadic e.files_modified[1:8]), ''))
$$;
--> statement-breakpoint
create or replace view searchable_episode with (security_invoker = true) as
select
  e.user_id,
  e.project_id,
  'episode' as kind,
  e.id as source_id,
  episode_document(e) as content,
  null::text as label,
  null::text as context,
  null::text as agent,
  null::text as channel,
  case e.outcome when 'success' then 0.8 when 'error' then 0.7 else 0.6 end::real as confidence,
  e.started_at as valid_from,
  null::timestamptz as valid_until,
  coalesce(e.ended_at, e.started_at) as confirmed_at,
  array(select 'file:' || f from unnest(e.files_modified[1:50]) f) as links,
  60::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'type', e.type,
    'outcome', e.outcome,
    'filesModified', e.files_modified,
    'startedAt', to_char(e.started_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from episodes e;
--> statement-breakpoint
create or replace trigger index_episode
  after insert or delete or update of project_id, description, last_message, error, files_modified, outcome,
    started_at, ended_at
  on episodes
  for each row execute function index_record('episode');
--> statement-breakpoint
-- ── sql/index/searchable_error.sql ──

-- Returns what a failed call was: its command, else its tool and what it worked on.
create or replace function incident_call(i incidents) returns text
language sql immutable as $$
  select left(coalesce(i.input ->> 'command', concat_ws(' ', i.tool_name, i.target)), 300)
$$;
--> statement-breakpoint
-- Returns in words what solved an error, or what was tried in vain.
create or replace function incident_outcome(i incidents) returns text
language sql immutable as $$
  select case
    when i.status = 'resolved' then left(concat_ws('; ',
      'Solved',
      'by: ' || nullif(array_to_string(array(
        select c from jsonb_array_elements_text(i.resolution -> 'commands') c), '; '), ''),
      'edited: ' || nullif(array_to_string(array(
        select distinct e ->> 'file' from jsonb_array_elements(i.resolution -> 'edits') e), ', '), ''),
      'then: ' || (i.resolution ->> 'command')), 600)
    when i.tried is not null then left(concat_ws('; ',
      'Unsolved',
      'tried: ' || nullif(array_to_string(array(
        select c from jsonb_array_elements_text(i.tried -> 'steps') c), '; '), ''),
      'ended with: ' || (i.tried ->> 'end')), 600)
    else 'Unsolved'
  end
$$;
--> statement-breakpoint
-- The errors that can be found. Their lines are a part of their own (see index_records), so that one error is compared
-- with another, and not with what was done about it. Of those that are the same in one session the first can be found,
-- which is the one that is told of. What Lore denied is no error; it can be found once another call answered it.
create or replace view searchable_error with (security_invoker = true) as
select
  i.user_id,
  i.project_id,
  'error' as kind,
  i.id as source_id,
  concat(i.error, E'\n\f', incident_call(i), E'\n', incident_outcome(i)) as content,
  null::text as label,
  null::text as context,
  i.agent_id as agent,
  null::text as channel,
  case i.status when 'resolved' then 0.7 else 0.5 end::real as confidence,
  i.opened_at as valid_from,
  null::timestamptz as valid_until,
  coalesce(i.resolved_at, i.opened_at) as confirmed_at,
  (
    select array_agg(distinct 'file:' || (edited.file #>> '{}'))
    from jsonb_path_query(i.resolution, '$.edits[*].file') edited(file)
  ) || array['incident:' || i.id] as links,
  90::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'status', i.status,
    'sessionId', i.session_id,
    'tool', i.tool_name,
    'call', incident_call(i),
    'error', i.error,
    'errorType', i.error_type,
    'signature', i.signature,
    'outcome', incident_outcome(i),
    'createdAt', to_char(i.opened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'resolvedAt', to_char(i.resolved_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from incidents i
where (is_error(i) or i.status = 'resolved') and not exists (
  select from incidents e
  where e.session_id = i.session_id and e.signature = i.signature and (e.opened_at, e.id) < (i.opened_at, i.id));
--> statement-breakpoint
create or replace trigger index_error
  after insert or delete or update of project_id, status, resolution, tried
  on incidents
  for each row execute function index_record('error');
--> statement-breakpoint
-- ── sql/index/searchable_fact.sql ──

create or replace view searchable_fact with (security_invoker = true) as
select
  f.user_id,
  f.project_id,
  'fact' as kind,
  f.id as source_id,
  concat(f.type, ' ', f.key, ': ', f.value #>> '{}') as content,
  null::text as label,
  null::text as context,
  f.agent,
  null::text as channel,
  tier_confidence(f.tier) as confidence,
  f.valid_from,
  f.valid_until,
  f.confirmed_at,
  null::text[] as links,
  365::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object('type', f.type, 'key', f.key) || statement_metadata(f.tier, f.source, f.evidence,
    f.agent, f.session_id, f.recorded_at, f.confirmations)) || jsonb_build_object('value', f.value) as metadata
from facts f
where f.recorded_until is null;
--> statement-breakpoint
create or replace trigger index_fact
  after insert or delete or update of project_id, recorded_until, confirmed_at
  on facts
  for each row execute function index_record('fact');
--> statement-breakpoint
-- ── sql/index/searchable_finding.sql ──

-- The findings that can be found. A closed one is no longer valid, so a search leaves it out unless it is asked for.
create or replace view searchable_finding with (security_invoker = true) as
select
  f.user_id,
  f.project_id,
  'finding' as kind,
  f.id as source_id,
  concat_ws(E'\n', f.title, nullif(f.detail, ''), f.file, f.resolution) as content,
  null::text as label,
  null::text as context,
  f.agent,
  null::text as channel,
  case f.severity
    when 'critical' then 1
    when 'high' then 0.9
    when 'medium' then 0.8
    when 'low' then 0.7
    else 0.6
  end::real as confidence,
  f.created_at as valid_from,
  f.closed_at as valid_until,
  f.updated_at as confirmed_at,
  case when f.file is not null then array['file:' || f.file] end as links,
  90::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'title', f.title,
    'severity', f.severity,
    'status', f.status,
    'resolution', f.resolution,
    'file', f.file,
    'line', f.line,
    'agent', f.agent,
    'createdAt', to_char(f.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from findings f;
--> statement-breakpoint
create or replace trigger index_finding
  after insert or delete or update of project_id, title, detail, severity, status, resolution, file, agent, closed_at
  on findings
  for each row execute function index_record('finding');
--> statement-breakpoint
-- ── sql/index/searchable_learning.sql ──

-- Returns the text by which a lesson is found.
create or replace function learning_document(l learnings) returns text
language sql immutable as $$
  select concat_ws(E'\n', l.lesson, l.context, l.why, nullif(array_to_string(l.keywords, ' '), ''),
    nullif(array_to_string(l.applies_to, ' '), ''))
$$;
--> statement-breakpoint
-- The lessons that can be found. One that is only proposed cannot.
create or replace view searchable_learning with (security_invoker = true) as
select
  l.user_id,
  l.project_id,
  'learning' as kind,
  l.id as source_id,
  learning_document(l) as content,
  null::text as label,
  null::text as context,
  l.source_subagent as agent,
  null::text as channel,
  l.confidence,
  l.valid_from,
  l.valid_until,
  l.last_confirmed_at as confirmed_at,
  -- The links are the incident that the lesson came from and the files that were edited to resolve it.
  (
    select array_agg(distinct 'file:' || (edited.file #>> '{}'))
    from incidents i, jsonb_path_query(i.resolution, '$.edits[*].file') edited(file)
    where i.user_id = l.user_id and i.id = l.source_incident_id
  ) || case when l.source_incident_id is not null then array['incident:' || l.source_incident_id] end as links,
  90::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'status', l.status,
    'context', l.context,
    'why', l.why,
    'keywords', l.keywords,
    'appliesTo', l.applies_to,
    'errorType', l.error_type,
    'evaluatedBy', l.evaluated_by,
    'sourceSessionId', l.source_session_id,
    'sourceSubagent', l.source_subagent,
    'sourceIncidentId', l.source_incident_id,
    'sourceError', l.source_error,
    'supersedes', l.supersedes,
    'createdAt', to_char(l.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from learnings l
where l.status = 'active';
--> statement-breakpoint
-- The counters are not in this list, because they change with each session that is given the lesson.
create or replace trigger index_learning
  after insert or delete or update of project_id, status, lesson, context, why, keywords, applies_to,
    source_subagent, source_incident_id, confidence, valid_from, valid_until, last_confirmed_at
  on learnings
  for each row execute function index_record('learning');
--> statement-breakpoint
-- ── sql/index/searchable_note.sql ──

-- Returns who speaks in a note: the sender, else the speaker or author in the metadata. Null when neither is known.
create or replace function note_label(n notes) returns text
language sql immutable as $$
  select coalesce(n.sender, n.metadata ->> 'speaker', n.metadata ->> 'author')
$$;
--> statement-breakpoint
-- Returns who speaks: as above, else the name at the start of a chat line, which may follow a time in brackets.
create or replace function note_speaker(n notes) returns text
language sql immutable as $$
  select coalesce(note_label(n), substring(n.content from '^(?:[[(][^])]{1,60}[])] ?)?([A-Z][A-Za-z .''-]{0,30}): '))
$$;
--> statement-breakpoint
-- Returns what was said before a note in its conversation: up to two notes of the hour before it. Notes form a
-- conversation when the client says so, or when different speakers take turns in short texts. Null otherwise.
create or replace function note_context(n notes) returns text
language plpgsql stable as $$
begin
  if length(n.content) > 600 then
    return null;
  end if;
  return (
    with before as (
      -- one of the two is empty: a note with a project, and one without
      (
        select p as note, p.created_at, p.seq
        from notes p
        where p.user_id = n.user_id
          and p.project_id = n.project_id
          and (p.created_at, p.seq) < (n.created_at, n.seq)
          and p.created_at >= n.created_at - interval '1 hour'
          and p.conversation is not distinct from n.conversation
        order by p.created_at desc, p.seq desc
        limit 2
      )
      union all
      (
        select p as note, p.created_at, p.seq
        from notes p
        where n.project_id is null
          and p.user_id = n.user_id
          and p.project_id is null
          and (p.created_at, p.seq) < (n.created_at, n.seq)
          and p.created_at >= n.created_at - interval '1 hour'
          and p.conversation is not distinct from n.conversation
        order by p.created_at desc, p.seq desc
        limit 2
      )
    )
    select string_agg(
      concat_ws(': ', note_label(b.note), left((b.note).content, 600)), E'\n' order by b.created_at, b.seq)
    from before b
    where n.conversation is not null
      or exists (select from before o where note_speaker(o.note) <> note_speaker(n)));
end $$;
--> statement-breakpoint
-- Returns what a note's breadcrumbs name (commits, issues, pull requests, files) as links, such as file:src/a.ts.
create or replace function note_links(metadata jsonb) returns text[]
language sql immutable as $$
  select array_agg(distinct
    case when b.key in ('commits', 'issues', 'pull_requests') then rtrim(b.key, 's') else 'file' end || ':' || e.value)
  from jsonb_each(case when jsonb_typeof(metadata -> 'breadcrumbs') = 'object' then metadata -> 'breadcrumbs' end) b,
    jsonb_array_elements_text(case when jsonb_typeof(b.value) = 'array' then b.value end) e
  where b.key not in ('logs', 'external_refs')
$$;
--> statement-breakpoint
create or replace view searchable_note with (security_invoker = true) as
select
  n.user_id,
  n.project_id,
  'note' as kind,
  n.id as source_id,
  n.content,
  note_label(n) as label,
  note_context(n) as context,
  n.sender as agent,
  n.channel,
  n.confidence,
  n.created_at as valid_from,
  n.valid_until,
  n.created_at as confirmed_at,
  note_links(n.metadata) as links,
  60::real as half_life_days,
  -- What its writer put into the metadata, and over it the fields of the note.
  n.metadata || jsonb_strip_nulls(jsonb_build_object(
    'sender', n.sender,
    'senderProject', n.sender_project,
    'channel', n.channel,
    'messageType', n.message_type,
    'conversation', n.conversation,
    'mentions', n.mentions,
    'supersedes', n.supersedes,
    'createdAt', to_char(n.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from notes n;
--> statement-breakpoint
create or replace trigger index_note
  after insert or delete or update of project_id, sender, content, confidence, metadata, message_type, channel,
    valid_until
  on notes
  for each row execute function index_record('note');
--> statement-breakpoint
-- ── sql/index/searchable_pattern.sql ──

-- The patterns that can be found: by their name, what leads to them, their steps and files.
create or replace view searchable_pattern with (security_invoker = true) as
select
  p.user_id,
  p.project_id,
  'pattern' as kind,
  p.id as source_id,
  concat_ws(E'\n', p.name, nullif(array_to_string(p.triggers, ', '), ''),
    (select string_agg(translate(s.step, ':', ' '), ', ' order by s.n)
     from jsonb_array_elements_text(p.template -> 'steps') with ordinality s(step, n)),
    (select string_agg(f.file, ', ' order by f.n)
     from jsonb_array_elements_text(p.template -> 'commonFiles') with ordinality f(file, n))) as content,
  null::text as label,
  null::text as context,
  null::text as agent,
  null::text as channel,
  -- the rule of succession
  ((p.successes + 1.0) / (p.successes + p.failures + 2.0))::real as confidence,
  p.valid_from,
  p.valid_until,
  p.last_used as confirmed_at,
  null::text[] as links,
  180::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'name', p.name,
    'type', p.type,
    'triggers', p.triggers,
    'steps', p.template -> 'steps',
    'commonFiles', p.template -> 'commonFiles',
    'episodes', p.episodes,
    'sessions', p.sessions,
    'successes', p.successes,
    'failures', p.failures)) as metadata
from patterns p
where p.status = 'active';
--> statement-breakpoint
-- The counters are not in this list, because they change with each session.
create or replace trigger index_pattern
  after insert or delete or update of project_id, name, triggers, template, status, last_used,
    valid_from, valid_until
  on patterns
  for each row execute function index_record('pattern');
--> statement-breakpoint
-- ── sql/index/searchable_relation.sql ──

create or replace view searchable_relation with (security_invoker = true) as
select
  r.user_id,
  r.project_id,
  'relation' as kind,
  r.id as source_id,
  concat_ws(' ', r.from_type, r.from_key, r.relation, r.to_type, r.to_key)
    || case when r.attributes = '{}' then '' else ': ' || r.attributes::text end as content,
  null::text as label,
  null::text as context,
  r.agent,
  null::text as channel,
  tier_confidence(r.tier) as confidence,
  r.valid_from,
  r.valid_until,
  r.confirmed_at,
  null::text[] as links,
  365::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'from', jsonb_build_object('type', r.from_type, 'key', r.from_key),
    'relation', r.relation,
    'to', jsonb_build_object('type', r.to_type, 'key', r.to_key)) || statement_metadata(r.tier, r.source, r.evidence,
    r.agent, r.session_id, r.recorded_at, r.confirmations))
    || jsonb_build_object('attributes', r.attributes) as metadata
from relations r
where r.recorded_until is null;
--> statement-breakpoint
create or replace trigger index_relation
  after insert or delete or update of project_id, recorded_until, confirmed_at
  on relations
  for each row execute function index_record('relation');
--> statement-breakpoint
-- ── sql/index/searchable_skill.sql ──

-- Returns the text by which a skill is found: its name and what it is for. Not its whole text: a step
-- that happens to mention a word does not make it the skill for it.
create or replace function skill_document(s skills) returns text
language sql immutable as $$
  select concat_ws(E'\n', translate(s.name, '-_.', '   '), s.description)
$$;
--> statement-breakpoint
create or replace view searchable_skill with (security_invoker = true) as
select
  s.user_id,
  s.project_id,
  'skill' as kind,
  s.id as source_id,
  skill_document(s) as content,
  null::text as label,
  null::text as context,
  null::text as agent,
  null::text as channel,
  1::real as confidence,
  s.valid_from,
  s.valid_until,
  s.valid_from as confirmed_at,
  null::text[] as links,
  -- a skill does not fade: it is as good as on its first day until somebody changes it
  36500::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'name', s.name,
    'description', s.description)) as metadata
from skills s;
--> statement-breakpoint
create or replace trigger index_skill
  after insert or delete or update of project_id, name, description, valid_from, valid_until
  on skills
  for each row execute function index_record('skill');
--> statement-breakpoint
-- ── sql/metrics/measure_session.sql ──

-- Counts how one of the caller's sessions went, from its events, and keeps it. When the session goes on and ends
-- again, it is counted anew. Returns its different errors and its tool calls.
--
-- The agent is at work from a prompt on until the turn ends. Waiting for the person does not count. A pause of more
-- than ten minutes counts as ten, because then the machine was asleep, or a question waited.
create or replace function measure_session(in_session uuid, out errors int, out calls int)
language sql as $$
  with e as (
    select e.event, e.tool_name, e.occurred_at as at,
      e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload) as prompt,
      e.event in ('PostToolUse', 'PostToolUseFailure') as call,
      lag(e.occurred_at) over (order by e.occurred_at, e.id) as before
    from events e
    where e.session_id = in_session
  ), c as (
    select min(at) as started, count(*) filter (where prompt) as prompts, count(*) filter (where call) as calls,
      count(*) filter (where call and tool_name = 'Bash') as commands,
      sum(least(extract(epoch from at - before), 600)) filter (
        where not prompt and event not in ('SessionStart', 'SessionEnd')) as working
    from e
  ), i as (
    select i.signature, bool_or(exists (
        select from incidents o
        where o.user_id = i.user_id and o.project_id = i.project_id and o.signature = i.signature
          and o.session_id <> i.session_id and o.opened_at < i.opened_at)) as repeated
    from incidents i
    where i.session_id = in_session and is_error(i)
    group by i.signature
  ), kept as (
    insert into session_measures as m (session_id, started_at, prompts, calls, commands, errors, repeated_errors,
      working_ms)
    select in_session, c.started, c.prompts, c.calls, c.commands, (select count(*) from i),
      (select count(*) from i where i.repeated), c.working * 1000
    from c
    where c.started is not null
    on conflict (user_id, session_id) do update set started_at = excluded.started_at, prompts = excluded.prompts,
      calls = excluded.calls, commands = excluded.commands, errors = excluded.errors,
      repeated_errors = excluded.repeated_errors, working_ms = excluded.working_ms, measured_at = now()
    returning m.errors, m.calls
  )
  select coalesce(max(k.errors), 0), coalesce(max(k.calls), 0) from kept k
$$;
--> statement-breakpoint
-- ── sql/metrics/metric_counts.sql ──

-- Returns how the caller's sessions went that began since an instant and made a call: those that were told what Lore
-- knows (`memory`), those from which chance withheld it (`withheld`), and all of this period and of the one before it.
-- Medians are of shell commands, seconds at work, and tokens.
create or replace function session_metrics(since timestamptz)
returns table (side text, sessions int, repeating int, medians jsonb)
language sql stable as $$
  select sides.side, count(*)::int, (count(*) filter (where m.repeated_errors > 0))::int,
    jsonb_build_object(
      'commands', percentile_cont(0.5) within group (order by m.commands),
      'seconds', percentile_cont(0.5) within group (order by m.working_ms) / 1000,
      'tokens', percentile_cont(0.5) within group (order by s.tokens))
  from session_measures m
  join sessions s on s.user_id = m.user_id and s.id = m.session_id
  cross join lateral (
    select s.arm where m.started_at >= since and s.arm is not null
    union all
    select case when m.started_at >= since then 'now' else 'before' end
  ) sides (side)
  where m.user_id = auth.uid() and m.started_at >= since - (now() - since) and m.calls > 0
  group by sides.side
$$;
--> statement-breakpoint
-- Returns the shares by which Lore is judged, as counts since an instant: of the sessions with a prompt and five calls
-- or more, those that have an episode; of the records that were told, each once a session, and have an outcome, those
-- that were followed; the same of those told at a failure or with the result of a call that failed; of the sessions
-- that were told any, those that followed none.
create or replace function measure_counts(since timestamptz)
returns table (name text, part int, whole int)
language sql stable as $$
  with m as (
    select m.*, exists (
        select from episodes e where e.user_id = m.user_id and e.session_id = m.session_id) as captured
    from session_measures m
    where m.user_id = auth.uid() and m.started_at >= since
  ), o as (
    select o.session_id, bool_or(o.outcome <> 'unused') as followed,
      bool_or(o.event in ('PostToolUse', 'PostToolUseFailure') or o.event = 'PreToolUse' and exists (
        select from incidents i
        where i.session_id = o.session_id and 'PreToolUse:' || i.tool_use_id = o.dedup_key)) as recovery
    from offers o
    where o.user_id = auth.uid() and o.offered_at >= since and o.outcome is not null and not o.withheld
    group by o.session_id, o.source_id
  ), s as (
    select bool_or(o.followed) as followed from o group by o.session_id
  )
  select 'capture', (count(*) filter (where m.captured))::int, count(*)::int
  from m where m.prompts >= 1 and m.calls >= 5
  union all
  select 'suggestionsAccepted', (count(*) filter (where o.followed))::int, count(*)::int from o
  union all
  select 'recoveriesUsed', (count(*) filter (where o.followed))::int, count(*)::int from o where o.recovery
  union all
  select 'contextSkipped', (count(*) filter (where not s.followed))::int, count(*)::int from s
$$;
--> statement-breakpoint
-- What the caller's agents were told since an instant, by kind: how often, in how many sessions, in how many tokens,
-- and what came of it (without an outcome: nothing to count yet, or nobody knows); and what was withheld. The row
-- without a kind is of all, with the median of a session's tokens.
create or replace function told_counts(since timestamptz)
returns table (
  kind text, told int, sessions int, tokens int, helped int, failed int, unused int, withheld int, median float8
)
language sql stable as $$
  with o as (
    select * from offers where user_id = auth.uid() and offered_at >= since
  )
  select o.kind, (count(*) filter (where not o.withheld))::int,
    (count(distinct o.session_id) filter (where not o.withheld))::int,
    coalesce(sum(o.tokens) filter (where not o.withheld), 0)::int, (count(*) filter (where o.outcome = 'helped'))::int,
    (count(*) filter (where o.outcome = 'failed'))::int, (count(*) filter (where o.outcome = 'unused'))::int,
    (count(*) filter (where o.withheld))::int,
    case when o.kind is null then (
      select percentile_cont(0.5) within group (order by t.tokens)
      from (select sum(tokens) as tokens from o where not withheld group by session_id) t) end
  from o
  group by grouping sets ((o.kind), ())
  order by o.kind nulls first
$$;
--> statement-breakpoint
-- ── sql/patterns/mine_patterns.sql ──

-- Returns the commands that an error was solved with, one a line (`run …`). None where files were edited as well,
-- because then nobody knows which of both solved it, or where there were many.
create or replace function solving_steps(resolution jsonb) returns text[]
language sql immutable as $$
  select case
    when coalesce(jsonb_array_length(resolution -> 'edits'), 0) > 0 or count(*) > 3 then '{}'
    else coalesce(array_agg('run ' || c.command order by c.n), '{}')
  end
  from (
    select d.command, min(d.n) as n
    from (
      select command, n from jsonb_array_elements_text(resolution -> 'commands') with ordinality c(command, n)
      union all
      -- the same command that works now is no fix
      select resolution ->> 'command', 2000
      where resolution ->> 'kind' <> 'same' and resolution ->> 'command' is not null
    ) d
    group by d.command
  ) c
$$;
--> statement-breakpoint
-- Returns the first five steps of an episode: the tool, and what a command was for. A step that is done
-- several times in a row counts as one. Null where there are fewer.
create or replace function first_steps(steps jsonb) returns text[]
language sql immutable as $$
  select case when count(*) = 5 then array_agg(f.step order by f.n) end
  from (
    select d.step, d.n
    from (
      select concat_ws(':', s.step ->> 'tool', s.step ->> 'targetKind') as step, s.n,
        lag(concat_ws(':', s.step ->> 'tool', s.step ->> 'targetKind')) over (order by s.n) as before
      from jsonb_array_elements(steps) with ordinality s(step, n)
      where s.n <= 40
    ) d
    where d.step is distinct from d.before
    order by d.n
    limit 5
  ) f
$$;
--> statement-breakpoint
-- Counts which commands solved which of a project's newest 1,000 errors: the same ones in two sessions or more. Each
-- session in which one of them was tried in vain at the same error counts against them. Of several those that solved
-- it most are kept.
create or replace function count_recoveries(in_project uuid) returns table (
  form text, name text, triggers text[], template jsonb, signature text, episodes int, sessions int, successes int,
  failures int, evidence uuid[], last_used timestamptz
)
language sql stable as $$
  with met as (
    select i.id, i.session_id, i.signature, coalesce(i.error_type, split_part(i.error, E'\n', 1)) as called, i.error,
      i.resolved_at, i.resolution, i.tried, i.status,
      -- an error may be solved in a later session
      coalesce(i.resolution ->> 'sessionId', i.session_id::text) as solved_in
    from incidents i
    where i.user_id = auth.uid() and i.project_id = in_project
    order by i.opened_at desc
    limit 1000
  ), fixes as (
    select m.signature, s.steps, count(distinct m.solved_in)::int as sessions, max(m.resolved_at) as last_used,
      (array_agg(distinct m.session_id))[1:50] as evidence,
      (array_agg(m.error order by m.resolved_at desc, m.id))[1] as error,
      (array_agg(m.called order by m.resolved_at desc, m.id))[1] as called
    from met m
    cross join lateral (select solving_steps(m.resolution) as steps) s
    where m.status = 'resolved' and jsonb_typeof(m.resolution) = 'object' and s.steps <> '{}'
    group by m.signature, s.steps
    having count(distinct m.solved_in) >= 2
  ), tries as (
    select m.signature, 'run ' || a.command as step, count(distinct m.session_id)::int as n
    from met m
    cross join lateral jsonb_array_elements_text(
      coalesce(m.resolution -> 'attempts', '[]') || coalesce(m.tried -> 'steps', '[]')) a(command)
    where m.signature in (select f.signature from fixes f)
    group by m.signature, a.command
  ), judged as (
    select f.signature, f.steps, coalesce(max(t.n), 0) as vain
    from fixes f
    left join tries t on t.signature = f.signature and t.step = any (f.steps)
    group by f.signature, f.steps
  )
  select distinct on (j.signature) j.signature || ' ' || md5(array_to_string(j.steps, E'\n')),
    left('after ' || f.called, 120), array[left(f.error, 500)],
    jsonb_build_object('steps', j.steps, 'commonFiles', '[]'::jsonb),
    j.signature, f.sessions + j.vain, f.sessions, f.sessions, j.vain, f.evidence, f.last_used
  from judged j
  join fixes f using (signature, steps)
  order by j.signature, f.sessions - j.vain desc, j.steps
$$;
--> statement-breakpoint
-- Counts the first steps that tasks of one type had in common, among the project's newest 1,000: those of three tasks
-- in two sessions or more, at most 20. Files are those that half of these tasks changed.
create or replace function count_first_steps(in_project uuid) returns table (
  form text, name text, triggers text[], template jsonb, signature text, episodes int, sessions int, successes int,
  failures int, evidence uuid[], last_used timestamptz
)
language sql stable as $$
  with newest as (
    select e.session_id, e.type, first_steps(e.steps) as steps, e.files_modified as files, e.outcome, e.started_at
    from episodes e
    where e.user_id = auth.uid() and e.project_id = in_project
    order by e.started_at desc, e.id desc
    limit 1000
  ), alike as (
    select n.type, n.steps, count(*)::int as episodes, count(distinct n.session_id)::int as sessions,
      (count(*) filter (where n.outcome = 'success'))::int as successes,
      (count(*) filter (where n.outcome = 'error'))::int as failures,
      coalesce((array_agg(distinct n.session_id) filter (where n.session_id is not null))[1:50], '{}') as evidence,
      max(n.started_at) as last_used
    from newest n
    where n.steps is not null
    group by n.type, n.steps
    having count(*) >= 3 and count(distinct n.session_id) >= 2
    order by count(*) desc, n.type, n.steps
    limit 20
  )
  select a.type || ' ' || array_to_string(a.steps, ' '),
    left(format('%s: %s', a.type, translate(array_to_string(a.steps, ' → '), ':_', '  ')), 120), array[a.type::text],
    jsonb_build_object('steps', a.steps, 'commonFiles', array(
        select f.file from newest n, unnest(n.files) f(file)
        where n.type = a.type and n.steps = a.steps
        group by f.file having count(*) * 2 >= a.episodes
        order by count(*) desc, f.file limit 10)),
    null::text, a.episodes, a.sessions, a.successes, a.failures, a.evidence, a.last_used
  from alike a
$$;
--> statement-breakpoint
-- Counts the patterns of a project anew. One that is there keeps its id, and is left alone where a person rejected it.
-- What is not found any more is closed. Counting again changes nothing.
create or replace function mine_patterns(in_project uuid) returns void
language plpgsql as $$
declare
  seen uuid[];
begin
  with found as (
    select 'error_recovery' as type, r.* from count_recoveries(in_project) r
    union all
    select 'tool_sequence', s.* from count_first_steps(in_project) s
  ), stored as (
    insert into patterns as p (user_id, id, project_id, type, form, name, triggers, template, signature, episodes,
      sessions, successes, failures, evidence, last_used, valid_from)
    select auth.uid(), md5(concat_ws(' ', auth.uid(), in_project, f.type, f.form))::uuid, in_project, f.type, f.form,
      f.name, f.triggers, f.template, f.signature, f.episodes, f.sessions, f.successes, f.failures, f.evidence,
      f.last_used, f.last_used
    from found f
    on conflict (user_id, project_id, type, form) do update set
      name = excluded.name, triggers = excluded.triggers, template = excluded.template, episodes = excluded.episodes,
      sessions = excluded.sessions, successes = excluded.successes, failures = excluded.failures,
      evidence = excluded.evidence, last_used = excluded.last_used, valid_until = null, updated_at = now()
    where p.status = 'active' and
      (p.name, p.template, p.episodes, p.sessions, p.successes, p.failures, p.evidence, p.last_used, p.valid_until)
        is distinct from (excluded.name, excluded.template, excluded.episodes, excluded.sessions, excluded.successes,
          excluded.failures, excluded.evidence, excluded.last_used, null)
  )
  select coalesce(array_agg(md5(concat_ws(' ', auth.uid(), in_project, f.type, f.form))::uuid), '{}')
  into seen from found f;
  update patterns p set valid_until = greatest(now(), p.valid_from), updated_at = now()
  where p.user_id = auth.uid() and p.project_id = in_project and p.valid_until is null
    and not p.id = any (seen);
end $$;
--> statement-breakpoint
-- Settles what sessions that have ended were told of patterns: it helped if its commands were run afterwards and its
-- error was solved, failed if they were run and it was not, and was left unused otherwise.
create or replace function settle_patterns() returns void
language sql as $$
  update offers o
  set settled_at = now(), outcome = case
    when not exists (
      select from events e
      where e.session_id = o.session_id and e.occurred_at >= o.offered_at and e.event like 'PostToolUse%'
        and 'run ' || (e.payload #>> '{tool_input,command}') in (
          select jsonb_array_elements_text(p.template -> 'steps'))) then 'unused'
    when exists (
      select from incidents i
      where i.session_id = o.session_id and i.signature = p.signature and i.status = 'resolved'
        and i.resolved_at >= o.offered_at) then 'helped'
    else 'failed'
  end
  from patterns p, sessions s
  where o.user_id = auth.uid() and o.kind = 'pattern' and o.outcome is null and not o.withheld
    and p.user_id = o.user_id and p.id = o.source_id
    and s.user_id = o.user_id and s.id = o.session_id and s.status <> 'active'
$$;
--> statement-breakpoint
-- Counts the patterns of the caller's projects, one after the other, until an instant of the clock. Returns whether all
-- are counted.
create or replace function mine_at_night(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  project uuid;
begin
  if run.position is null then
    perform settle_patterns();
  end if;
  for project in
    select p.id from projects p
    where p.user_id = auth.uid() and (run.position is null or p.id > run.position)
    order by p.id
  loop
    perform mine_patterns(project);
    if clock_timestamp() > until then
      update consolidation_runs r set position = project where r.user_id = auth.uid() and r.id = run.id;
      return false;
    end if;
  end loop;
  return true;
end $$;
--> statement-breakpoint
-- ── sql/plans/change_step.sql ──

-- What agents do with the steps of a plan. Each function locks the plan first, so changes of one plan come one after
-- the other, and two agents never hold one step. Each returns null if it was done, else why not:
--
--   missing    there is no such plan or step
--   held       another agent holds the step
--   free       nobody holds it
--   waits      a step before it is not completed
--   proposed   it was not accepted yet
--   closed     it is completed, failed or stopped, or its plan is

-- Returns whether a step is held by somebody whose lease has not ended. It is volatile like its clock: only then does
-- PostgreSQL write its text into the statement that calls it, which saves a tenth of a millisecond a call.
create or replace function is_step_held(s plan_steps) returns boolean
language sql volatile as $$
  select s.status = 'in_progress' and coalesce(s.lease_until > clock_timestamp(), true)
$$;
--> statement-breakpoint
-- Returns whether a step before this one is not completed. Its numbers are looked up one by one: `= any` is answered by
-- reading all steps of the user while the table has no statistics yet.
create or replace function does_step_wait(s plan_steps) returns boolean
language plpgsql stable as $$
declare
  before integer;
begin
  foreach before in array s.dependencies loop
    if exists (select from plan_steps d
        where d.plan_id = s.plan_id and d.number = before and d.status <> 'completed') then
      return true;
    end if;
  end loop;
  return false;
end $$;
--> statement-breakpoint
-- Locks a plan and returns it. Whoever waits for an advisory lock then finds the row as it is; whoever waits for the
-- row itself reads it twice.
create or replace function lock_plan(of_plan uuid) returns plans
language plpgsql as $$
declare
  p plans;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_plan::text, 0));
  select * into p from plans where id = of_plan for no key update;
  return p;
end $$;
--> statement-breakpoint
-- Locks a plan. Returns why nothing can be done with it; null if something can.
create or replace function hold_plan(of_plan uuid) returns text
language plpgsql as $$
begin
  return case when (lock_plan(of_plan)).id is null then 'missing' end;
end $$;
--> statement-breakpoint
create or replace function claim_step(
  of_plan uuid, step integer, by_holder text, shown text, lease_seconds integer, in_session uuid default null,
  with_call text default null
) returns text
language plpgsql as $$
declare
  fault text;
  p plans;
  s plan_steps;
begin
  -- If another agent already holds the step, say so at once, without waiting for locks.
  if exists (select from plan_steps h where h.plan_id = of_plan and h.number = step
      and is_step_held(h) and h.holder is distinct from by_holder) then
    return 'held';
  end if;
  -- If another agent is claiming this step right now, say so too, instead of waiting for its transaction to end.
  if not pg_try_advisory_xact_lock(hashtextextended(of_plan || ' ' || step, 0)) then
    return 'held';
  end if;
  p := lock_plan(of_plan);
  select * into s from plan_steps where plan_id = of_plan and number = step;
  fault := case
    when p.id is null or s.id is null then 'missing'
    when s.proposed then 'proposed'
    when s.status not in ('pending', 'in_progress') or p.status not in ('planning', 'in_progress') then 'closed'
    when is_step_held(s) and s.holder is distinct from by_holder then 'held'
    when cardinality(s.dependencies) > 0 and does_step_wait(s) then 'waits'
  end;
  if fault is not null then
    return fault;
  end if;
  if is_step_held(s) then
    -- the same agent claims again, as when its first answer was lost
    update plan_steps set lease_until = clock_timestamp() + make_interval(secs => lease_seconds) where id = s.id;
    return null;
  end if;
  update plan_steps set
    status = 'in_progress', assigned_to = shown, holder = by_holder, session_id = in_session, tool_use_id = with_call,
    agent_id = null, lease_until = clock_timestamp() + make_interval(secs => lease_seconds), attempts = attempts + 1,
    waiting_for = null, changed_by = shown, started_at = clock_timestamp(), ended_at = null
  where id = s.id;
  if p.status = 'planning' then
    update plans set status = 'in_progress', changed_by = shown where id = of_plan;
  end if;
  return null;
end $$;
--> statement-breakpoint
-- Completes a step, fails it, has it stopped, or gives it back (to_status pending). Who holds it may be told; then
-- nobody else's step is changed. With its last step a plan is completed. A failed or stopped step that is given back
-- can be tried again.
create or replace function end_step(
  of_plan uuid, step integer, to_status text, by_holder text, shown text, what_came text default null,
  said jsonb default null
) returns text
language plpgsql as $$
declare
  fault text := hold_plan(of_plan);
  s plan_steps;
begin
  if fault is not null then
    return fault;
  end if;
  select * into s from plan_steps where plan_id = of_plan and number = step;
  fault := case
    when s.id is null then 'missing'
    when s.proposed then 'proposed'
    when s.status = 'completed' then 'closed'
    when s.status in ('failed', 'stopped') and to_status <> 'pending' then 'closed'
    when by_holder is not null and is_step_held(s) and s.holder is distinct from by_holder then 'held'
    when to_status = 'completed' and does_step_wait(s) then 'waits'
    when to_status = 'pending' and s.status = 'pending' then 'free'
  end;
  if fault is not null then
    return fault;
  end if;
  update plan_steps set
    status = to_status, lease_until = null, waiting_for = null, changed_by = shown,
    holder = case when to_status <> 'pending' then holder end,
    assigned_to = case when to_status <> 'pending' then coalesce(assigned_to, shown) end,
    agent_id = case when to_status <> 'pending' then agent_id end,
    tool_use_id = case when to_status <> 'pending' then tool_use_id end,
    session_id = case when to_status <> 'pending' then session_id end,
    -- why it failed before is not what came of it now
    outcome = case when to_status = 'completed' then what_came else coalesce(what_came, outcome) end,
    report = coalesce(said, report),
    ended_at = case when to_status <> 'pending' then clock_timestamp() end
  where id = s.id;
  perform settle_plan(of_plan, shown);
  return null;
end $$;
--> statement-breakpoint
-- Says what a plan's steps make of it: it is completed with the last one, and goes on when one is added or given back.
-- One that a person closed as failed stays so.
create or replace function settle_plan(of_plan uuid, shown text) returns void
language plpgsql as $$
declare
  is_left boolean;
begin
  is_left := exists (select from plan_steps s
    where s.plan_id = of_plan and not s.proposed and s.status <> 'completed');
  if is_left then
    update plans set status = 'in_progress', changed_by = shown
    where id = of_plan and status = 'completed';
  else
    update plans set status = 'completed', changed_by = shown
    where id = of_plan and status in ('planning', 'in_progress')
      and exists (select from plan_steps where plan_id = of_plan and not proposed);
  end if;
end $$;
--> statement-breakpoint
-- Adds a note to a step, or to the plan itself (step 0). `writer` is a person or an agent, by the key. Returns why not.
create or replace function note_step(of_plan uuid, step integer, words text, shown text, writer text) returns text
language plpgsql as $$
declare
  fault text := hold_plan(of_plan);
begin
  if fault is null and step <> 0
      and not exists (select from plan_steps where plan_id = of_plan and number = step) then
    fault := 'missing';
  end if;
  if fault is not null then
    return fault;
  end if;
  perform keep_plan_version(of_plan, step, 'noted', shown,
    jsonb_strip_nulls(jsonb_build_object('text', words, 'writer', writer)));
  return null;
end $$;
--> statement-breakpoint
-- Gives back the caller's steps whose lease has ended. Returns how many.
create or replace function free_expired_steps() returns integer
language plpgsql as $$
declare
  s record;
  n integer := 0;
begin
  -- in an order, so that two servers do not wait for each other
  for s in
    select plan_id, number, assigned_to from plan_steps
    where status = 'in_progress' and lease_until <= clock_timestamp()
    order by plan_id, number
  loop
    perform hold_plan(s.plan_id);
    -- it may have been renewed or given back meanwhile
    if exists (select from plan_steps x where x.plan_id = s.plan_id and x.number = s.number
        and x.status = 'in_progress' and x.lease_until <= clock_timestamp()) then
      perform note_step(s.plan_id, s.number, 'Nothing was heard of ' || coalesce(s.assigned_to, 'its agent') ||
        ', so the step is free again.', 'lore', null);
      perform end_step(s.plan_id, s.number, 'pending', null, 'lore');
      n := n + 1;
    end if;
  end loop;
  return n;
end $$;
--> statement-breakpoint
-- ── sql/plans/keep_plan_changes.sql ──

-- Every change of a plan and of its steps is kept with an image of the row, whoever makes it. Each change is one
-- version of the plan. An import brings its own changes, so it turns this off (lore.restoring).

-- Returns what a change of a step was, in one word.
create or replace function plan_step_action(before plan_steps, now_is plan_steps) returns text
language sql immutable as $$
  select case
    when before.proposed and not now_is.proposed then 'accepted'
    when before.status is distinct from now_is.status then case now_is.status
      when 'in_progress' then 'claimed'
      when 'pending' then 'released'
      else now_is.status
    end
    when before.waiting_for is null and now_is.waiting_for is not null then 'waits'
    when before.waiting_for is not null and now_is.waiting_for is null then 'goes on'
    else 'changed'
  end
$$;
--> statement-breakpoint
-- The API gives times in milliseconds. So changes are recorded in milliseconds too: a caller who asks for the plan as
-- of a time that it was given must see the change made at that time.
create or replace function plan_clock() returns timestamptz
language sql volatile as $$
  select date_trunc('milliseconds', clock_timestamp())
$$;
--> statement-breakpoint
-- Counts one more version of a plan and keeps what it is. The plan's row stays locked until the end of the transaction,
-- so two changes never have the same version. (In plpgsql, because it keeps its plans for the next call.)
create or replace function keep_plan_version(of_plan uuid, step integer, action text, by_whom text, image jsonb)
returns void
language plpgsql as $$
begin
  with next as (
    update plans set version = version + 1, updated_at = plan_clock(), changed_by = by_whom
    where id = of_plan
    returning version, updated_at
  )
  insert into plan_changes (plan_id, version, step, action, actor, image, recorded_at)
  select of_plan, n.version, keep_plan_version.step, keep_plan_version.action, by_whom, keep_plan_version.image,
    n.updated_at
  from next n;
end $$;
--> statement-breakpoint
create or replace function keep_plan_step_change() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) = 'on' then
    return null;
  end if;
  -- renewing a lease or learning the agent's id is not a change worth a version
  if to_jsonb(old) - '{lease_until,changed_by,agent_id}'::text[]
      = to_jsonb(new) - '{lease_until,changed_by,agent_id}'::text[] then
    return null;
  end if;
  perform keep_plan_version(new.plan_id, new.number, plan_step_action(old, new),
    new.changed_by, to_jsonb(new) - 'user_id');
  return null;
end $$;
--> statement-breakpoint
create or replace trigger keep_plan_step_change
  after update on plan_steps
  for each row execute function keep_plan_step_change();
--> statement-breakpoint
-- Steps that are added in one statement change their plan's row once: a plan may have a thousand.
create or replace function keep_plan_steps_added() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) = 'on' then
    return null;
  end if;
  with counted as (
    select a.plan_id, count(*)::int as n, max(a.changed_by) as by_whom from added a group by a.plan_id
  ), next as (
    update plans p set version = p.version + c.n, updated_at = plan_clock(), changed_by = c.by_whom
    from counted c where p.id = c.plan_id
    returning p.id, p.version - c.n as before, p.updated_at
  )
  insert into plan_changes (plan_id, version, step, action, actor, image, recorded_at)
  select a.plan_id, n.before + row_number() over (partition by a.plan_id order by a.number), a.number,
    case when a.proposed then 'proposed' else 'added' end, a.changed_by, to_jsonb(a) - 'user_id', n.updated_at
  from added a join next n on n.id = a.plan_id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger keep_plan_steps_added
  after insert on plan_steps
  referencing new table as added
  for each statement execute function keep_plan_steps_added();
--> statement-breakpoint
-- The columns of a plan that do not change with its steps. It is stable like to_jsonb, so that PostgreSQL writes its
-- text into the statement that calls it.
create or replace function plan_itself(p plans) returns jsonb
language sql stable as $$
  select to_jsonb(p) - '{user_id,version,updated_at,changed_by}'::text[]
$$;
--> statement-breakpoint
create or replace function start_plan() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) is distinct from 'on' then
    new.updated_at := plan_clock();
  end if;
  return new;
end $$;
--> statement-breakpoint
create or replace trigger start_plan
  before insert on plans
  for each row execute function start_plan();
--> statement-breakpoint
create or replace function count_plan_change() returns trigger
language plpgsql as $$
begin
  if plan_itself(old) is distinct from plan_itself(new)
      and current_setting('lore.restoring', true) is distinct from 'on' then
    new.version := old.version + 1;
    new.updated_at := plan_clock();
    new.closed_at := case
      when new.status not in ('planning', 'in_progress') then coalesce(old.closed_at, new.updated_at)
    end;
  end if;
  return new;
end $$;
--> statement-breakpoint
-- Most changes of a plan's row only count a version for a step.
create or replace trigger count_plan_change
  before update on plans
  for each row when (new.version = old.version) execute function count_plan_change();
--> statement-breakpoint
create or replace function keep_plan_change() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) = 'on' then
    return null;
  end if;
  insert into plan_changes (plan_id, version, step, action, actor, image, recorded_at)
  values (new.id, new.version, 0,
    case
      when tg_op = 'INSERT' then 'added'
      when old.status is distinct from new.status then new.status
      else 'changed'
    end,
    new.changed_by, to_jsonb(new) - 'user_id', new.updated_at);
  return null;
end $$;
--> statement-breakpoint
create or replace trigger keep_plan_made
  after insert on plans
  for each row execute function keep_plan_change();
--> statement-breakpoint
create or replace trigger keep_plan_change
  after update on plans
  for each row when (plan_itself(old) is distinct from plan_itself(new)) execute function keep_plan_change();
--> statement-breakpoint
-- Servers keep the plans of the projects that are worked on in memory. This tells them which to read again.
create or replace function notify_plans() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_plans',
    coalesce(new.user_id, old.user_id) || ' ' || coalesce(new.project_id, old.project_id));
  return null;
end $$;
--> statement-breakpoint
create or replace trigger notify_plans
  after insert or update or delete on plans
  for each row execute function notify_plans();
--> statement-breakpoint
-- ── sql/plans/plan_circle.sql ──

-- Returns the numbers of steps that wait for each other in a circle; none if there is no circle.
create or replace function plan_circle(of_plan uuid) returns integer[]
language sql stable as $$
  with recursive edges (number, dependency) as (
    select s.number, unnest(s.dependencies) from plan_steps s where s.plan_id = of_plan
  ), reached (start, number) as (
    select number, dependency from edges
    union
    select r.start, e.dependency from reached r join edges e on e.number = r.number
  )
  select coalesce(array_agg(distinct start order by start), '{}') from reached where start = number
$$;
--> statement-breakpoint
-- ── sql/sessions/join_projects.sql ──

-- Moves everything that belongs to one of the caller's projects into another one, names included, and deletes the first
-- project. If both have a fact, relation, decision, skill or pattern with the same key, that of the first
-- project stays where it is, and the project is kept under the name `<name> (joined)`.
--
-- Returns how many rows of each table were moved, and how many stayed. It cannot be undone.
create or replace function join_projects(source uuid, target uuid)
returns table (kind text, moved int, stayed int)
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  -- what makes a row of these tables the same as one of the other project
  same constant jsonb := '{"facts": "subject", "relations": "subject", "decisions": "subject", "skills": "name",
    "patterns": "type, form"}';
  left_over int := 0;
  names text[];
  folders text[];
begin
  -- Sessions are locked before anything else, as they are when events are stored. So the two cannot deadlock.
  perform from sessions s where s.user_id = me and s.project_id = source order by s.id for update;
  for kind in
    select c.relname
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      -- these two are derived
      and c.relname not in ('search_documents', 'dashboard_projects')
    order by c.relname <> 'sessions', c.relname
  loop
    execute format('update %I t set project_id = $2 where t.user_id = $3 and t.project_id = $1', kind)
      || case when same ? kind then format(
        ' and not exists (select from %1$I o where o.user_id = $3 and o.project_id = $2 and (%2$s) = (%3$s))', kind,
        'o.' || replace(same ->> kind, ', ', ', o.'), 't.' || replace(same ->> kind, ', ', ', t.')) else '' end
    using source, target, me;
    get diagnostics moved = row_count;
    execute format('select count(*) from %I t where t.user_id = $2 and t.project_id = $1', kind)
    into stayed using source, me;
    left_over := left_over + stayed;
    if moved + stayed > 0 then
      return next;
    end if;
  end loop;
  update api_keys k set project = target where k.user_id = me and k.project = join_projects.source;
  select p.name || p.also, p.roots into names, folders from projects p where p.user_id = me and p.id = source;
  if left_over = 0 then
    delete from projects p where p.user_id = me and p.id = source;
  else
    update projects p set also = '{}', roots = '{}',
      name = p.name || case
        when exists (select from projects o where o.user_id = me and o.name = p.name || ' (joined)')
          then ' (joined, ' || left(p.id::text, 8) || ')'
        else ' (joined)'
      end
    where p.user_id = me and p.id = source;
  end if;
  update projects p
  set also = array(select distinct n from unnest(p.also || names) n where n <> p.name order by n),
    roots = array(select distinct r from unnest(p.roots || folders) r order by r)
  where p.user_id = me and p.id = target;
end $$;
--> statement-breakpoint
-- ── sql/tenancy/accounts.sql ──

-- Accounts are looked up and created before the caller's claims are known. So these functions bypass row level
-- security.

-- Returns the account that a device key belongs to; no row when the key is unknown or revoked. hash: SHA-256 of the
-- key, in hex.
create or replace function lore.authenticate(hash text)
returns table (user_id uuid, key_id uuid, role text, name text, scope text, project_id uuid, project text)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, k.id, p.role, p.name, k.scope, k.project, j.name
  from public.api_keys k
  join public.profiles p on p.user_id = k.user_id
  left join public.projects j on j.id = k.project
  where k.key_hash = hash and k.revoked_at is null and p.removed_at is null
$$;
--> statement-breakpoint
-- Makes a key the owner's. The owner is created on first use. A new key from LORE_KEY replaces the ones from LORE_KEY
-- before it, and the key of the data folder: they are revoked. Keys that the owner made by hand stay.
--
--   key_source   where the key comes from: LORE_KEY or 'key file'
--   folder_hash  hash of the key in the data folder, if there is one
--
-- Returns the owner's id. `refused` says why the key cannot be the owner's: 'revoked', 'member' for a member's key, or
-- 'scope' for one that is not a person's.
create or replace function lore.ensure_owner(hash text, key_source text, folder_hash text)
returns table (owner_id uuid, refused text)
language plpgsql security definer
set search_path = ''
as $$
declare
  known public.api_keys;
begin
  insert into public.profiles (user_id, name, role)
  values (gen_random_uuid(), 'owner', 'owner')
  on conflict do nothing;
  select p.user_id into owner_id from public.profiles p where p.role = 'owner';
  insert into public.api_keys (user_id, name, key_hash, source)
  values (owner_id, 'first device', hash, key_source)
  on conflict (key_hash) do nothing;
  if found and key_source = 'LORE_KEY' then
    update public.api_keys k set revoked_at = now()
    where k.user_id = owner_id and k.revoked_at is null and k.key_hash <> hash
      -- Before 0.3 the database did not hold where a key came from, but its name tells.
      and (coalesce(k.source, case when k.name = 'first device' then 'LORE_KEY' end) = 'LORE_KEY'
        or k.key_hash = folder_hash);
  end if;
  select k.* into known from public.api_keys k where k.key_hash = hash;
  if known.user_id <> owner_id then
    refused := 'member';
  elsif known.revoked_at is not null then
    refused := 'revoked';
  elsif known.scope <> 'person' then
    refused := 'scope';
  elsif known.source is null and known.name = 'first device' then
    update public.api_keys k set source = key_source where k.key_hash = hash;
  end if;
  return next;
end $$;
--> statement-breakpoint
-- Creates a member with a first key. Returns the member's id; null if there is an account with that name, because
-- people name members by it.
create or replace function lore.create_member(member_name text, hash text, key_name text) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  member uuid := gen_random_uuid();
begin
  -- of two at once the second one sees the first
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('lore.create_member', 0));
  if exists (select from public.profiles p where p.name = member_name) then
    return null;
  end if;
  insert into public.profiles (user_id, name, role) values (member, member_name, 'member');
  insert into public.api_keys (user_id, name, key_hash, source) values (member, key_name, hash, 'person');
  return member;
end $$;
--> statement-breakpoint
-- Returns the account that a user of Supabase Auth signs in to. Who signs in for the first time becomes a member: with
-- the same id, so that row level security means the same with the user's own token. If the name is taken, the id makes
-- it another. No row when the account was closed.
create or replace function lore.ensure_profile(auth_user uuid, wanted_name text)
returns table (user_id uuid, role text, name text)
language plpgsql security definer
set search_path = ''
as $$
begin
  if not exists (select from public.profiles p where p.auth_id = auth_user) then
    -- of two requests at once, and of two people with one name, the second one sees the first
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('lore.create_member', 0));
    if exists (select from public.profiles p where p.name = wanted_name) then
      wanted_name := wanted_name || ' ' || left(auth_user::text, 8);
    end if;
    insert into public.profiles (user_id, name, role, auth_id)
    values (auth_user, wanted_name, 'member', auth_user)
    on conflict do nothing;
  end if;
  return query
  select p.user_id, p.role, p.name
  from public.profiles p
  where p.auth_id = auth_user and p.removed_at is null;
end $$;
--> statement-breakpoint
-- Lets a user of Supabase Auth sign in to the owner's account, in place of whoever did before; null: nobody does any
-- more. The account that the user had as a member is closed; its rows stay. Returns the owner's id, and the name of
-- the account that was closed.
create or replace function lore.claim_owner(auth_user uuid) returns table (owner_id uuid, closed text)
language plpgsql security definer
set search_path = ''
as $$
declare
  member uuid;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('lore.create_member', 0));
  update public.profiles p set auth_id = null, removed_at = coalesce(p.removed_at, now())
  where p.auth_id = auth_user and p.role = 'member'
  returning p.user_id, p.name into member, closed;
  update public.api_keys k set revoked_at = now() where k.user_id = member and k.revoked_at is null;
  update public.profiles p set auth_id = auth_user where p.role = 'owner' returning p.user_id into owner_id;
  -- live clients that signed in ask again whether they may
  perform pg_catalog.pg_notify('lore_keys', u::text) from unnest(array[member, owner_id]) u where u is not null;
  return next;
end $$;
--> statement-breakpoint
-- Returns all accounts, the oldest first, with their keys as JSON, the newest first. No key's hash is among it.
create or replace function lore.list_users()
returns table (user_id uuid, name text, role text, created_at timestamptz, removed_at timestamptz, auth_id uuid,
  keys jsonb)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, p.name, p.role, p.created_at, p.removed_at, p.auth_id,
    coalesce(
      (select jsonb_agg(
         jsonb_build_object('id', k.id, 'name', k.name, 'scope', k.scope,
           'project', (select j.name from public.projects j where j.id = k.project),
           'createdAt', k.created_at, 'lastUsedAt', k.last_used_at, 'revokedAt', k.revoked_at)
         order by k.created_at desc)
       from public.api_keys k where k.user_id = p.user_id),
      '[]')
  from public.profiles p
  order by p.created_at, p.user_id
$$;
--> statement-breakpoint
-- Revokes a live key of a member. Returns whether there was one.
create or replace function lore.revoke_member_key(member uuid, key_id uuid) returns boolean
language sql security definer
set search_path = ''
as $$
  with revoked as (
    update public.api_keys k set revoked_at = now()
    from public.profiles p
    where k.id = key_id and k.user_id = member and k.revoked_at is null
      and p.user_id = k.user_id and p.role = 'member'
    returning 1
  )
  select exists (select from revoked)
$$;
--> statement-breakpoint
-- Closes a member's account: none of its keys is valid any more. The rows stay. Returns the member's name; null when
-- there is no such member. Closing it again changes nothing.
create or replace function lore.remove_member(member uuid) returns text
language plpgsql security definer
set search_path = ''
as $$
declare
  member_name text;
begin
  update public.profiles p set removed_at = coalesce(p.removed_at, now())
  where p.user_id = member and p.role = 'member'
  returning p.name into member_name;
  if found then
    update public.api_keys k set revoked_at = now() where k.user_id = member and k.revoked_at is null;
    -- an account without a key may have live clients too
    perform pg_catalog.pg_notify('lore_keys', member::text);
  end if;
  return member_name;
end $$;
--> statement-breakpoint
-- Deletes the account of a removed member with its keys, and what is left of its rows.
create or replace function lore.delete_member(member uuid) returns void
language sql security definer
set search_path = ''
as $$
  delete from public.profiles p where p.user_id = member and p.role = 'member' and p.removed_at is not null
$$;
--> statement-breakpoint
-- Redeems the code of a pairing: the code is used up, and its user gets a key of scope 'device'. Two requests with one
-- code wait for each other at its row, and only the first one finds it. code, hash: SHA-256 of the code and of the new
-- key, in hex.
--
-- Returns the id of the key; null when the code is unknown, used, expired, or made with a key that is revoked.
create or replace function lore.redeem_pairing(code text, key_name text, hash text) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  paired uuid;
  made uuid;
begin
  delete from public.pairings p
  where p.code_hash = code and p.expires_at > now()
    and exists (
      select from public.api_keys k
      join public.profiles a on a.user_id = k.user_id
      where k.id = p.made_by and k.user_id = p.user_id and k.revoked_at is null and a.removed_at is null)
  returning p.user_id into paired;
  if paired is null then
    return null;
  end if;
  insert into public.api_keys (user_id, name, key_hash, source, scope)
  values (paired, key_name, hash, 'person', 'device')
  returning id into made;
  return made;
end $$;
--> statement-breakpoint
-- A revoked key stays revoked, whoever asks: nobody who finds a way to the caller's rows can make it live again.
create or replace function keep_revoked() returns trigger
language plpgsql as $$
begin
  raise exception 'A revoked key stays revoked. Make a new one: lore keys add.' using errcode = '42501';
end $$;
--> statement-breakpoint
create or replace trigger keep_revoked
  before update on api_keys
  for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  execute function keep_revoked();
--> statement-breakpoint
-- Servers keep keys that they looked up in memory, and for a moment those that they did not find. This tells them whose
-- keys they must look up again, and that there is a new one.
create or replace function notify_keys() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_keys', coalesce(old.user_id, new.user_id)::text);
  return null;
end $$;
--> statement-breakpoint
create or replace trigger notify_keys
  after insert or delete or update of revoked_at, project on api_keys
  for each row execute function notify_keys();
--> statement-breakpoint
-- ── sql/tenancy/own_project.sql ──

-- Returns the id of the only project that the key of the caller is for; null: it is for any. `asUser` says it.
create or replace function own_project() returns uuid
language sql stable as $$
  select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'project')::uuid
$$;
--> statement-breakpoint
-- ── sql/tenancy/redact_stored.sql ──

-- A night goes over the rows that older rules of redaction have stored (src/consolidation/redact-stored.ts). Some of
-- these are append-only, so their texts are replaced by a function that looks past the rights of the caller.

-- Returns the tables of tenants, how many pages each has, and its columns that hold text. Keys of rows are no text, and
-- the addresses and keys of phones are secrets on purpose.
create or replace function lore.text_columns() returns table (name text, pages bigint, columns text[])
language sql stable
set search_path = ''
as $$
  select c.relname::text, pg_catalog.pg_relation_size(c.oid) / 8192 + 1, array_agg(a.attname::text order by a.attnum)
  from pg_catalog.pg_policy p
  join pg_catalog.pg_class c on c.oid = p.polrelid
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where p.polname = 'own rows'
    and c.relname not in ('api_keys', 'pairings', 'push_subscriptions', 'push_told')
    and a.attgenerated = ''
    and (a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype)
      or c.relname = 'observations' and a.attname = 'content')
    and not exists (
      select from pg_catalog.pg_constraint k
      where k.conrelid = c.oid and k.contype in ('p', 'f') and a.attnum = any (k.conkey))
  group by c.oid, c.relname
$$;
--> statement-breakpoint
-- Replaces texts of one row of an account. Returns whether that worked: not if another row already says the same.
create or replace function lore.put_redacted(account uuid, in_table text, place tid, texts jsonb) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  done int;
begin
  execute format('update public.%I t set %s where t.ctid = $1 and t.user_id = $2', in_table, (
    select string_agg(format('%1$I = (jsonb_populate_record(t, $3)).%1$I', k), ', ') from jsonb_object_keys(texts) k))
  using place, account, texts;
  get diagnostics done = row_count;
  return done > 0;
exception when integrity_constraint_violation then
  return false;
end $$;
--> statement-breakpoint
-- ── sql/tenancy/waiting_users.sql ──

-- These functions return the users who have rows waiting for a background worker. They return ids only; the work is
-- done as that user. (lore.users_to_embed and lore.users_to_reindex are in sql/index.) Those that are asked every few
-- seconds are in PL/pgSQL, which keeps its plans.

-- Returns the workers that have something to do now, so that one statement looks at all queues. `model`: that of the
-- vectors, null while there is none. `owner`: the account whose files are on the server's machine.
create or replace function lore.waiting_work(model text, owner uuid) returns table (worker text)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select w.worker
  from (values
    ('free steps', exists (select from lore.users_with_expired_steps())),
    ('distil', exists (select from lore.users_to_distil())),
    ('audit', exists (select from lore.users_to_audit())),
    ('cut', exists (select from lore.users_to_cut())),
    ('change model', exists (select from lore.instance i where i.next_model = model)),
    ('embed', model is not null and exists (select from lore.users_to_embed(model))),
    ('decide amendments', model is not null and exists (select from lore.users_to_decide_amendments(model))),
    ('baselines', exists (
      select from public.citations c
      where c.user_id = owner and c.state = 'waiting' and c.cited_at > now() - interval '10 minutes'))
  ) w(worker, waits)
  where w.waits;
end $$;
--> statement-breakpoint
-- Returns the users who have lessons to distil now.
create or replace function lore.users_to_distil() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct r.user_id
  from public.learning_requests r
  where r.status = 'pending' and r.run_after <= now();
end $$;
--> statement-breakpoint
-- Returns the users who have sessions to cut into episodes now.
create or replace function lore.users_to_cut() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct c.user_id
  from public.episode_cuts c
  where c.failed_at is null and c.run_after <= now();
end $$;
--> statement-breakpoint
-- Returns the users who have an active session without an event for this long.
create or replace function lore.users_with_idle_sessions(idle interval) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct s.user_id
  from public.sessions s
  where s.status = 'active' and s.last_activity < now() - idle
$$;
--> statement-breakpoint
-- Returns the users who have a step of a plan whose agent has been silent for too long.
create or replace function lore.users_with_expired_steps() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct s.user_id
  from public.plan_steps s
  where s.status = 'in_progress' and s.lease_until <= pg_catalog.clock_timestamp();
end $$;
--> statement-breakpoint
-- Returns the users who have sessions to look back on now: not those of which something still waits to be judged,
-- because an audit must find the lessons of the session's turns.
create or replace function lore.users_to_audit() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct a.user_id
  from public.session_audits a
  where a.status = 'pending' and a.run_after <= now()
    and not exists (
      select from public.learning_requests r
      where r.user_id = a.user_id and r.session_id = a.session_id and r.status = 'pending');
end $$;
--> statement-breakpoint
-- Returns the users who worked, or were taught something, within this time: what the dashboard says of their projects
-- may be old where no server hears of it.
create or replace function lore.users_at_work(within interval) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select p.user_id
  from public.profiles p
  where p.removed_at is null and (
    exists (select from public.sessions s where s.user_id = p.user_id and s.last_activity > now() - within)
    or exists (select from public.learnings l where l.user_id = p.user_id and l.created_at > now() - within))
$$;
--> statement-breakpoint
-- ── sql/index/searchable.sql ──

-- Returns the kinds of records that can be found. Each kind has a view searchable_<kind>.
create or replace function searchable_kinds() returns setof text
language sql stable as $$
  select substr(c.relname, length('searchable_') + 1)
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and c.relname ~ '^searchable_'
  order by 1
$$;
--> statement-breakpoint
-- Joins all kinds in one view. Every migration makes it from the catalog, so that a new kind needs only its view and a
-- trigger. The view of a kind has these columns:
--
--   user_id, project_id        the owner; a record without a project belongs to all projects of the user
--   kind, source_id            the record; source_id is its column `id`
--   content, label, context    the text, who said it, and what was said before it
--   agent, channel             to filter by
--   confidence, valid_from, valid_until, confirmed_at
--                              how sure it is, when it is valid (valid_until null: still), when it was last confirmed
--   links                      what it may share with other records: file:src/a.ts, incident:<id>, commit:<sha>
--   half_life_days             days until its recency has fallen half way
--   metadata                   what a result tells about the record; not in the index
do $$ begin
  execute 'create or replace view searchable with (security_invoker = true) as ' || (
    select string_agg(
      'select user_id, project_id, kind, source_id, content, label, context, agent, channel, confidence, valid_from,
         valid_until, confirmed_at, links, half_life_days, metadata from searchable_' || kind,
      ' union all ' order by kind)
    from searchable_kinds() kind);
end $$;
--> statement-breakpoint
-- ── sql/tenancy/rights.sql ──

-- Sets the rights of all tables, views, sequences and functions, each by name: platforms differ in who may use a new
-- one by default. It ends every migration, so that new ones get their rights without a line of their own.

do $$
declare
  t regclass;
  part text;
  own text;
begin
  -- A tenant table is one with the policy of ownRows(). Row level security is forced, so that it holds for the table's
  -- owner too. Lore's role gets all rights on the table, and the policy limits them to the caller's rows.
  for t in select p.polrelid from pg_policy p where p.polname = 'own rows' order by 1
  loop
    execute format('alter table %s enable row level security, force row level security', t);
    execute format('revoke all on %s from public, anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to lore_user', t);
    execute format('grant all on %s to service_role', t);
  end loop;
  -- A key that is for one project changes no row of another one, nor what belongs to such a row (a plan's steps, a
  -- session's events). It reads them, because a lesson may come from another project.
  for t, part, own in
    select p.polrelid, a.attname, format('%1$I is null or %1$I = (select own_project())', a.attname)
    from pg_policy p
    join pg_attribute a on a.attrelid = p.polrelid
      and a.attname = case p.polrelid when 'projects'::regclass then 'id' else 'project_id' end
    -- this one is derived
    where p.polname = 'own rows' and p.polrelid <> 'dashboard_projects'::regclass
    union all
    select p.polrelid, a.attname, format(
      '%1$I is null or exists (select from %2$s o where o.id = %1$I and o.project_id = (select own_project()))',
      a.attname, c.confrelid::regclass)
    from pg_policy p
    join pg_constraint c on c.conrelid = p.polrelid and c.contype = 'f'
    join pg_attribute a on a.attrelid = p.polrelid and a.attnum = any(c.conkey) and a.attname <> 'user_id'
    where p.polname = 'own rows'
      and exists (select from pg_attribute o where o.attrelid = c.confrelid and o.attname = 'project_id')
      and not exists (select from pg_attribute o where o.attrelid = c.conrelid and o.attname = 'project_id')
    order by 1, 2
  loop
    own := format('((select own_project()) is null or %s)', own);
    execute format('drop policy if exists %I on %s', 'own project: insert by ' || part, t);
    execute format('drop policy if exists %I on %s', 'own project: update by ' || part, t);
    execute format('drop policy if exists %I on %s', 'own project: delete by ' || part, t);
    -- whether a project may be made is asked where it is made
    if t <> 'projects'::regclass then
      execute format('create policy %I on %s as restrictive for insert to lore_user with check %s',
        'own project: insert by ' || part, t, own);
    end if;
    execute format('create policy %I on %s as restrictive for update to lore_user using %s with check %s',
      'own project: update by ' || part, t, own, own);
    execute format('create policy %I on %s as restrictive for delete to lore_user using %s',
      'own project: delete by ' || part, t, own);
  end loop;
  -- Nor does it change what holds in all projects.
  for t in
    select p.polrelid from pg_policy p
    join pg_attribute a on a.attrelid = p.polrelid and a.attname = 'everywhere'
    where p.polname = 'own rows' order by 1
  loop
    own := '((select own_project()) is null or not everywhere)';
    execute format('drop policy if exists "own project: insert everywhere" on %s', t);
    execute format('drop policy if exists "own project: update everywhere" on %s', t);
    execute format('drop policy if exists "own project: delete everywhere" on %s', t);
    execute format('create policy "own project: insert everywhere" on %s as restrictive for insert
      to lore_user with check %s',
      t, own);
    execute format('create policy "own project: update everywhere" on %s as restrictive for update
      to lore_user using %s with check %s',
      t, own, own);
    execute format('create policy "own project: delete everywhere" on %s as restrictive for delete
      to lore_user using %s',
      t, own);
  end loop;
  -- what an access token may read (sql/realtime/published.sql)
  for t in select p.polrelid from pg_policy p where p.polname = 'published rows' order by 1
  loop
    execute format('grant select on %s to authenticated', t);
  end loop;
  -- These views run with the rights of their caller, so row level security holds in them too.
  for t in select c.oid from pg_class c where c.relkind = 'v' and c.relname ~ '^searchable(_|$)' order by 1
  loop
    execute format('revoke all on %s from public, anon, authenticated', t);
    execute format('grant select on %s to lore_user, service_role', t);
  end loop;
  -- Writing to an identity column needs no right to its sequence, and nothing else uses the sequences.
  for t in
    select c.oid from pg_class c
    where c.relkind = 'S' and c.relnamespace in ('public'::regnamespace, 'lore'::regnamespace) order by 1
  loop
    execute format('revoke all on sequence %s from public, anon, authenticated', t);
  end loop;
  -- The server's own tables, and the ledgers of migrations, which it reads at its start.
  for t in select c.oid from pg_class c where c.relkind = 'r' and c.relnamespace = 'lore'::regnamespace order by 1
  loop
    execute format('revoke all on %s from public, anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to lore_server', t);
  end loop;
  for t in
    select l.ledger
    from (values (to_regclass('drizzle.__drizzle_migrations')), (to_regclass('supabase_migrations.schema_migrations')))
      l(ledger)
    where l.ledger is not null
  loop
    execute format('grant usage on schema %s to lore_server',
      (select c.relnamespace::regnamespace from pg_class c where c.oid = t));
    execute format('grant select on %s to lore_server', t);
  end loop;
end $$;
--> statement-breakpoint
-- Functions of schema public are for tenants, and run with their rights. Those of schema lore are for the server; one
-- that tenants may call says so in its own file. What a trigger calls nobody else may call.
do $$
declare
  f record;
begin
  for f in
    select p.oid::regprocedure as name, p.pronamespace = 'lore'::regnamespace as systems,
      p.prorettype = 'trigger'::regtype as triggered,
      not exists (select from unnest(p.proconfig) c where c like 'search_path=%') as mutable
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'lore'::regnamespace)
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1
  loop
    execute format('revoke all on function %s from public, anon, authenticated', f.name);
    if f.systems then
      execute format('grant execute on function %s to lore_server', f.name);
    elsif not f.triggered then
      execute format('grant execute on function %s to lore_user, service_role', f.name);
    end if;
    -- Names in a function mean the same whoever calls it.
    if f.mutable then
      execute format('alter function %s set search_path = public, extensions, pg_temp', f.name);
    end if;
  end loop;
end $$;
--> statement-breakpoint
-- Events and command checks are append-only; what a person says of a check is added to it.
revoke update, delete on events, command_checks from lore_user;
--> statement-breakpoint
grant update (judged) on command_checks to lore_user;
--> statement-breakpoint
-- Users must not give themselves another role, so they may change only their name.
revoke insert, update, delete on profiles from lore_user;
--> statement-breakpoint
grant update (name) on profiles to lore_user;
--> statement-breakpoint
-- What a key is, and what it may be used for, stays as it was made. Keys go with their account only.
revoke update, delete on api_keys from lore_user;
--> statement-breakpoint
grant update (name, project, last_used_at, revoked_at) on api_keys to lore_user;
--> statement-breakpoint
-- The policies of the published rows ask it with the rights of whoever reads.
grant execute on function lore.signed_in to authenticated;
--> statement-breakpoint
-- ── version ──

update lore.instance set migration = '20261129072256';
