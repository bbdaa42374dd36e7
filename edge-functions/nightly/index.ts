// The part of a night that is not SQL, started when pg_cron has done the rest (sql/consolidation/nightly.sql).
import { serve } from '../lore.js';

serve('nightly');
