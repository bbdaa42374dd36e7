// POST {command, cwd, root?}: the verdict of the API's POST /v1/commands/check, by the same code.
import { serve } from '../lore.js';

serve('security-check');
