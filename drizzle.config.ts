import { defineConfig } from 'drizzle-kit';

// For `npx drizzle-kit generate | check | migrate | studio`. `generate` writes what changed in the tables; `npm run migration`
// writes the whole migration of a version, with what stands in sql/ (CONTRIBUTING.md).
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/server/schema.ts',
  out: './drizzle',
  migrations: { prefix: 'timestamp' },
  dbCredentials: { url: process.env.DATABASE_URL ?? 'postgres://127.0.0.1:5432/postgres' },
});
