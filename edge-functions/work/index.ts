// What a server's workers do, started by pg_cron every half minute (sql/consolidation/wake_functions.sql).
import { serve } from '../lore.js';

serve('work');
