// The whole API under /functions/v1/api. docs/supabase.md says how it is deployed.
import { serve } from '../lore.js';

serve('api');
