/** What `npm run build:functions` makes from src/server/functions/main.ts. */
export { serve } from '../src/server/functions/main.ts';
