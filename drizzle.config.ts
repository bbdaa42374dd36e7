import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/*/schema.ts',
  out: './drizzle',
  migrations: { prefix: 'supabase' },
  entities: { roles: { provider: 'supabase' } },
});
