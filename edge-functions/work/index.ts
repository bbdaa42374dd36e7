// What a server's workers do, started by pg_cron every half minute (sql/consolidation/wake_functions.sql).
// @ts-types="../lore.d.ts"
import { serve } from '../lore.js'; // made by `npm run build:functions`

serve('work');
