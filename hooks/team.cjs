// @ts-check
// Lore's command hook for every event, where a repository holds it: `lore init --team` copies it there, built into one
// file with all that it needs (dist/team-hook.cjs), so that a machine without Lore can run it.
'use strict';

require('./session-start.cjs').main('team');
