// POST {command, cwd, root?}: the verdict of the API's POST /v1/commands/check, by the same code.
// @ts-types="../lore.d.ts"
import { serve } from '../lore.js'; // made by `npm run build:functions`

serve('security-check');
