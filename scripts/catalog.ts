// Describes what a database contains as text that can be compared. The command that writes migrations and its test use
// this.

export type CatalogRow = {
  kind: 'table' | 'column' | 'index' | 'constraint' | 'policy' | 'view' | 'trigger' | 'function' | 'rights';
  /** the name in the form that DROP takes */
  name: string;
  definition: string;
  /** a function's arguments and result, which `create or replace` cannot change */
  signature: string | null;
};

const RIGHTS = (acl: string) => `(select string_agg(a::text, ' ' order by a::text) from unnest(${acl}) a)`;

/** Query over Lore's schemas, without objects of extensions. The sequence of a column is part of the column's row. */
export const CATALOG = `
  with relations as (
    select c.*, c.oid::regclass::text as name
    from pg_class c
    where c.relnamespace in ('public'::regnamespace, 'lore'::regnamespace)
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  ), functions as (
    select p.*
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'lore'::regnamespace)
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  )
  select 'table' as kind, r.name, concat_ws(' ', r.relpersistence, r.relrowsecurity, r.relforcerowsecurity,
      r.reloptions::text) as definition, null as signature
  from relations r where r.relkind in ('r', 'p')
  union all
  select 'column', r.name || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull,
      a.attidentity, a.attgenerated, a.attstorage, pg_get_expr(d.adbin, d.adrelid), ${RIGHTS('a.attacl')}), null
  from relations r
  join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
  where r.relkind in ('r', 'p')
  union all
  select 'index', r.name, pg_get_indexdef(r.oid), null from relations r where r.relkind in ('i', 'I')
  union all
  select 'constraint', r.name || '.' || k.conname, pg_get_constraintdef(k.oid), null
  from relations r join pg_constraint k on k.conrelid = r.oid and k.contype <> 'n'
  union all
  select 'policy', r.name || '.' || p.polname, concat_ws(' ', p.polcmd, p.polpermissive,
      (select string_agg(o.rolname, ' ' order by o.rolname) from pg_roles o where o.oid = any (p.polroles)),
      pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)), null
  from relations r join pg_policy p on p.polrelid = r.oid
  union all
  select 'view', r.name, concat_ws(' ', r.reloptions::text, pg_get_viewdef(r.oid)), null
  from relations r where r.relkind = 'v'
  union all
  select 'trigger', t.tgname || ' on ' || r.name, pg_get_triggerdef(t.oid), null
  from relations r join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
  union all
  select 'function', f.oid::regprocedure::text, pg_get_functiondef(f.oid),
    pg_get_function_arguments(f.oid) || ' → ' || pg_get_function_result(f.oid)
  from functions f
  union all
  select 'rights', r.name, ${RIGHTS(`coalesce(r.relacl, acldefault(
      case r.relkind when 'S' then 's' else 'r' end::"char", r.relowner))`)}, null
  from relations r where r.relkind in ('r', 'p', 'v', 'S')
  union all
  select 'rights', f.oid::regprocedure::text, ${RIGHTS("coalesce(f.proacl, acldefault('f', f.proowner))")}, null
  from functions f
  order by 1, 2`;
