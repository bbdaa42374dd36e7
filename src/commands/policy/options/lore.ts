import type { OptionTable } from '../../options.ts';

const LISTS = '-p= --project= -n= --limit= --json -h --help';

/** Lore's own command, as far as an agent may use it unasked. */
export const options: OptionTable = {
  'lore search': `${LISTS} --as-of= --superseded --judge --explain --channel= --agent= --not-agent= --type= --mention= --breadcrumbs --min-words=`,
  'lore notes': `${LISTS} --channel= --agent= --mention= --type= --max-age= --before=`,
  'lore notes add': `${LISTS} --channel= --agent= --everywhere --type= --confidence= --mention= --file= --commit= --supersedes=`,
  'lore findings': `${LISTS} -s= --status= --severity= --all --before=`,
  'lore findings add': `${LISTS} -d= --detail= --severity= --file= --line= --agent= --blocks= --blocked-by= --related-to=`,
  'lore findings resolve': '-s= --status= --json -h --help',
  'lore notes show, lore findings show, lore findings start, lore findings link, lore findings unlink, lore channels, lore agents, lore freshness, lore status, lore learnings show':
    '--json -h --help -p= --project=',
  'lore learnings': `${LISTS} -s= --status= --as-of=`,
};
