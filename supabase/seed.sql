-- A small demo for a local stack: `supabase db reset` runs it after the migrations. An owner, whose key the first server
-- makes (`LORE_KEY`, or the one in its data folder), and in the project `demo` what Lore keeps: two lessons, notes, facts, a
-- finding and a plan. Running it again changes nothing.
do $$
declare
  me uuid;
  demo uuid;
  plan uuid;
begin
  insert into public.profiles (user_id, name, role) values (gen_random_uuid(), 'owner', 'owner') on conflict do nothing;
  select p.user_id into me from public.profiles p where p.role = 'owner';
  if exists (select from public.projects p where p.user_id = me and p.name = 'demo') then
    return;
  end if;
  -- what follows fills in the owner's id by itself
  perform set_config('request.jwt.claims', json_build_object('sub', me, 'role', 'authenticated')::text, true);
  insert into public.projects (name) values ('demo') returning id into demo;

  insert into public.learnings
    (project_id, lineage_id, status, lesson, context, keywords, confidence, prior_confidence, evaluated_by)
  values
    (demo, gen_random_uuid(), 'active', 'Run the migrations before the tests: npm run db:migrate, then npm test.',
      'The tests fail with "relation does not exist" on a fresh database.', '{migrations,tests}', 0.8, 0.8, 'person'),
    (demo, gen_random_uuid(), 'active', 'Use pnpm here, not npm: npm ignores the lock file of this repository.',
      'Dependencies are installed or added.', '{pnpm,npm,dependencies}', 0.9, 0.9, 'person');

  insert into public.notes (project_id, channel, sender, content, message_type) values
    (demo, 'architecture', 'ada', 'Orders are written by the API only; the worker reads them from the queue.', 'decision'),
    (demo, 'architecture', 'ada', 'The cache may be dropped at any time: nothing is stored in it alone.', 'reflection');

  perform public.temporal_put('facts', public.temporal_subject('api', f.key),
    jsonb_build_object('project_id', demo, 'type', 'api', 'key', f.key, 'value', f.value, 'tier', 'person'),
    'value')
  from (values ('port', '8080'::jsonb), ('database', '"PostgreSQL 17"')) f(key, value);

  insert into public.findings (project_id, title, detail, severity)
  values (demo, 'The worker retries for ever', 'A message that cannot be parsed blocks the queue.', 'high');

  insert into public.plans (project_id, goal, drafted_by) values (demo, 'Dead letters for the worker', 'person')
  returning id into plan;
  insert into public.plan_steps (plan_id, number, description, dependencies) values
    (plan, 1, 'Count the attempts of a message', '{}'),
    (plan, 2, 'Move a message aside after ten attempts', '{1}'),
    (plan, 3, 'Show what was put aside in the console', '{2}');
end $$;
