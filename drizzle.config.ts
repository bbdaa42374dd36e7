import { defineConfig } from 'drizzle-kit';

// For `npx drizzle-kit studio | check | migrate | generate`. `generate` sees the tables only; `npm run migration` writes the
// whole migration of a version, with what stands in sql/ (CONTRIBUTING.md). Both read the same schema and journal.
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/**/schema.ts',
  out: './drizzle',
  dbCredentials: { url: process.env.DATABASE_URL ?? 'postgres://127.0.0.1:5432/postgres' },
});
