// The part of a night that is not SQL, started when pg_cron has done the rest (sql/consolidation/nightly.sql).
// @ts-types="../lore.d.ts"
import { serve } from '../lore.js'; // made by `npm run build:functions`

serve('nightly');
