import { NEGATION } from './words.ts';

// Files and folders that a person speaks of: which are to be left alone, and which are not even to be shown.

const FILE =
  /(?<![\w/.@-])(?:[\w.@-]+\/)*[\w@-][\w.@-]*\.(?:json|ya?ml|toml|[cm]?[jt]sx?|py|rb|go|rs|java|kts?|sql|md|lock|env|ini|cfg|conf|xml|html|s?css|proto|sh|tf|tfvars|tfstate|sum|mod|gradle|properties|plist|pbxproj|csproj|php|exs?|swift|cs|[ch](?:pp)?|dart|vue|svelte|graphql|prisma|txt|rst|csv|ipynb|snap)(?![\w/*-])|(?<![\w/-])\.env(?:\.\w+)*|(?<![\w/.-])(?:[\w.@-]+\/)*(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|Justfile|Podfile|Brewfile|CODEOWNERS|LICENSE|VERSION)(?![\w/.-])/g;
const FOLDER =
  /(?<![\w/.-])((?:[\w.@-]+\/)+)(?![\w*-]|\.\w)|`((?:[\w.@-]+\/)*[\w.@-]+)\/?` (?:folder|directory|dir)\b|\b([\w-]+) (?:folder|directory|dir)\b/g;
const INSIDE =
  /\b(?:in|under|inside|below) `?((?:[\w@-]+\/)+[\w@-]+)(?![\w./-])|(?<![\w./-])((?:[\w@-]+\/)+[\w@-]+)(?=`? (?:is|are)\b)/g;
const UNTOUCHED =
  /\b(?:auto-?)?generated\b|\bvendored\b|\bread-?only\b|\bimmutable\b|\bfrozen\b|\bby hand\b|\bhand-? ?edit|\bhands off\b|\boff[- ]limits\b|\bleave\b[^.;]* alone\b|\bbefore (?:you )?(?:edit|touch|chang|modif|rewrit)|\b(?:never|don['’]?t|do not|\w+n['’]t|not|no|nobody|instead of|rather than|stop)\b[^.;]{0,30}\b(?:edit|touch|chang|modif|rewrit|overwrit|alter)/i;

/** Returns the keys of the files that a lesson names, but for those to use or to update, and of folders to leave alone. */
export function fileKeysOf(lesson: string, hasOccasion: boolean): string[] {
  const keys: string[] = [];
  const alone = UNTOUCHED.test(lesson);
  const plain = alone ? lesson : lesson.replace(/`[^`]*`/g, (code) => '#'.repeat(code.length));
  for (const match of plain.matchAll(FILE)) {
    const before = plain.slice(0, match.index).replace(/`$/, '');
    // "withDb() from test/db.ts" names a file to use, not one to leave alone
    if (/\b(?:from|see|use|edit|with|by|run|to) $/i.test(before) || (!alone && /\bin $/i.test(before)))
      continue;
    if (
      /\b(?:update|bump|add to|extend|append|regenerate|fill)\b[^.;]*$/i.test(before) &&
      (hasOccasion || !alone)
    )
      continue;
    keys.push(`file ${match[0]}`);
  }
  // "when you change a .proto", "the .snap files are generated"
  for (const [, extension = ''] of lesson.matchAll(
    /\b(?:when|if|whenever|before|after|once|each time|every time)\b[^.;]{0,20}\b(?:chang|edit|touch|modify)\w* (?:a|an|any|the|some) `?(\.[a-z]{2,8})(?: files?)?\b/gi,
  ))
    keys.push(`file *${extension}`);
  if (!alone) return keys;
  for (const match of [...lesson.matchAll(FOLDER), ...lesson.matchAll(INSIDE)]) {
    if (
      /\b(?:edit|from|run|use|edit the \w+(?: in)?) `?$/i.test(lesson.slice(0, match.index)) &&
      !NEGATION.test(lesson.slice(Math.max(0, match.index - 40), match.index))
    )
      continue;
    const folder = (match[1] ?? match[2] ?? match[3] ?? '').replace(/\/$/, '');
    if (!/^(?:the|this|that|a|whole|same|your)$/i.test(folder)) keys.push(`under ${folder}/`);
  }
  if (/\bmigrations?\b/i.test(lesson) && !/\bmigrat\w+ (?:folder|director)/i.test(lesson))
    for (const folder of ['migrations', 'migration', 'migrate', 'versions'])
      keys.push(`edits under ${folder}/`);
  return keys;
}

/** Files with secrets. Of other files, "don't read config.json, use loadConfig()" is about code. */
const SECRET =
  /(?:^|\/)(?:\.env(?:\.\w+)*|.*\.(?:pem|key|tfvars|tfstate|p12)|\.npmrc|\.netrc|(?:credentials|secrets?)(?:\.\w+)?)$/;

/** Returns the keys of the files whose contents are not to be shown: "don't print `.env`". */
export function unreadKeys(lesson: string): string[] {
  const found = [
    ...lesson.matchAll(
      /\b(?:never|don['’]?t|do not|no)\b[^.;]*?\b(print|cat|show|dump|echo|output|display|paste|grep|read|open|look)\w*\b[^;]*?(?=$|[;!?]|[.,](?:\s|$))/gi,
    ),
  ];
  // "the .env files must never be printed"
  found.push(
    ...lesson.matchAll(
      /(?=\S*\.\w)[^.;\s]*\.\w[^;!?]*?\b(?:never|not) (?:to )?(?:be )?(print|shown|show|dump|echo|output|display|past|read|open)\w*/gi,
    ),
  );
  return found.flatMap(([clause, verb = '']) =>
    [...clause.matchAll(FILE)]
      .map(([file]) => file)
      .filter((file) => SECRET.test(file) || /^(?:print|cat|grep)$/i.test(verb))
      .map((file) => `shows ${file}`),
  );
}
