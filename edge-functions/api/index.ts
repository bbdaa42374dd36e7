// The whole API under /functions/v1/api. docs/supabase.md says how it is deployed.
// @ts-types="../lore.d.ts"
import { serve } from '../lore.js'; // made by `npm run build:functions`

serve('api');
