-- ── data ──

-- What rules alone wrote, and what never helped, is on trial from now on.
update learnings set status = 'trial'
where status = 'active' and valid_until is null and evaluated_by = 'rules' and success_count = 0;
--> statement-breakpoint
-- ── dropped ──

drop view searchable, searchable_conversation, searchable_decision, searchable_episode, searchable_error, searchable_fact, searchable_finding, searchable_learning, searchable_note, searchable_pattern, searchable_relation, searchable_skill;
--> statement-breakpoint
drop function lore.authenticate(text);
--> statement-breakpoint
drop function record_event(uuid,jsonb,text,text,timestamp with time zone,text,text[],text,text,text);
--> statement-breakpoint
-- ── tables ──

CREATE TABLE "guards" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"lineage_id" uuid NOT NULL,
	"rule" jsonb NOT NULL,
	"source" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"past_calls" integer DEFAULT 0 NOT NULL,
	"past_hits" integer DEFAULT 0 NOT NULL,
	"hits" integer DEFAULT 0 NOT NULL,
	"last_hit_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "guards_own" PRIMARY KEY("user_id","id"),
	CONSTRAINT "guards_lineage" UNIQUE("user_id","lineage_id")
);
--> statement-breakpoint
ALTER TABLE "guards" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
DROP INDEX "search_documents_model";
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "project" text;
--> statement-breakpoint
ALTER TABLE "command_checks" ADD COLUMN "tool" text;
--> statement-breakpoint
ALTER TABLE "command_checks" ADD COLUMN "lesson_id" uuid;
--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "lines" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "learnings" ADD COLUMN "same_key" text;
--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "claude_login" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shapes" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "voice" jsonb DEFAULT '{}'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "also" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "first_commit" text;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "waits" jsonb DEFAULT '[]'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "guards" ADD CONSTRAINT "guards_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "guards_project" ON "guards" USING btree ("user_id","project_id") WHERE state = 'on';
--> statement-breakpoint
CREATE INDEX "command_checks_held" ON "command_checks" USING btree ("user_id","lesson_id") WHERE lesson_id is not null;
--> statement-breakpoint
CREATE INDEX "incidents_lines" ON "incidents" USING gin ("lines");
--> statement-breakpoint
CREATE INDEX "learnings_same" ON "learnings" USING btree ("user_id","project_id","same_key") WHERE same_key <> '';
--> statement-breakpoint
CREATE INDEX "search_documents_model" ON "search_documents" USING btree ("user_id","embedding_model","confirmed_at");
--> statement-breakpoint
CREATE POLICY "own rows" ON "guards" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── sql/consolidation/close_lessons.sql ──

