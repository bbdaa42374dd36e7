// @ts-check
// The plugin's command hook for every event. A plugin's key reaches command hooks only, and not the agent's shell, so the
// plugin cannot use http hooks. SessionStart also looks at the work tree, see session-start.cjs. The plugin lore-fast names
// itself, because it has neither tools nor agents.
'use strict';

const { CLAUDE_PLUGIN_OPTION_KEY, CLAUDE_PLUGIN_OPTION_URL } = process.env;
if (CLAUDE_PLUGIN_OPTION_KEY) process.env.LORE_KEY = CLAUDE_PLUGIN_OPTION_KEY;
if (CLAUDE_PLUGIN_OPTION_URL) process.env.LORE_URL = CLAUDE_PLUGIN_OPTION_URL;
require('./session-start.cjs').main(process.argv[2] === 'mod' ? 'mod' : 'plugin');
