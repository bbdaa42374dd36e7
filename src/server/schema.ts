// The tables of all rooms, in one import: for drizzle-kit (drizzle.config.ts) and for `npm run migration`.
export * from '../accounts/schema.ts';
export * from '../commands/schema.ts';
export * from '../consolidation/schema.ts';
export * from '../incidents/schema.ts';
export * from '../kinds/schema.ts';
export * from '../learnings/guards/schema.ts';
export * from '../learnings/schema.ts';
export * from '../llm/schema.ts';
export * from '../metrics/schema.ts';
export * from '../offers/schema.ts';
export * from '../plans/schema.ts';
export * from '../realtime/push/schema.ts';
export * from '../search/schema.ts';
export * from '../sessions/schema.ts';