-- The confidence below which a lesson is not offered, and the night closes it. (MIN_CONFIDENCE in src/learnings; a
-- test compares the two.)
create or replace function lesson_floor() returns real
language sql immutable parallel safe as $$ select 0.5::real $$;
--> statement-breakpoint
-- Returns lessons of the caller that a night closes, with the reason: those below the floor; those on trial whose error
-- nobody met for 60 days; and those that nobody was offered and nothing confirmed for 180 days, once
-- confidence × ½^(days / 90) is below 0.25. What a person has undone stays undone.
create or replace function lessons_to_close(at timestamptz, most int) returns table (id uuid, reason text)
language sql stable as $$
  select l.id,
    case
      when l.confidence < lesson_floor()
        then format('its confidence, %s, is below %s', round(l.confidence::numeric, 2), lesson_floor())
      when l.status = 'trial' then 'on trial for 60 days, and its error did not come back'
      else format('unused for %s days, and its confidence was %s', floor(u.days), round(l.confidence::numeric, 2))
    end
  from learnings l
  cross join lateral (
    select extract(epoch from at - greatest(l.last_confirmed_at, (
      select max(o.offered_at) from offers o
      where o.user_id = l.user_id and o.source_id = l.id and not o.withheld
        and l.last_confirmed_at < at - interval '180 days')))::float8 / 86400 as days
  ) u
  where l.user_id = auth.uid() and l.valid_until is null and l.status <> 'review'
    and (l.confidence < lesson_floor()
      or l.status = 'trial' and l.last_confirmed_at < at - interval '60 days'
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
-- ── sql/consolidation/consolidation_candidates.sql ──

-- Returns for each of some lessons of one project of the caller the lessons that may say the same, or the opposite: its
-- nearest by meaning, at most 30, and those that answer the same error or have the same key. If a lesson has no vector,
-- returns those that share its longest words. `similarity` is the cosine of the index rows, null if one has no vector.
--
--   size   how many records the project has, see project_size. In a small one every lesson is compared. Else the HNSW
--          index is asked, which finds most.
create or replace function consolidation_candidates(
  lessons uuid[], of_project uuid, size int
) returns table (lesson uuid, other uuid, similarity float8)
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set work_mem = '16MB'
as $$
#variable_conflict use_column
declare
  me constant uuid := auth.uid();
  most constant int := 30;
  exact constant boolean := size <= 5000;
  -- Of two lessons that agree, the index rows are at least so alike (measured, see docs/consolidation.md).
  alike constant float8 := 0.65;
  shelves constant text[] := search_shelves('{learning}');
begin
  return query
  with asked as materialized (
    select l.id, l.signature, l.same_key, d.embedding, d.embedding_model as model, d.tsv
    from learnings l
    left join search_documents d
      on d.user_id = me and d.kind = 'learning' and d.source_id = l.id and d.part = 0
    where l.user_id = me and l.id = any (lessons) and l.project_id = of_project
      and l.status <> 'review' and l.valid_until is null
  ), stored as materialized (
    -- Vectors lie in a side table. The copy is read from there once, and not again for each lesson.
    select d.source_id, d.embedding_model as model, subvector(d.embedding, 1, 384) as embedding
    from search_documents d
    where exact and d.user_id = me and d.project_id = of_project and d.kind = 'learning' and d.part = 0
      and d.valid_until is null and d.embedding_model is not null
  ), found as (
    -- Of the first three, only one has rows for a lesson.
    select a.id as lesson, n.source_id as other
    from asked a, lateral (
      select s.source_id, s.embedding <=> a.embedding as far
      from stored s
      where s.model = a.model
      order by far, s.source_id
      limit most + 1) n
    where exact and n.far <= 1 - alike
    union
    select a.id, d.source_id
    from asked a,
      lateral documents_near(a.embedding, a.model, of_project, '{learning}', shelves, now(), false, null, null, null,
        null, null, null, null, most + 1) near(id)
    join search_documents d on d.user_id = me and d.id = near.id
    where not exact and a.model is not null and d.embedding <=> a.embedding <= 1 - alike
    union
    select a.id, w.source_id
    from asked a, lateral (
      select d.source_id
      from lore.documents_with_each(
          array(select u.lexeme from unnest(a.tsv) u order by length(u.lexeme) desc, u.lexeme limit 6),
          of_project, shelves, null, null, null, null, null, null, null, 60) w,
        unnest(w.ids) i(id)
      join search_documents d on d.user_id = me and d.id = i.id
      where d.kind = 'learning' and d.project_id = of_project
      group by d.source_id
      order by count(*) desc, d.source_id
      limit most) w
    where a.model is null
    union
    select a.id, s.id
    from asked a, lateral (
      select l.id
      from learnings l
      where l.user_id = me and l.project_id = of_project
        and (l.signature = a.signature or l.same_key = a.same_key and a.same_key <> '')
        and l.status <> 'review' and l.valid_until is null
      order by l.last_confirmed_at desc, l.id
      limit most) s
  )
  select f.lesson, f.other, (
      select 1 - (d.embedding <=> a.embedding)
      from search_documents d
      where d.user_id = me and d.kind = 'learning' and d.source_id = f.other and d.part = 0
        and d.embedding_model = a.model)
  from found f
  join asked a on a.id = f.lesson
  join learnings l on l.user_id = me and l.id = f.other
  where f.other <> f.lesson and l.project_id = of_project and l.status <> 'review' and l.valid_until is null
    -- What a person has undone stays undone: a lesson that came back is left alone.
    and not exists (
      select from consolidation_items i
      where i.user_id = me and i.undone_at is not null and i.action <> 'closed'
        and i.record_id in (f.other, f.lesson));
end $$;
--> statement-breakpoint
-- Returns how many records a project of the caller has. It counts no further than 5,001: with more, comparing all of
-- them takes too long.
create or replace function project_size(of_project uuid) returns int
language sql stable as $$
  select count(*)::int
  from (
    select from search_documents d where d.user_id = auth.uid() and d.project_id = of_project limit 5001
  ) d
$$;
--> statement-breakpoint
-- Returns the lessons of the caller that a night compares: those that changed until an instant, in the order in which
-- they did. One that was compared by words alone is compared again when it has its vector.
create or replace function lessons_to_compare(at timestamptz, most int)
returns table (learning_id uuid, project_id uuid, vector boolean)
language sql stable as $$
  select q.learning_id, l.project_id, d.embedding_model is not null
  from consolidation_queue q
  left join learnings l
    on l.user_id = q.user_id and l.id = q.learning_id and l.status <> 'review' and l.valid_until is null
  left join search_documents d
    on d.user_id = q.user_id and d.kind = 'learning' and d.source_id = q.learning_id and d.part = 0
  where q.user_id = auth.uid() and q.queued_at <= at and (not q.by_words or d.embedding_model is not null)
  order by q.by_words, q.queued_at, q.learning_id
  limit most
$$;
--> statement-breakpoint
-- Puts the pairs of lessons that have changed into the work table, until an instant of the clock or little later. The
-- lessons of a project go together, because they are compared with the same others. Returns whether all are there.
create or replace function gather_pairs(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  -- the embedded engine gives little time, and answers nothing else meanwhile
  patient constant boolean := until > clock_timestamp() + interval '100 ms';
  pack record;
  size int;
  piece uuid[];
  waited boolean := false;
begin
  for pack in
    select w.project_id, w.vector, array_agg(w.learning_id) as lessons
    from lessons_to_compare(run.started_at, case when patient then 10000 else 200 end) w
    group by w.project_id, w.vector
  loop
    waited := true;
    size := project_size(pack.project_id);
    while cardinality(pack.lessons) > 0 loop
      exit when clock_timestamp() > until;
      -- the more there is to compare with, the fewer
      piece := pack.lessons[:greatest(1, case when patient then 100000 else 16000 end / greatest(size, 1000))];
      pack.lessons := pack.lessons[cardinality(piece) + 1:];
      insert into consolidation_pairs (user_id, left_id, right_id, similarity)
      select distinct me, least(c.other, c.lesson), greatest(c.other, c.lesson), c.similarity
      from consolidation_candidates(piece, pack.project_id, size) c
      on conflict do nothing;
      if pack.vector or pack.project_id is null then
        delete from consolidation_queue q where q.user_id = me and q.learning_id = any (piece);
      else
        update consolidation_queue q set by_words = true where q.user_id = me and q.learning_id = any (piece);
      end if;
    end loop;
    exit when clock_timestamp() > until;
  end loop;
  return not waited;
end $$;
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
    execute $q$select exists (select from cron.job j
      where j.jobname = 'lore-consolidation' and j.active and j.database = current_database())$q$ into found;
  end if;
  return found;
exception when insufficient_privilege then
  return false;
end $$;
--> statement-breakpoint
-- Does the part of the night that is SQL, for all users one after the other, and commits after each step. pg_cron calls
-- it.
-- Pairs of lessons, and mining, wait for a worker of any server; the notification wakes those that are connected. On
-- Supabase, where none is, pg_net posts to `lore.wake_url` (the address of POST /v1/consolidation/runs) with the key
-- `lore.wake_key`, if these settings of the database are set.
create or replace procedure lore.consolidate()
language plpgsql as $$
declare
  one uuid;
  days constant int := (select i.retention_days from lore.instance i);
  stage text;
begin
  for one in select p.user_id from public.profiles p where p.removed_at is null order by p.user_id
  loop
    perform lore.act_as(one);
    perform public.begin_consolidation('cron', days);
    commit;
    loop
      perform lore.act_as(one);
      stage := public.consolidation_step(500);
      if stage = 'patterns' or stage = 'settle' and exists (
        select from public.consolidation_pairs p where p.user_id = one)
      then
        stage := null;
      end if;
      commit;
      exit when stage is null or stage = 'done';
    end loop;
  end loop;
  notify lore_consolidation;
  if to_regproc('net.http_post') is not null and current_setting('lore.wake_url', true) <> '' then
    execute 'select net.http_post(url := $1, headers := $2)'
    using current_setting('lore.wake_url'),
      jsonb_build_object('authorization', 'Bearer ' || current_setting('lore.wake_key', true));
  end if;
end $$;
--> statement-breakpoint
-- Lets the rest of the transaction run as a user, under row level security, as src/db/as-user.ts does.
create or replace function lore.act_as(account uuid) returns void
language sql as $$
  select set_config('request.jwt.claims', json_build_object('sub', account, 'role', 'authenticated')::text, true),
    set_config('role', 'authenticated', true)
$$;
--> statement-breakpoint
-- Every night at three where pg_cron is there (in its own time zone, usually UTC). It lives in one database only.
-- Elsewhere the servers begin the nights.
do $$ begin
  if exists (select from pg_available_extensions e where e.name = 'pg_cron')
    and current_setting('cron.database_name', true) = current_database()
  then
    create extension if not exists pg_cron;
    execute $q$select cron.schedule('lore-consolidation', '0 3 * * *', 'call lore.consolidate()')$q$;
  end if;
exception when others then
  raise notice 'pg_cron is not used: %', sqlerrm;
end $$;
--> statement-breakpoint
-- ── sql/consolidation/queue_consolidation.sql ──

-- Puts a lesson that is new, or that says something else now, into the queue of the next night.
create or replace function queue_consolidation() returns trigger
language plpgsql as $$
begin
  insert into consolidation_queue (user_id, learning_id)
  values (new.user_id, new.id)
  on conflict (user_id, learning_id) do update set queued_at = excluded.queued_at, by_words = false;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger queue_consolidation
  after insert or update of lesson, signature, same_key, status, project_id, valid_until
  on learnings
  for each row when (new.status <> 'review' and new.valid_until is null)
  execute function queue_consolidation();
--> statement-breakpoint
-- Deletes what the nights have stored about a record that is erased. Their changes to it can no longer be undone.
create or replace function forget_consolidation() returns trigger
language plpgsql as $$
begin
  delete from consolidation_queue q where q.user_id = old.user_id and q.learning_id = old.id;
  delete from consolidation_pairs p where p.user_id = old.user_id and p.left_id = old.id;
  delete from consolidation_pairs p where p.user_id = old.user_id and p.right_id = old.id;
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
-- Lessons from before there were nights are compared in the first one.
do $$ begin
  if not exists (select from consolidation_runs) then
    insert into consolidation_queue (user_id, learning_id)
    select l.user_id, l.id from learnings l where l.status = 'active' and l.valid_until is null
    on conflict do nothing;
  end if;
end $$;
--> statement-breakpoint
-- ── sql/events/is_persons_prompt.sql ──

-- Returns whether a person wrote the prompt of an event, by its payload. The event says so itself; those from before
-- 0.4 do not, and there only one kind is known.
create or replace function is_persons_prompt(payload jsonb) returns boolean
language sql immutable as $$
  select payload #>> '{lore,by}' is null
    and not starts_with(ltrim(payload ->> 'prompt', E' \n\r\t'), '<task-notification>')
$$;
--> statement-breakpoint
revoke all on function is_persons_prompt from public, anon;
--> statement-breakpoint
grant execute on function is_persons_prompt to authenticated, service_role;
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
  after insert or delete or update of project_id, rule, state
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
  perform pg_notify('lore_learnings',
    coalesce(new.user_id, old.user_id) || ' ' || coalesce(new.project_id, old.project_id));
  if tg_op = 'UPDATE' and old.project_id <> new.project_id then
    perform pg_notify('lore_learnings', old.user_id || ' ' || old.project_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger notify_learnings
  after insert or delete or update of project_id, status, lesson, why, applies_to, target, confidence, success_count,
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
-- ── sql/events/record_event.sql ──

-- Stores a hook event once and updates its session. This is one function, because each statement of a hook is a round
-- trip to the database. Runs as the caller, so row level security applies.
--
--   files              the files that the tool wrote
--   task, title, said  task and title from a prompt, and the assistant's last words at the end of a turn
--   begins             what a person is to do, if the event says that its call waits for one
--
-- Returns null for a new event. A repeated delivery changes nothing and returns the time of the first one.
create or replace function record_event(
  in_session uuid, hook jsonb, key text, from_source text, at timestamptz, on_target text, files text[],
  task text, title text, said text, begins text default null
) returns timestamptz
language plpgsql as $$
declare
  name constant text := hook ->> 'hook_event_name';
  tool constant text := hook ->> 'tool_name';
  failing constant boolean := name = 'PostToolUseFailure';
  call text := hook ->> 'tool_use_id';
  waiting jsonb;
begin
  insert into events (session_id, event, dedup_key, source, agent_id, tool_name, tool_use_id, target, payload,
    occurred_at)
  values (in_session, name, key, from_source, hook ->> 'agent_id', tool, hook ->> 'tool_use_id', on_target, hook,
    at)
  on conflict (user_id, session_id, dedup_key) do nothing;
  if not found then
    return coalesce(
      (select e.occurred_at from events e where e.session_id = in_session and e.dedup_key = key),
      at);
  end if;

  update sessions s set
    last_activity = greatest(s.last_activity, at),
    -- An event from before the session's end that is recovered later does not reopen the session.
    status = case when s.ended_at is null or s.ended_at < at then 'active' else s.status end,
    ended_at = case when s.ended_at >= at then s.ended_at end,
    tools_used = case
      when (name = 'PostToolUse' or failing) and tool <> ''
        then s.tools_used || jsonb_build_object(tool, coalesce((s.tools_used ->> tool)::int, 0) + 1)
      else s.tools_used
    end,
    errors_encountered = s.errors_encountered + failing::int,
    -- The session was resumed, and the event that says so was lost. It can end again.
    starts = s.starts + (coalesce(s.ended_at < at, false) and name not in ('SessionStart', 'SessionEnd'))::int
  where s.id = in_session
  returning s.waits into waiting;

  -- What is read from a transcript later was answered long ago.
  if begins is not null and from_source = 'hook' then
    -- The client names no call when it asks for a permission: it is the last such call.
    call := coalesce(call, (
      select e.tool_use_id from events e
      where e.session_id = in_session and e.event = 'PreToolUse' and e.tool_name = tool
        and e.agent_id is not distinct from hook ->> 'agent_id' and e.payload -> 'tool_input' = hook -> 'tool_input'
      order by e.occurred_at desc, e.id desc limit 1));
    if exists (select from events e
      where e.session_id = in_session and e.tool_use_id = call
        and e.event in ('PostToolUse', 'PostToolUseFailure', 'PermissionDenied'))
    then
      begins := null;
    end if;
    waiting := waits_after(waiting, hook, at, begins, call);
    update sessions s set waits = waiting, waiting_for = waiting #>> '{0,what}' where s.id = in_session;
  elsif waiting <> '[]' then
    waiting := waits_after(waiting, hook, at, null, call);
    update sessions s set waits = waiting, waiting_for = waiting #>> '{0,what}'
    where s.id = in_session and s.waits <> waiting;
  end if;

  -- These are separate updates, because few events need them and they would slow down every event.
  if name = 'SessionStart' then
    update sessions s set
      starts = s.starts + 1,
      branch = coalesce(hook #>> '{lore,branch}', s.branch),
      -- A session may be resumed in another work tree.
      root = coalesce(hook #>> '{lore,root}', s.root),
      transcript_path = coalesce(hook ->> 'transcript_path', s.transcript_path)
    where s.id = in_session;
  elsif name = 'SessionEnd' then
    update sessions s set status = 'completed', ended_at = at, outcome = hook ->> 'reason'
    where s.id = in_session;
  elsif cardinality(files) > 0 then
    update sessions s set
      files_modified = (select array_agg(distinct f) from unnest(s.files_modified || files) f)
    where s.id = in_session;
  elsif task is not null or said is not null then
    update sessions s set
      task_description = coalesce(s.task_description, task),
      short_title = coalesce(s.short_title, title),
      summary = coalesce(said, s.summary)
    where s.id = in_session;
  end if;
  return null;
end $$;
--> statement-breakpoint
revoke all on function record_event from public, anon;
--> statement-breakpoint
grant execute on function record_event to authenticated, service_role;
--> statement-breakpoint
-- Stores several events in their order, in one call. Returns for each what record_event returns.
create or replace function record_events(entries jsonb) returns timestamptz[]
language plpgsql as $$
declare
  e record;
  results timestamptz[] := '{}';
begin
  for e in
    select *
    from jsonb_to_recordset(entries) as r (session_id uuid, hook jsonb, key text, source text, at timestamptz,
      target text, files text[], task text, title text, said text, begins text)
  loop
    results := results || record_event(e.session_id, e.hook, e.key, e.source, e.at, e.target, e.files, e.task, e.title,
      e.said, e.begins);
  end loop;
  return results;
end $$;
--> statement-breakpoint
revoke all on function record_events from public, anon;
--> statement-breakpoint
grant execute on function record_events to authenticated, service_role;
--> statement-breakpoint
-- ── sql/events/waits_after.sql ──

-- Returns what a session's client waits for a person to do, after an event: a list of
--
--   what          what the person is to do
--   agent         the agent that waits; null is the main one
--   tool, input   the call that waits, with a hash of its input
--   call          the id of that call, if it is known
--   since         when it began
--
-- What waits is a call, so it goes on with that call only: other calls and other agents go on meanwhile. It ends with
-- the answer to the call, with the same call made anew, and with the turn of its agent.
--
--   begins   what the person is to do, if the event says that its call waits now; else null
--   call     the id of the event's call, if it is known
create or replace function waits_after(waits jsonb, hook jsonb, at timestamptz, begins text, call text) returns jsonb
language sql stable
set search_path = ''
as $$
  with event as (
    select hook ->> 'hook_event_name' as name, hook ->> 'agent_id' as agent, hook ->> 'tool_name' as tool,
      md5((hook -> 'tool_input')::text) as input),
  kept as (
    select w.entry, w.n
    from event e, jsonb_array_elements(waits) with ordinality w (entry, n)
    where (w.entry ->> 'since')::timestamptz > at or not (
      -- a dialog takes the keyboard, so whoever prompts has answered it
      e.name in ('SessionStart', 'SessionEnd', 'UserPromptSubmit')
      or (w.entry ->> 'agent') is not distinct from e.agent and (
        e.name in ('Stop', 'StopFailure', 'SubagentStop', 'PostToolBatch')
        or e.name in ('PostToolUse', 'PostToolUseFailure', 'PermissionDenied') and case
          when w.entry ->> 'call' is not null and call is not null then w.entry ->> 'call' = call
          else (w.entry ->> 'tool', w.entry ->> 'input') is not distinct from (e.tool, e.input) end
        or e.name in ('PreToolUse', 'PermissionRequest')
          and (w.entry ->> 'tool', w.entry ->> 'input') is not distinct from (e.tool, e.input)
          and w.entry ->> 'call' is distinct from call))
    union all
    select jsonb_build_object('what', begins, 'agent', e.agent, 'tool', e.tool, 'input', e.input, 'call', call,
      'since', at), 1000
    from event e
    where begins is not null
      and not exists (select from jsonb_array_elements(waits) w
        where (w ->> 'agent') is not distinct from e.agent and (w ->> 'call') is not distinct from call
          and (w ->> 'tool', w ->> 'input') is not distinct from (e.tool, e.input)))
  select coalesce(jsonb_agg(k.entry order by k.n), '[]') from kept k
$$;
--> statement-breakpoint
revoke all on function waits_after from public, anon;
--> statement-breakpoint
grant execute on function waits_after to authenticated, service_role;
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

-- Returns the text by which an episode is found: its task, what the agent said of it, its work items and files.
create or replace function episode_document(e episodes) returns text
language sql immutable as $$
  select concat_ws(E'\n',
    e.description,
    nullif(left(e.last_message, 400), ''),
    e.error,
    nullif(concat_ws(' ', variadic e.work_items), ''),
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
  e.agent_type as agent,
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
    'complexity', e.complexity,
    'branch', e.branch,
    'workItems', e.work_items,
    'filesModified', e.files_modified,
    'agentType', e.agent_type,
    'private', e.private,
    'startedAt', to_char(e.started_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from episodes e;
--> statement-breakpoint
create or replace trigger index_episode
  after insert or delete or update of project_id, description, last_message, error, work_items, files_modified, outcome,
    agent_type, started_at, ended_at, private
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
-- which is the one that is told of.
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
    'tool', i.tool_name,
    'call', incident_call(i),
    'error', i.error,
    'errorType', i.error_type,
    'signature', i.signature,
    'outcome', incident_outcome(i),
    'createdAt', to_char(i.opened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'resolvedAt', to_char(i.resolved_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from incidents i
where not exists (
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
-- The lessons that can be found. A lesson under review is kept, but cannot be found.
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
  p.confidence,
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
    'failures', p.failures,
    'private', p.private,
    'pinned', p.pinned)) as metadata
from patterns p
where p.status = 'active';
--> statement-breakpoint
-- The counters are not in this list, because they change with each session.
create or replace trigger index_pattern
  after insert or delete or update of project_id, name, triggers, template, confidence, private, status, last_used,
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

-- Returns the text by which a skill is found: its name, what it is for, and its category. Not its whole text: a step
-- that happens to mention a word does not make it the skill for it.
create or replace function skill_document(s skills) returns text
language sql immutable as $$
  select concat_ws(E'\n', translate(s.name, '-_.', '   '), s.description, s.category)
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
  s.source_subagent as agent,
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
    'description', s.description,
    'category', s.category,
    'evaluatedBy', s.evaluated_by,
    'sourceSubagent', s.source_subagent)) as metadata
from skills s;
--> statement-breakpoint
create or replace trigger index_skill
  after insert or delete or update of project_id, name, description, category, source_subagent, valid_from, valid_until
  on skills
  for each row execute function index_record('skill');
--> statement-breakpoint
-- ── sql/metrics/measure_session.sql ──

-- Returns what the events of one of the caller's sessions tell about how it went, and the shell commands that passed,
-- each with its first time: whether one of them is a check is not for SQL to say.
--
-- The agent is at work from a prompt on until the turn ends. Waiting for the person does not count. A pause of more
-- than ten minutes counts as ten, because then the machine was asleep, or a question waited.
create or replace function session_counts(
  in_session uuid,
  out started timestamptz, out first_prompt timestamptz, out prompts int, out calls int, out commands int,
  out errors int, out repeated_errors int, out working_ms bigint, out passed jsonb
)
language sql stable as $$
  with e as (
    select e.id, e.event, e.tool_name, e.tool_use_id, e.occurred_at as at,
      e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload) as prompt,
      e.event in ('PostToolUse', 'PostToolUseFailure') as call,
      lag(e.occurred_at) over (order by e.occurred_at, e.id) as before
    from events e
    where e.session_id = in_session
  ), c as (
    select min(at) as started, min(at) filter (where prompt) as first_prompt,
      count(*) filter (where prompt) as prompts, count(*) filter (where call) as calls,
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
    where i.session_id = in_session
    group by i.signature
  )
  select c.started, c.first_prompt, c.prompts::int, c.calls::int, c.commands::int,
    (select count(*)::int from i), (select count(*)::int from i where i.repeated), (c.working * 1000)::bigint,
    (select coalesce(jsonb_agg(p order by p.at), '[]') from (
      select t.target, min(e.at) as at,
        (select count(*) from e b where b.call and b.tool_name = 'Bash' and b.at >= c.first_prompt
          and (b.at, b.id) <= (min(e.at), min(e.id))) as commands
      from e join events t on t.id = e.id
      where e.event = 'PostToolUse' and e.tool_name = 'Bash' and e.at >= c.first_prompt and t.target is not null
        and not exists (
          select from incidents x where x.session_id = in_session and x.tool_use_id = e.tool_use_id)
      group by t.target) p)
  from c
$$;
--> statement-breakpoint
-- ── sql/metrics/metrics_by_day.sql ──

-- Returns numbers for each of the caller's days (UTC) since an instant; days without any are left out. They are: the
-- sessions that have ended, on the day on which they began; how many of these met an error that their project had met
-- before; their different errors, and how many of these the project had met before; the commands that were checked, and
-- how long they waited (milliseconds).
create or replace function metrics_by_day(since timestamptz)
returns table (
  day date, sessions int, repeating int, errors int, repeated_errors int, checks int, check_p50 float8, check_p95 float8
)
language sql stable as $$
  with m as (
    select (m.started_at at time zone 'UTC')::date as day, count(*)::int as sessions,
      (count(*) filter (where m.repeated_errors > 0))::int as repeating,
      sum(m.errors)::int as errors, sum(m.repeated_errors)::int as repeated_errors
    from session_measures m
    where m.user_id = auth.uid() and m.started_at >= since and m.calls > 0
    group by 1
  ), c as (
    select (c.checked_at at time zone 'UTC')::date as day, count(*)::int as checks,
      percentile_cont(0.5) within group (order by c.ms) as p50,
      percentile_cont(0.95) within group (order by c.ms) as p95
    from command_checks c
    where c.user_id = auth.uid() and c.checked_at >= since and c.tool is null
    group by 1
  )
  select day, coalesce(m.sessions, 0), coalesce(m.repeating, 0), coalesce(m.errors, 0),
    coalesce(m.repeated_errors, 0), coalesce(c.checks, 0), c.p50, c.p95
  from m full join c using (day)
  order by day
$$;
--> statement-breakpoint
-- ── sql/plans/change_step.sql ──

-- What agents do with the steps of a plan. Each function locks the plan first, so changes of one plan come one after
-- the other, and two agents never hold one step. Each returns null if it was done, else why not:
--
--   missing    there is no such plan or step
--   stale      the plan has another version than the caller saw
--   held       another agent holds the step
--   free       nobody holds it
--   waits      a step before it is not completed
--   proposed   it was not accepted yet
--   closed     it is completed or failed, or its plan is

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
-- Returns why nothing can be done with a plan that was locked; null if something can.
create or replace function plan_fault(p plans, seen integer) returns text
language sql immutable as $$
  select case
    when p.id is null then 'missing'
    when seen <> p.version then 'stale'
  end
$$;
--> statement-breakpoint
-- Locks a plan. Returns why nothing can be done with it; null if something can.
create or replace function hold_plan(of_plan uuid, seen integer) returns text
language plpgsql as $$
begin
  return plan_fault(lock_plan(of_plan), seen);
end $$;
--> statement-breakpoint
create or replace function claim_step(
  of_plan uuid, step integer, by_holder text, shown text, lease_seconds integer, seen integer default null,
  in_session uuid default null, with_call text default null
) returns text
language plpgsql as $$
declare
  fault text;
  p plans;
  s plan_steps;
begin
  -- An agent that comes too late need not wait for the others to be told so.
  if seen is null and exists (select from plan_steps h where h.plan_id = of_plan and h.number = step
      and is_step_held(h) and h.holder is distinct from by_holder) then
    return 'held';
  end if;
  -- The same holds for an agent that comes at the same moment: it need not wait until others have claimed other steps.
  if not pg_try_advisory_xact_lock(hashtextextended(of_plan || ' ' || step, 0)) then
    return 'held';
  end if;
  p := lock_plan(of_plan);
  fault := plan_fault(p, seen);
  if fault is not null then
    return fault;
  end if;
  select * into s from plan_steps where plan_id = of_plan and number = step;
  fault := case
    when s.id is null then 'missing'
    when s.proposed then 'proposed'
    when s.status in ('completed', 'failed') or p.status in ('completed', 'failed') then 'closed'
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
-- Renews the lease of who holds a step.
create or replace function heartbeat_step(of_plan uuid, step integer, by_holder text, lease_seconds integer)
returns text
language plpgsql as $$
declare
  s plan_steps;
begin
  select * into s from plan_steps where plan_id = of_plan and number = step for update;
  if s.id is null then
    return 'missing';
  elsif s.status in ('completed', 'failed') then
    return 'closed';
  elsif s.status <> 'in_progress' then
    return 'free';
  elsif s.holder is distinct from by_holder then
    return 'held';
  end if;
  update plan_steps set lease_until = clock_timestamp() + make_interval(secs => lease_seconds) where id = s.id;
  return null;
end $$;
--> statement-breakpoint
-- Completes a step, fails it, or gives it back (to_status pending). Who holds it may be told; then nobody else's step
-- is changed. With its last step a plan is completed. A failed step that is given back can be tried again.
create or replace function end_step(
  of_plan uuid, step integer, to_status text, by_holder text, shown text, what_came text default null,
  seen integer default null, said jsonb default null
) returns text
language plpgsql as $$
declare
  fault text := hold_plan(of_plan, seen);
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
    when s.status = 'failed' and to_status <> 'pending' then 'closed'
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
-- Adds a note to a step, or to the plan itself (step 0). Returns why not.
create or replace function note_step(of_plan uuid, step integer, words text, shown text) returns text
language plpgsql as $$
declare
  fault text := hold_plan(of_plan, null);
begin
  if fault is null and step <> 0
      and not exists (select from plan_steps where plan_id = of_plan and number = step) then
    fault := 'missing';
  end if;
  if fault is not null then
    return fault;
  end if;
  perform keep_plan_version(of_plan, step, 'noted', shown, jsonb_build_object('text', words));
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
    perform hold_plan(s.plan_id, null);
    -- it may have been renewed or given back meanwhile
    if exists (select from plan_steps x where x.plan_id = s.plan_id and x.number = s.number
        and x.status = 'in_progress' and x.lease_until <= clock_timestamp()) then
      perform note_step(s.plan_id, s.number, 'Nothing was heard of ' || coalesce(s.assigned_to, 'its agent') ||
        ', so the step is free again.', 'lore');
      perform end_step(s.plan_id, s.number, 'pending', null, 'lore');
      n := n + 1;
    end if;
  end loop;
  return n;
end $$;
--> statement-breakpoint
-- ── sql/realtime/at_work.sql ──

-- Returns whether a session was ever prompted or made a call. A client that resumes a session may first start another
-- one, in which nothing ever happens.
create or replace function has_worked(session uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from public.events e
    where e.session_id = session
      and e.event in ('UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'))
$$;
--> statement-breakpoint
-- Returns whether an open session is at work: it was prompted or made a call, and its turn has not ended since. Agents
-- that go on behind the turn are at work until they stop. What tells of neither (a notification …) is passed over.
create or replace function is_at_work(session uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select coalesce((
    select e.event not in ('Stop', 'StopFailure', 'SessionStart', 'SessionEnd')
    from public.events e
    where e.session_id = session
      and (e.event in ('UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch',
          'PermissionRequest', 'PermissionDenied', 'Stop', 'StopFailure', 'SessionEnd')
        -- compaction starts the session anew in the middle of a turn
        or e.event = 'SessionStart' and e.payload ->> 'source' is distinct from 'compact')
      and (e.agent_id is null or not exists (
        select from public.events z
        where z.session_id = session and z.event = 'SubagentStop' and z.agent_id = e.agent_id and z.id > e.id))
    order by e.occurred_at desc, e.id desc limit 1), false)
$$;
--> statement-breakpoint
revoke all on function has_worked, is_at_work from public, anon;
--> statement-breakpoint
grant execute on function has_worked, is_at_work to authenticated, service_role;
--> statement-breakpoint
-- ── sql/realtime/dashboard.sql ──

-- Returns what the phone page shows first, of the caller: how each project stands, the counts of the day that it is in
-- a time zone, and what waits for a person. Statuses are those that refresh_dashboard_project keeps.
--
--   waiting   commands that were denied within a day and that nobody has decided on since; steps of open plans that
--             wait for somebody; sessions whose client waits, unless one of their steps says so already
--
-- In PL/pgSQL, so that it is planned once for a connection and not for each call.
create or replace function dashboard(time_zone text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  return (
  with today as materialized (select date_trunc('day', now(), time_zone) as start),
  checks as materialized (
    select s.project_id, sum(c.commands) as commands, sum(c.allowed) as allowed, sum(c.denied) as denied,
      sum(c.held) as held, sum(c.unverified) as unverified
    from (
      select k.session_id,
        count(*) filter (where k.tool is null) as commands,
        count(*) filter (where k.decision = 'allow') as allowed,
        count(*) filter (where k.decision = 'deny' and k.source <> 'guard') as denied,
        -- what a person's rule or a lesson stopped says nothing about how safe it was
        count(*) filter (where k.source in ('guard', 'lesson')) as held,
        count(*) filter (where k.source = 'none') as unverified
      from public.command_checks k
      where k.user_id = (select auth.uid()) and k.checked_at >= (select start from today)
      group by k.session_id) c
    left join public.sessions s on s.user_id = (select auth.uid()) and s.id = c.session_id
    group by s.project_id),
  sessions as materialized (
    select s.project_id, count(*) as sessions
    from public.sessions s
    where s.user_id = (select auth.uid()) and s.last_activity >= (select start from today)
      and public.has_worked(s.id)
    group by s.project_id),
  lessons as materialized (
    select l.project_id, count(*) as today
    from public.learnings l
    where l.user_id = (select auth.uid()) and l.valid_until is null and l.created_at >= (select start from today)
    group by l.project_id),
  standing as materialized (
    select p.id, coalesce(d.name, p.name) as name, coalesce(d.status, 'idle') as status, d.reason,
      greatest(p.last_activity, d.last_activity) as last_activity, d.last_title,
      coalesce(d.active_sessions, 0) as active_sessions,
      coalesce(s.sessions, 0) as sessions, coalesce(l.today, 0) as learnings, coalesce(c.commands, 0) as commands,
      coalesce(c.denied, 0) as denied,
      (select count(*) from public.incidents i
       where i.user_id = p.user_id and i.project_id = p.id and i.opened_at >= (select start from today)) as errors,
      task.told as task
    from public.projects p
    left join public.dashboard_projects d on d.user_id = p.user_id and d.project_id = p.id
    left join sessions s on s.project_id = p.id
    left join lessons l on l.project_id = p.id
    left join checks c on c.project_id = p.id
    left join lateral (
      select jsonb_build_object(
          'planId', q.id, 'goal', q.goal, 'done', n.done, 'total', n.total,
          'step', case when at_work.number is not null then
            jsonb_build_object('number', at_work.number, 'description', at_work.description) end,
          'agent', at_work.assigned_to,
          'model', coalesce(
            (select o.model from public.sessions o where o.user_id = q.user_id and o.id = at_work.session_id),
            (select o.model from public.sessions o
             where o.user_id = q.user_id and o.project_id = q.project_id and o.plan_id = q.id and o.model is not null
             order by o.last_activity desc limit 1))) as told
      from public.plans q
      cross join lateral (
        select count(*) filter (where not s.proposed) as total,
          count(*) filter (where not s.proposed and s.status = 'completed') as done
        from public.plan_steps s where s.user_id = q.user_id and s.plan_id = q.id) n
      left join lateral (
        select s.number, s.description, s.assigned_to, s.session_id
        from public.plan_steps s
        where s.user_id = q.user_id and s.plan_id = q.id and s.status = 'in_progress'
        order by s.number limit 1) at_work on true
      where q.user_id = p.user_id and q.project_id = p.id and q.status = 'in_progress'
      order by q.updated_at desc limit 1) task on true
    where p.user_id = (select auth.uid())
    order by greatest(p.last_activity, d.last_activity) desc limit 200),
  waiting as materialized (
    select 'command' as kind, k.code as id, coalesce(p.name, k.cwd) as project, k.command as title, k.reason as detail,
      k.checked_at as at,
      jsonb_build_object('rule', k.rule, 'tool', k.tool, 'held', k.source = 'guard',
        'catastrophic', k.severity is not distinct from 'catastrophic', 'covered', k.covered, 'cwd', k.cwd) as about
    from public.command_checks k
    left join public.sessions s on s.user_id = k.user_id and s.id = k.session_id
    left join public.projects p on p.user_id = s.user_id and p.id = s.project_id
    where k.user_id = (select auth.uid()) and k.checked_at > now() - interval '24 hours'
      and k.decision = 'deny' and k.source <> 'person'
      -- the last word on this command; by its code, because that has an index
      and not exists (select from public.command_checks l
        where l.user_id = k.user_id and l.code = k.code and l.key = k.key and l.id > k.id)
      and not exists (select from public.command_cache v
        where v.user_id = k.user_id and v.key = k.key and v.checked_by = 'person')
    union all
    select 'step', q.id || '/' || s.number, p.name, s.description, 'waits for ' || s.waiting_for,
      coalesce(
        (select max(c.recorded_at) from public.plan_changes c
         where c.user_id = q.user_id and c.plan_id = q.id and c.step = s.number and c.action = 'waits'),
        q.updated_at),
      '{}'
    from public.plan_steps s
    join public.plans q on q.user_id = s.user_id and q.id = s.plan_id
    join public.projects p on p.user_id = q.user_id and p.id = q.project_id
    where s.user_id = (select auth.uid()) and s.waiting_for is not null and s.status in ('pending', 'in_progress')
      and q.status in ('planning', 'in_progress')
    union all
    select 'client', s.id::text, p.name, 'Waits for ' || s.waiting_for, coalesce(s.short_title, ''), s.last_activity,
      '{}'
    from public.sessions s
    join public.projects p on p.user_id = s.user_id and p.id = s.project_id
    where s.user_id = (select auth.uid()) and s.status = 'active' and s.waiting_for is not null
      and not exists (select from public.plan_steps t
        where t.user_id = s.user_id and t.session_id = s.id and t.waiting_for = s.waiting_for
          and t.status in ('pending', 'in_progress'))),
  newest as (select * from waiting order by at desc limit 100)
  select jsonb_build_object(
    'now', now(),
    'today', (
      select jsonb_build_object(
        'sessions', coalesce((select sum(sessions) from sessions), 0),
        'learnings', coalesce((select sum(today) from lessons), 0),
        'commands', coalesce(sum(c.commands), 0),
        'errors', (select count(*) from public.incidents i
          where i.user_id = (select auth.uid()) and i.opened_at >= (select start from today)),
        'allowed', coalesce(sum(c.allowed), 0),
        'denied', coalesce(sum(c.denied), 0),
        'held', coalesce(sum(c.held), 0),
        'unverified', coalesce(sum(c.unverified), 0),
        'safetyRate', sum(c.allowed)::float8 / nullif(sum(c.allowed) + sum(c.denied), 0))
      from checks c),
    'projects', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', p.id, 'name', p.name, 'status', p.status, 'reason', p.reason, 'lastActivity', p.last_activity,
          'lastTitle', p.last_title, 'activeSessions', p.active_sessions,
          'today', jsonb_build_object('sessions', p.sessions, 'learnings', p.learnings, 'commands', p.commands,
            'errors', p.errors, 'denied', p.denied),
          'task', p.task)
        order by p.last_activity desc), '[]')
      from standing p),
    'waiting', (
      select coalesce(jsonb_agg(
        jsonb_build_object('kind', w.kind, 'id', w.id, 'project', w.project, 'title', w.title, 'detail', w.detail,
          'at', w.at, 'about', w.about)
        order by w.at desc), '[]')
      from newest w),
    'counts', jsonb_build_object(
      'learnings', (
        select count(*) from public.learnings l
        where l.user_id = (select auth.uid()) and l.status = 'active' and l.valid_until is null),
      'waiting', (select count(*) from waiting))));
end $$;
--> statement-breakpoint
revoke all on function dashboard from public, anon;
--> statement-breakpoint
grant execute on function dashboard to authenticated, service_role;
--> statement-breakpoint
-- ── sql/realtime/refresh_dashboard_project.sql ──

-- Brings the row up to date that tells how a project stands now. Nothing is written when it says so already.
--
-- blocked   a session waits for a person (`waits_after`), as the list of what waits says
-- active    a session is at work: a person prompted it or it made a call, and its turn has not ended
-- idle      neither
create or replace function refresh_dashboard_project(project uuid) returns void
language sql
set search_path = ''
as $$
  insert into public.dashboard_projects as d
    (user_id, project_id, name, status, reason, last_activity, last_title, active_sessions, day, errors_today,
      lessons_today)
  select p.user_id, p.id, p.name,
    case when a.blocked > 0 then 'blocked' when a.working > 0 then 'active' else 'idle' end,
    a.reason,
    greatest(p.last_activity, last.last_activity), last.short_title, a.working + a.blocked, today.day,
    (select count(*) from public.incidents i
     where i.user_id = p.user_id and i.project_id = p.id and i.opened_at >= today.start),
    (select count(*) from public.learnings l
     where l.user_id = p.user_id and l.project_id = p.id and l.valid_until is null and l.created_at >= today.start)
  from public.projects p
  cross join (
    select (now() at time zone 'utc')::date as day, date_trunc('day', now(), 'utc') as start) today
  left join lateral (
    select s.last_activity, s.short_title
    from public.sessions s
    where s.user_id = p.user_id and s.project_id = p.id
    order by s.last_activity desc limit 1) last on true
  cross join lateral (
    select count(*) filter (where s.waiting_for is not null) as blocked,
      count(*) filter (where s.waiting_for is null and public.is_at_work(s.id)) as working,
      min('waits for ' || s.waiting_for) as reason
    from public.sessions s
    where s.user_id = p.user_id and s.project_id = p.id and s.status = 'active') a
  where p.id = project
  on conflict (user_id, project_id) do update set
    name = excluded.name, status = excluded.status, reason = excluded.reason,
    last_activity = excluded.last_activity, last_title = excluded.last_title,
    active_sessions = excluded.active_sessions, day = excluded.day, errors_today = excluded.errors_today,
    lessons_today = excluded.lessons_today
  where (d.name, d.status, d.reason, d.last_activity, d.last_title, d.active_sessions, d.day, d.errors_today,
      d.lessons_today)
    is distinct from (excluded.name, excluded.status, excluded.reason, excluded.last_activity, excluded.last_title,
      excluded.active_sessions, excluded.day, excluded.errors_today, excluded.lessons_today)
$$;
--> statement-breakpoint
revoke all on function refresh_dashboard_project from public, anon;
--> statement-breakpoint
grant execute on function refresh_dashboard_project to authenticated, service_role;
--> statement-breakpoint
-- ── sql/realtime/take_changes.sql ──

-- Returns the parts of an object that have one of these names.
create or replace function lore.parts_of(image jsonb, names text[]) returns jsonb
language sql immutable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(image) where key = any (names)
$$;
--> statement-breakpoint
-- Takes the next changes that wait for a server, the oldest first, and says who hears of them. This is where row level
-- security holds, as in Supabase's Realtime: the filter is tried on the row as it was then, and the row must be one
-- that the subscriber may read now. A deleted row cannot be checked any more. Its subscribers, who are the row's own
-- user as for all changes, are told its primary key.
--
-- A row for each change and each group of subscribers that are told the same: `targets` are [[channel, binding]],
-- `data` is what they are told, as JSON. If a filter fails on a row, the subscriptions of its channels end, because
-- they would miss changes, and all others go on: then `failed` says why and there is no data. The last row has no
-- targets, and the number of changes taken as its data.
create or replace function lore.take_changes(for_server uuid, most int)
returns table (targets jsonb, data text, failed text)
language plpgsql
set search_path = ''
as $$
declare
  change record;
  about record;
  listener record;
  taken int := 0;
  fits boolean;
  visible boolean;
  asked jsonb;
  columns_told jsonb;
  told jsonb;
  own_role constant text := current_setting('role');
  -- Supabase's limit of a row in bytes, and the longest value that is told of a larger row
  most_bytes constant int := 1048576;
  most_of_value constant int := 64;
begin
  for change in
    with next as (
      delete from lore.realtime_changes c
      where c.id in (select w.id from lore.realtime_changes w where w.server = for_server order by w.id limit most)
      returning c.*
    )
    select next.*, n.nspname as schema, r.relname as table_name, octet_length(next.image::text) > most_bytes as large
    from next
    join pg_class r on r.oid = next.relation
    join pg_namespace n on n.oid = r.relnamespace
    order by next.id
  loop
    taken := taken + 1;
    asked := null;
    -- the columns of the primary key, and SQL that compares them with those of the image
    select array_agg(a.attname::text) as key,
      string_agg(format('t.%I = ($1 ->> %L)::%s', a.attname, a.attname, format_type(a.atttypid, a.atttypmod)), ' and ')
        as is_row
    into about
    from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey::int2[])
    where i.indrelid = change.relation and i.indisprimary;
    if change.type = 'DELETE' then
      change.image := lore.parts_of(change.image, about.key);
    end if;
    for listener in
      select s.claims, s.columns, s.condition, jsonb_agg(jsonb_build_array(s.channel, s.binding)) as who
      from lore.realtime_subscriptions s
      where s.server = for_server and s.relation = change.relation and s.user_id = change.user_id
        and s.event in ('*', change.type)
      group by s.claims, s.columns, s.condition
      order by s.claims
    loop
      if listener.condition is not null then
        begin
          execute format('select exists (select from jsonb_populate_record(null::%s, $1) r where %s)',
            change.relation, listener.condition) into fits using change.image;
        exception
          when others then failed := sqlerrm;
        end;
        if failed is not null then
          delete from lore.realtime_subscriptions s
          where s.server = for_server
            and s.channel in (select (w.target ->> 0)::int from jsonb_array_elements(listener.who) w (target));
          targets := listener.who;
          data := null;
          return next;
          failed := null;
          continue;
        end if;
        continue when not fits;
      end if;
      if change.type = 'DELETE' then
        visible := true;
      elsif asked is distinct from listener.claims then
        asked := listener.claims;
        perform set_config('request.jwt.claims', asked::text, true), set_config('role', asked ->> 'role', true);
        execute format('select exists (select from %s t where %s)', change.relation, about.is_row)
          into visible using change.image;
        perform set_config('role', own_role, true), set_config('request.jwt.claims', '', true);
      end if;
      continue when not visible;
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', y.typname) order by a.attnum),
        lore.parts_of(change.image, array_agg(a.attname::text))
      into columns_told, told
      from pg_attribute a
      join pg_type y on y.oid = a.atttypid
      where a.attrelid = change.relation and a.attnum > 0 and not a.attisdropped
        and (listener.columns is null or a.attname = any (listener.columns || about.key))
        and has_column_privilege(listener.claims ->> 'role', change.relation, a.attnum, 'select');
      if change.large then
        select jsonb_object_agg(key, value) into told from jsonb_each(told)
        where octet_length(value::text) <= most_of_value;
      end if;
      targets := listener.who;
      data := jsonb_build_object(
        'schema', change.schema, 'table', change.table_name, 'type', change.type, 'columns', columns_told,
        'commit_timestamp', to_char(change.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'errors', case when change.large then jsonb_build_array('Error 413: Payload Too Large') end)
        || case when change.type <> 'DELETE' then jsonb_build_object('record', told) else '{}' end
        || case when change.type <> 'INSERT' then jsonb_build_object('old_record', lore.parts_of(told, about.key))
          else '{}' end;
      return next;
    end loop;
  end loop;
  targets := null;
  data := taken::text;
  return next;
end $$;
--> statement-breakpoint
-- ── sql/search/search_candidates.sql ──

-- Chooses the texts to score when the scope is too large to score all of them: the nearest by vector, those with the
-- rarest words of the query, the newest 200 that wait for their vector, and without a project also the 50 confirmed
-- last. Also returns how many texts have each lexeme. The counts passed in are those of a sample of `texts` texts; rare
-- words are counted again, exactly, by the full text index. What the filters leave out is no
-- candidate, so that they never leave a search without results.
create or replace function search_candidates(
  lexemes text[], inout counts float8[], texts int, size int,
  query_embedding vector(384), model text, in_project uuid, in_kinds text[], shelves text[], as_of timestamptz,
  superseded boolean, exclude_agent text, in_channels text[], only_agent text, message_types text[],
  mentioning text[], breadcrumbs boolean, min_words int, out candidates uuid[]
)
language plpgsql volatile as $$
declare
  me constant uuid := auth.uid();
  -- With these limits the recall of the ten best was 0.99 or more at 20,000 and at 100,000 texts.
  most_near constant int := least(200, 50 + size / 2000);
  most_by_words constant int := least(1500, 300 + size / 333);
begin
  with found as (
    select l.lexeme, l.n, l.n < 5 or l.n * size / texts <= most_by_words or l.n = min(l.n) over () as rare
    from unnest(lexemes, counts) l(lexeme, n)
  ), looked_up as materialized (
    select w.lexeme, w.ids, cardinality(w.ids) as n
    from lore.documents_with_each(
      (select array_agg(f.lexeme) from found f where f.rare), in_project, shelves, exclude_agent, in_channels,
      only_agent, message_types, mentioning, breadcrumbs, min_words, most_by_words * 2 / 3) w
  ), led as (
    select u.ids, u.n, sum(u.n) over (order by u.n, u.lexeme) as led_to
    from looked_up u
  )
  select
    (
      select array_agg(coalesce(u.n, f.n * size / texts) order by f.lexeme)
      from found f left join looked_up u using (lexeme)
    ), (
      select array_agg(d.id)
      from led l, unnest(l.ids) d(id)
      where l.led_to <= most_by_words or l.led_to = l.n
    )
  into counts, candidates;

  select array_agg(c.id) into candidates
  from (
    (
      select near.id
      from documents_near(query_embedding, model, in_project, in_kinds, shelves, as_of, superseded,
        exclude_agent, in_channels, only_agent, message_types, mentioning, breadcrumbs,
        min_words, most_near) near(id)
      where query_embedding is not null
    )
    union
    (
      select unnest(candidates)
    )
    union
    (
      select d.id
      from (
        select w.id, w.project_id, w.shelf
        from search_documents w
        where w.user_id = me and w.embedding_model is null
        order by w.confirmed_at desc
        limit 200
      ) d
      where (in_project is null or d.project_id = in_project or d.project_id is null) and d.shelf = any (shelves)
    )
    union
    (
      select d.id
      from search_documents d
      where in_project is null and d.user_id = me and d.shelf = any (shelves)
      order by d.confirmed_at desc
      limit 50
    )
  ) c;
end $$;
--> statement-breakpoint
-- ── sql/search/search_hybrid.sql ──

-- Hybrid search, by words and by meaning. docs/search.md explains each step and factor. Runs as the caller, so row
-- level security applies.
--
-- scope → candidates → relevance × confidence × recency × telling × links → variety → amendments above what they amend
--
-- The scope of a project is its own texts and the user's texts that belong to no project. Without a project, the scope
-- is all texts of the user. Either has only what stands on the shelves of the kinds (see search_shelves).
--
--   score        the product of the factors; the rows are ordered by it
--   relevance    0.6 similarity + 0.4 lexical; 0.8 lexical if the query has no vector. The similarity of a text that
--                waits for its vector is guessed from its words (0.25 + 0.5 lexical), so that it keeps about its place.
--   similarity   cosine of text and query; null when one of them has no vector of the model
--   lexical      BM25 / sum of the query's inverse document frequencies: about 1 when the text has all its words once
--   sure         similarity + 0.4 lexical, or lexical without a vector; by it a result is labelled. A text that amends
--                another one answers as surely as the other.
--   amended      the score that a newer text took over from the older one that it amends; null otherwise
--   in_scope     number of texts in scope, an estimate from 300 on; exact: whether each of them was scored
create or replace function search_hybrid(
  query text, query_embedding vector(384), model text, in_project uuid, in_kinds text[], max_rows int,
  as_of timestamptz default now(), min_confidence real default 0, max_age_days real default null,
  exclude_agent text default null, in_channels text[] default null, superseded boolean default false,
  only_agent text default null, message_types text[] default null, mentioning text[] default null,
  breadcrumbs boolean default null, min_words int default null, per_kind int default null
) returns table (
  kind text, source_id uuid, content text, score float8, relevance float8, similarity float8, lexical float8,
  confidence real, confidence_factor float8, age_days float8, recency_factor float8, telling_factor float8,
  link_factor float8, variety_factor float8, sure float8, amended float8, valid_from timestamptz,
  valid_until timestamptz, project_id uuid, in_scope int, exact boolean
)
language plpgsql volatile
-- One plan for all calls: planning would take longer than searching.
set plan_cache_mode = force_generic_plan
-- The planner does not know how little a shelf may have of the table.
set enable_seqscan = off
set jit = off
set work_mem = '16MB'
as $$
#variable_conflict use_column
declare
  -- With more texts than this in scope, only candidates are scored. (lore.exact_limit lets a benchmark score all texts,
  -- to compare.)
  small constant int := 5000;
  exact_limit constant int := coalesce(nullif(current_setting('lore.exact_limit', true), '')::int, small);
  me constant uuid := auth.uid();
  shelves constant text[] := search_shelves(in_kinds);
  oldest constant timestamptz := coalesce(as_of - make_interval(secs => max_age_days * 86400.0), '-infinity');
  size int;
  texts int;
  lexemes text[];
  counts float8[];
  asked sparsevec;
  asked_idf float8;
  candidates uuid[];
  all_scored boolean := true;
begin
  select array_agg(l.lexeme order by l.lexeme) into lexemes
  from (
    select u.lexeme from unnest(search_lexemes(query)) u order by length(u.lexeme) desc, u.lexeme limit 32
  ) l;
  select f.counts, f.texts, f.size into counts, texts, size from lexeme_frequencies(lexemes, in_project, shelves) f;
  if size > small then
    candidates := search_passing(in_project, exclude_agent, in_channels, only_agent, message_types, mentioning,
      breadcrumbs, min_words, small);
    all_scored := candidates is not null;
  end if;
  if not all_scored then
    select c.counts, c.candidates into counts, candidates
    from search_candidates(lexemes, counts, texts, size, query_embedding, model, in_project, in_kinds, shelves, as_of,
      superseded, exclude_agent, in_channels, only_agent, message_types, mentioning, breadcrumbs, min_words) c;
    texts := size;
  end if;
  if size > small then
    -- A text that amends one of them may be found by none of its words. Materialized, because the planner would join
    -- the two readings of search_documents first.
    candidates := candidates || array(
      with amending as materialized (
        select a.kind, a.newer_id
        from search_documents o
        join amendments a on a.user_id = me and a.kind = o.kind and a.older_id = o.source_id and a.undone_at is null
        where o.user_id = me and o.id = any (candidates)
      )
      select n.id
      from amending m
      join search_documents n on n.user_id = me and n.kind = m.kind and n.source_id = m.newer_id);
  end if;
  select w.weights, w.total into asked, asked_idf from search_weights(lexemes, counts, texts) w;

  return query
  with recursive scope as (
    -- Only one of these cases has rows: all texts of the user, the two halves of a project's scope, or the candidates.
    select d.*
    from unnest(shelves) s(shelf), lateral (
      select d.ctid as tid, d.*
      from search_documents d
      where size <= exact_limit and in_project is null and d.user_id = me and d.shelf = s.shelf
      union all
      select d.ctid, d.*
      from search_documents d
      where size <= exact_limit and d.user_id = me and d.project_id = in_project and d.shelf = s.shelf
      union all
      select d.ctid, d.*
      from search_documents d
      where size <= exact_limit and in_project is not null and d.user_id = me and d.project_id is null
        and d.shelf = s.shelf
    ) d
    union all
    select d.ctid, d.*
    from search_documents d
    where size > exact_limit and d.user_id = me and d.id = any (candidates)
  ), compared_to_query as (
    select d.tid, d.id, d.kind, d.source_id, d.project_id, d.confidence, d.confirmed_at, d.valid_from, d.valid_until,
      d.half_life_days, d.telling,
      case when d.embedding_model = model then 1 - (d.embedding <=> query_embedding) end as similarity,
      coalesce(-(d.terms <#> asked) / asked_idf, 0) as lexical,
      greatest(date_part('epoch', as_of - d.confirmed_at), 0) / 86400 as age_days
    from scope d
    where d.valid_from <= as_of
      and (superseded or d.valid_until is null or d.valid_until > as_of)
      and (in_kinds is null or d.kind = any (in_kinds))
      -- what is private to a project is found in that project only
      and (in_project is not null or not d.private)
      and d.confidence >= min_confidence
      and d.confirmed_at >= oldest
      and (in_channels is null or d.channel = any (in_channels))
      and (exclude_agent is null or d.agent is distinct from exclude_agent)
      and (only_agent is null or d.agent = only_agent)
      and (message_types is null or d.message_type = any (message_types))
      and (mentioning is null or d.mentions && mentioning)
      and (breadcrumbs is null or d.has_breadcrumbs = breadcrumbs)
      and (min_words is null or d.words >= min_words)
    offset 0 -- without it, each use of a column would compute it again
  ), factored as (
    select c.*,
      case
        when query_embedding is null then 0.8 * c.lexical
        when c.similarity is null then case when c.lexical > 0 then 0.15 + 0.7 * c.lexical else 0 end
        else 0.6 * greatest(c.similarity, 0) + 0.4 * c.lexical
      end as relevance,
      case when c.similarity is null then c.lexical else c.similarity + 0.4 * c.lexical end as sure,
      0.5 + 0.5 * c.confidence as confidence_factor,
      0.9 + 0.1 * power(0.5::float8, c.age_days / c.half_life_days) as recency_factor
    from compared_to_query c
    offset 0
  ), scored as (
    select f.*, f.relevance * f.confidence_factor * f.recency_factor * f.telling as score
    from factored f
    where f.relevance > 0
  ), best as (
    -- Only one of these has rows: the best of all, or the best of each kind, so that none takes the place of another.
    (select s.* from scored s where per_kind is null
     order by s.score desc, s.confirmed_at desc limit greatest(2 * max_rows, 20))
    union all
    select b.*
    from unnest(in_kinds) k(kind),
      lateral (
        select s.* from scored s where per_kind is not null and s.kind = k.kind
        order by s.score desc, s.confirmed_at desc limit per_kind) b
  ), amending as (
    -- from a text that was found to all that amended it since
    select a.kind, a.older_id, a.newer_id
    from amendments a
    where a.user_id = me and a.undone_at is null
      and (a.kind, a.older_id) in (select b.kind, b.source_id from best b)
    union
    select m.kind, m.older_id, a.newer_id
    from amending m
    join amendments a on a.user_id = me and a.kind = m.kind and a.older_id = m.newer_id and a.undone_at is null
  ), items as (
    -- A text in several parts is represented by its best part.
    select distinct on (s.kind, s.source_id) s.*
    from (
      select b.* from best b
      union all
      select s.* from scored s where (s.kind, s.source_id) in (select m.kind, m.newer_id from amending m)
    ) s
    order by s.kind, s.source_id, s.score desc
  ), detailed as materialized (
    select i.*, row_number() over (order by i.score desc, i.confirmed_at desc, i.id) as place,
      d.part, d.content, d.embedding, d.embedding_model, d.links
    from items i
    -- Rows are found again by their place in the table: within one statement it leads to the same version of the row.
    join search_documents d on d.ctid = i.tid
  ), linked as materialized (
    select a.*,
      case
        when a.links <> '{}' and exists (
          select from detailed b where b.place <= 3 and b.id <> a.id and b.links && a.links) then 1.1
        else 1.0
      end::float8 as link_factor
    from detailed a
  ), compared as (
    -- a is a text with a higher score than b.
    select b.id, max(pair.alike) as alike
    from linked a
    join linked b on a.place < b.place,
      lateral (select 1 - (a.embedding <=> b.embedding) as alike offset 0) pair
    where a.embedding_model = model and b.embedding_model = model
    group by b.id
  ), varied as (
    select l.*, v.factor as variety_factor, l.score * l.link_factor * v.factor as own_score
    from linked l
    left join compared c on c.id = l.id
    cross join lateral (select 1 - 0.5 * greatest(coalesce(c.alike, 0) - 0.9, 0) / 0.1 as factor) v
  ), amended as (
    select m.kind, m.newer_id, max(o.own_score) as score, max(o.sure) as sure
    from amending m
    join varied o on o.kind = m.kind and o.source_id = m.older_id
    group by m.kind, m.newer_id
  )
  select v.kind, v.source_id,
    case
      -- a whole text (see search_parts)
      when v.part = 0 and length(v.content) < 100 and v.kind <> 'error' then v.content
      else (
        select string_agg(d.content, '' order by d.part)
        from search_documents d
        where d.user_id = me and d.kind = v.kind and d.source_id = v.source_id)
    end,
    greatest(v.own_score, a.score), v.relevance, v.similarity, v.lexical, v.confidence, v.confidence_factor::float8,
    v.age_days, v.recency_factor, v.telling::float8, v.link_factor, v.variety_factor, greatest(v.sure, a.sure), a.score,
    v.valid_from, v.valid_until, v.project_id, size, size <= exact_limit or all_scored
  from varied v
  left join amended a on a.kind = v.kind and a.newer_id = v.source_id
  -- Of two rows with the same score the newer comes first, and a text comes directly above what it amends.
  order by 4 desc, case when a.score is not null then v.valid_from end desc nulls last, v.confirmed_at desc, v.source_id
  limit max_rows;
end $$;
--> statement-breakpoint
-- ── sql/sessions/join_projects.sql ──

-- Moves all that belongs to one of the caller's projects to another one, and the first one's names with it. The first
-- one is gone then, unless the other says or has the same already: a fact, relation, decision, skill, memory of a skill
-- or pattern of the same key stays where it is, in a project that is called `<name> (joined)`.
--
-- Returns how many rows of each table were moved, and how many stayed. It cannot be undone.
create or replace function join_projects(source uuid, target uuid)
returns table (kind text, moved int, stayed int)
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  -- what makes a row of these tables the same as one of the other project
  same constant jsonb := '{"facts": "subject", "relations": "subject", "decisions": "subject", "skills": "name",
    "skill_memories": "skill", "patterns": "type, form"}';
  left_over int := 0;
  names text[];
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
  select p.name || p.also into names from projects p where p.user_id = me and p.id = source;
  if left_over = 0 then
    delete from projects p where p.user_id = me and p.id = source;
  else
    update projects p set also = '{}',
      name = p.name || case
        when exists (select from projects o where o.user_id = me and o.name = p.name || ' (joined)')
          then ' (joined, ' || left(p.id::text, 8) || ')'
        else ' (joined)'
      end
    where p.user_id = me and p.id = source;
  end if;
  update projects p
  set also = array(select distinct n from unnest(p.also || names) n where n <> p.name order by n)
  where p.user_id = me and p.id = target;
end $$;
--> statement-breakpoint
-- ── sql/sessions/keep_turns.sql ──

-- Keeps the turns of a session: each prompt of a person, with what the agent said last before the next one. It reads
-- the events, so a turn that is kept already only gets the end that it did not have. Prompt and answer together have at
-- most 1,500 characters. `whole`: all turns, and not only the last one that is kept and those after it.
create or replace function keep_turns(in_session uuid, whole boolean) returns void
language plpgsql as $$
declare
  longest constant int := 1499; -- a line end stands between the two
  least_prompt constant int := 700;
  owner_session record;
  since timestamptz := '-infinity';
begin
  select s.client_session_id as name, s.project_id, s.branch into owner_session from sessions s where s.id = in_session;
  if not whole then
    select coalesce(max(t.started_at), since) into since from turns t where t.session = owner_session.name;
  end if;
  insert into turns (project_id, session, start_key, branch, prompt, said, started_at, ended_at)
  select owner_session.project_id, owner_session.name, p.dedup_key, owner_session.branch,
    left(p.prompt, greatest(least_prompt, longest - coalesce(length(a.said), 0))),
    left(a.said, greatest(longest - length(p.prompt), longest - least_prompt)), p.occurred_at, a.occurred_at
  from (
    select e.dedup_key, e.occurred_at, btrim(e.payload ->> 'prompt', E' \n\r\t') as prompt,
      lead(e.occurred_at) over (order by e.occurred_at, e.id) as next_at
    from events e
    where e.session_id = in_session and e.event = 'UserPromptSubmit' and e.agent_id is null
      and e.occurred_at >= since
      and btrim(e.payload ->> 'prompt', E' \n\r\t') <> ''
      and is_persons_prompt(e.payload)
  ) p
  left join lateral (
    select btrim(e.payload ->> 'last_assistant_message', E' \n\r\t') as said, e.occurred_at
    from events e
    where e.session_id = in_session and e.event = 'Stop' and e.agent_id is null
      and e.occurred_at >= p.occurred_at and (p.next_at is null or e.occurred_at < p.next_at)
      and btrim(e.payload ->> 'last_assistant_message', E' \n\r\t') <> ''
    order by e.occurred_at desc, e.id desc
    limit 1
  ) a on true
  on conflict (user_id, session, start_key) do update set said = excluded.said, ended_at = excluded.ended_at
  where excluded.said is not null
    and (turns.said, turns.ended_at) is distinct from (excluded.said, excluded.ended_at);
end $$;
--> statement-breakpoint
revoke all on function keep_turns from public, anon;
--> statement-breakpoint
grant execute on function keep_turns to authenticated, service_role;
--> statement-breakpoint
-- ── sql/temporal/make_decision.sql ──

-- States a decision. `stated` holds its columns; without valid_from it holds from the instant of the change. It begins
-- after the instant `after`, if there is one: that is when the decision begins which it supersedes.
--
-- The same condition and action again, without a period, confirm the decision that is in force, and from a weightier
-- tier give it that tier. Returns the id and what came of it: opened or confirmed; empty (it would end before it
-- begins) and late (it would not begin after `after`) change nothing.
create or replace function make_decision(stated jsonb, after timestamptz, out id uuid, out outcome text)
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  scope constant uuid := coalesce(stated ->> 'project_id', '00000000-0000-0000-0000-000000000000')::uuid;
  -- one at a time, so that two who state the same make one decision
  at timestamptz := temporal_begin('decisions', scope, temporal_subject(stated ->> 'condition', stated ->> 'action'));
  begins constant timestamptz := coalesce(
    (stated ->> 'valid_from')::timestamptz,
    case when temporal_now(at) > after is not false then temporal_now(at) else at end);
  ends constant timestamptz := (stated ->> 'valid_until')::timestamptz;
  known jsonb;
begin
  if after is null and stated ->> 'valid_from' is null and ends is null then
    select to_jsonb(d) into known
    from decisions_as_of(at) d
    where d.user_id = me and d.scope_id = scope
      and d.condition = stated ->> 'condition' and d.action = stated ->> 'action'
    order by temporal_weight(d.tier) desc
    limit 1;
  end if;
  id := known ->> 'id';
  outcome := 'confirmed';
  if known is null then
    id := gen_random_uuid();
    outcome := case when ends <= begins then 'empty' when begins <= after then 'late' else 'opened' end;
    if outcome = 'opened' then
      perform temporal_change('decisions', at, '{}', array[stated || jsonb_build_object('id', id, 'valid_from', begins,
        'stated_until', ends, 'confirmed_at', at, 'confirmations', 0)], 'put');
    end if;
  elsif temporal_weight(stated ->> 'tier') > temporal_weight(known ->> 'tier') then
    at := temporal_begin('decisions', scope, id);
    perform temporal_change('decisions', at, array[id], array[stated || jsonb_build_object('id', id,
      'valid_from', known -> 'valid_from', 'valid_until', known -> 'valid_until',
      'stated_until', known -> 'stated_until', 'confirmed_at', at,
      'confirmations', (known ->> 'confirmations')::int + 1)], 'put');
  else
    update decisions d set confirmed_at = at, confirmations = d.confirmations + 1
    where d.user_id = me and d.recorded_until is null and d.id = make_decision.id;
  end if;
end $$;
--> statement-breakpoint
-- ── sql/temporal/temporal_change.sql ──

-- The core of facts, relations and decisions. A change closes rows and opens others, at one instant of the clock of
-- records. `of_table` is one of these tables, `in_scope` a project or the zero id, `of_subject` what rows are about.
-- Rows travel as jsonb, with the names of their columns.

-- Locks a subject until the transaction ends, so that only one change of it is made at a time. Returns the instant of
-- this change: now, but later than every change before it. Without the lock the constraint on the rows would refuse the
-- later one of two changes.
create or replace function temporal_begin(of_table regclass, in_scope uuid, of_subject uuid) returns timestamptz
language plpgsql as $$
declare
  last timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended(concat(of_table, auth.uid(), in_scope, of_subject), 0));
  execute format(
    'select max(greatest(t.recorded_at, t.recorded_until)) from %s t
     where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2', of_table)
  into last using in_scope, of_subject;
  return greatest(clock_timestamp(), last + interval '1 microsecond');
end $$;
--> statement-breakpoint
-- Returns when what is stated at the instant of a change begins: then, or now if that lies ahead. It does after the
-- clock was ahead once: the clock of records never goes back, but what is stated now holds now.
create or replace function temporal_now(at timestamptz) returns timestamptz
language sql volatile as $$
  select case when at > clock_timestamp() + interval '1 second' then clock_timestamp() else at end
$$;
--> statement-breakpoint
-- Returns the rows of a subject that are believed, in the order of their periods. `before`: those that were believed
-- just before that instant.
create or replace function temporal_rows(
  of_table regclass, in_scope uuid, of_subject uuid, before timestamptz default null
) returns setof jsonb
language plpgsql stable as $$
begin
  return query execute format(
    'select to_jsonb(t) from %s t
     where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2
       and case when $3 is null then t.recorded_until is null
         else t.recorded_at < $3 and (t.recorded_until is null or t.recorded_until >= $3) end
     order by t.valid_from', of_table)
  using in_scope, of_subject, before;
end $$;
--> statement-breakpoint
-- Closes open rows and opens others. One statement, so that the index of search sees what came of both.
--
--   closing   ids of rows that are open
--   opening   rows; those that differ from a closed one only in their period have its id
--   kind      what makes the change: put, end, undo, amendment
create or replace function temporal_change(
  of_table regclass, at timestamptz, closing uuid[], opening jsonb[], kind text
) returns void
language plpgsql as $$
declare
  columns constant text := (
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
    from pg_attribute a
    where a.attrelid = of_table and a.attnum > 0 and not a.attisdropped and a.attgenerated = '');
begin
  execute format(
    'with closed as (
       update %1$s t set recorded_until = $1, closed_by = $2
       where t.user_id = auth.uid() and t.recorded_until is null and t.id = any ($3)
       returning 1
     )
     insert into %1$s (%2$s)
     select %2$s from jsonb_populate_recordset(null::%1$s, $4)
     where (select count(*) from closed) >= 0', of_table, columns)
  using at, kind, closing, (
    select coalesce(jsonb_agg(o.opened || jsonb_build_object(
      'user_id', auth.uid(), 'recorded_at', at, 'recorded_until', null, 'opened_by', kind, 'closed_by', null)), '[]')
    from unnest(opening) o(opened));
end $$;
--> statement-breakpoint
-- ── sql/temporal/temporal_put.sql ──

-- Returns the period of a row.
create or replace function temporal_period(of_row jsonb) returns tstzrange
language sql stable as $$
  select tstzrange((of_row ->> 'valid_from')::timestamptz, (of_row ->> 'valid_until')::timestamptz)
$$;
--> statement-breakpoint
-- States a value of a subject. `stated` holds the columns of its row; `value_column` is the one that a value is in.
--
--   valid_from missing    from now on, or rather from the instant of the change. What was stated while the clock was
--                         ahead is replaced too
--   valid_until missing   until the next row that is known begins. If the row that held has ended already, until its
--                         end; an end that was planned for it is taken back
--   valid_until alone     then nothing holds, until the next row begins
--   both                  only this period changes: what held goes on behind it
--
-- The same value again confirms the row that holds, and makes no other; from a weightier tier it takes that tier. A
-- value does not replace one of a weightier tier anywhere in its period.
--
-- Returns `outcome`: opened, confirmed, outranked (by the row `by`) or empty (it would end before it begins), and for
-- the first two the `id` of the row that holds the value, and the row that held before (`replaced`).
create or replace function temporal_put(
  of_table regclass, of_subject uuid, stated jsonb, value_column text
) returns jsonb
language plpgsql as $$
declare
  scope constant uuid := coalesce(stated ->> 'project_id', '00000000-0000-0000-0000-000000000000')::uuid;
  at constant timestamptz := temporal_begin(of_table, scope, of_subject);
  weight constant int := temporal_weight(stated ->> 'tier');
  begins constant timestamptz := coalesce((stated ->> 'valid_from')::timestamptz, temporal_now(at));
  -- rows that begin later stay
  until constant timestamptz := case when stated ->> 'valid_from' is null then at else begins end;
  ends constant timestamptz := (stated ->> 'valid_until')::timestamptz;
  is_period constant boolean := stated ->> 'valid_from' is not null and ends is not null;
  known constant jsonb[] := array(select temporal_rows(of_table, scope, of_subject));
  held constant jsonb := (select r from unnest(known) r where temporal_period(r) @> begins);
  held_until constant timestamptz := (held ->> 'valid_until')::timestamptz;
  is_same constant boolean := coalesce(held -> value_column = stated -> value_column, false);
  stop timestamptz := ends;
  changed jsonb[];
  opened jsonb;
  outranked_by jsonb;
begin
  if ends <= begins then
    return jsonb_build_object('outcome', 'empty');
  end if;
  if is_same and weight <= temporal_weight(held ->> 'tier')
    and (ends is null or ends is not distinct from held_until or is_period and coalesce(ends < held_until, true))
  then
    execute format(
      'update %s t set confirmed_at = $1, confirmations = t.confirmations + 1
       where t.user_id = auth.uid() and t.recorded_until is null and t.id = $2', of_table)
    using at, (held ->> 'id')::uuid;
    return jsonb_build_object('outcome', 'confirmed', 'id', held ->> 'id');
  end if;

  if ends is null then
    stop := least(
      (
        select min((r ->> 'valid_from')::timestamptz)
        from unnest(known) r
        where (r ->> 'valid_from')::timestamptz > until
      ),
      case when held_until <= at then held_until end);
  end if;
  changed := array(select r from unnest(known) r where temporal_period(r) && tstzrange(begins, stop));
  select r into outranked_by from unnest(changed) r where temporal_weight(r ->> 'tier') > weight limit 1;
  if found then
    return jsonb_build_object('outcome', 'outranked', 'by', outranked_by);
  end if;

  opened := stated || jsonb_build_object('id', gen_random_uuid(), 'valid_from', begins, 'valid_until', stop,
    'confirmed_at', at, 'confirmations', 0);
  if is_same and weight = temporal_weight(held ->> 'tier') then
    -- only its end is another one
    opened := held || jsonb_build_object('valid_until', stop, 'confirmed_at', at,
      'confirmations', (held ->> 'confirmations')::int + 1);
  elsif is_same and ends is null then
    -- the same, from a weightier tier
    opened := opened || jsonb_build_object('id', held -> 'id', 'valid_from', held -> 'valid_from',
      'valid_until', held -> 'valid_until', 'confirmations', (held ->> 'confirmations')::int + 1);
  end if;
  perform temporal_change(of_table, at, array(select (r ->> 'id')::uuid from unnest(changed) r), array(
    select r || jsonb_build_object('valid_until', begins)
    from unnest(changed) r
    where (r ->> 'valid_from')::timestamptz < begins and opened ->> 'id' <> r ->> 'id'
    union all
    select opened
    union all
    select r || jsonb_build_object('valid_from', ends)
      -- the two parts that are left of one row are two statements from now on
      || case when r = held then jsonb_build_object('id', gen_random_uuid()) else '{}' end
    from unnest(changed) r
    where (is_period or r is distinct from held)
      and (upper(temporal_period(r)) > ends or ends is not null and upper_inf(temporal_period(r)))
  ), 'put');
  return jsonb_build_object('outcome', 'opened', 'id', opened ->> 'id', 'replaced', held);
end $$;
--> statement-breakpoint
-- ── sql/tenancy/accounts.sql ──

-- Accounts are looked up and created before the caller's claims are known. So these functions bypass row level
-- security.

-- Returns the account that a device key belongs to; no row when the key is unknown or revoked. hash: SHA-256 of the
-- key, in hex.
create or replace function lore.authenticate(hash text)
returns table (user_id uuid, key_id uuid, role text, name text, scope text, project text)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, k.id, p.role, p.name, k.scope, k.project
  from public.api_keys k
  join public.profiles p on p.user_id = k.user_id
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
-- Returns all accounts, the oldest first, with their keys as JSON, the newest first. No key's hash is among it.
create or replace function lore.list_users()
returns table (user_id uuid, name text, role text, created_at timestamptz, removed_at timestamptz, keys jsonb)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, p.name, p.role, p.created_at, p.removed_at,
    coalesce(
      (select jsonb_agg(
         jsonb_build_object('id', k.id, 'name', k.name, 'scope', k.scope, 'project', k.project,
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

-- Sets the rights of all tables, views and functions. It ends every migration, so that new ones get their rights
-- without a line of their own.

do $$
declare
  t regclass;
begin
  -- A tenant table is one with the policy of ownRows(). Row level security is forced, so that it holds for the table's
  -- owner too. The API role gets all rights on the table, and the policy limits them to the caller's rows.
  for t in select p.polrelid from pg_policy p where p.polname = 'own rows' order by 1
  loop
    execute format('alter table %s enable row level security, force row level security', t);
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to authenticated', t);
    execute format('grant all on %s to service_role', t);
  end loop;
  -- These views run with the rights of their caller, so row level security holds in them too.
  for t in select c.oid from pg_class c where c.relkind = 'v' and c.relname ~ '^searchable(_|$)' order by 1
  loop
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select on %s to authenticated, service_role', t);
  end loop;
end $$;
--> statement-breakpoint
-- Writing to an identity column needs no right to its sequence, and nothing else uses the sequences.
revoke all on all sequences in schema public from anon, authenticated;
--> statement-breakpoint
-- Events and command checks are append-only.
revoke update, delete on events, command_checks from authenticated;
--> statement-breakpoint
-- Users must not give themselves another role, so they may change only their name.
revoke insert, update, delete on profiles from authenticated;
--> statement-breakpoint
grant update (name) on profiles to authenticated;
--> statement-breakpoint
-- What a key is, and what it may be used for, stays as it was made. Keys go with their account only.
revoke update, delete on api_keys from authenticated;
--> statement-breakpoint
grant update (name, project, last_used_at, revoked_at) on api_keys to authenticated;
--> statement-breakpoint
-- A function that a role may call grants that right in its own file.
revoke all on all functions in schema lore from public;
