import { describe, expect, test } from 'vitest';
import { type CallPlace, callOf } from '../../src/guards/call.ts';
import { fits, judgeCall } from '../../src/guards/judge.ts';
import { literalGuard } from '../../src/guards/literal.ts';
import type { Example } from '../../src/guards/rule.ts';
import { sortsExamples } from '../../src/guards/verify.ts';
import { readRule } from '../../src/language/reading.ts';
import { bash, edit } from './support.ts';

// Sentences as people say them, with the calls that each of them stops and those that it leaves alone.

const PLACE: CallPlace = { root: '/w', cwd: '/w', home: '/home/ann', tmp: '/tmp', branch: 'main' };
const read = (file_path: string): Example => ({ tool: 'Read', input: { file_path } });

/** Expects that a sentence makes a rule about these calls, and about none of the others. */
function expectRule(words: string, stopped: (Example | string)[], left: (Example | string)[]): void {
  const rule = literalGuard({ ...readRule(words), words });
  if (rule === null) throw new Error(`no rule: ${words}`);
  expect(sortsExamples(rule)).toBeNull();
  const hit = (call: Example | string): boolean => {
    const { tool, input } = typeof call === 'string' ? bash(call) : call;
    return fits(rule, callOf({ tool_name: tool, tool_input: input }, PLACE));
  };
  expect(stopped.filter((call) => !hit(call))).toEqual([]);
  expect(left.filter(hit)).toEqual([]);
}

describe('a deed is not read out of the name of a file', () => {
  test.each([
    ['Do not edit README.md in this project, ever.', 'README.md'],
    ['Never edit readme.md', 'readme.md'],
    ['never ever change write.py', 'write.py'],
    ["Don't modify delete-me.txt, it is a fixture", 'delete-me.txt'],
    ['Never touch `show.ts`', 'show.ts'],
    ['Please never edit scripts/run.sh', 'scripts/run.sh'],
    ['never edit push.yaml', 'push.yaml'],
    ['docs/create.md is read-only, never change it', 'docs/create.md'],
    ['Bearbeite niemals open.ts', 'open.ts'],
    ['Ändere nie README.md', 'README.md'],
    ['Ne modifie jamais lire.md', 'lire.md'],
    ['No edites nunca run.sh', 'run.sh'],
    ['Non modificare mai print.py', 'print.py'],
    ['不要修改 show.ts', 'show.ts'],
    ['run.sh は絶対に編集しないで', 'run.sh'],
  ])('%s', (words, file) => {
    expectRule(words, [edit(`/w/${file}`, 'b'), `echo x >> ${file}`], [read(`/w/${file}`), `cat ${file}`]);
  });

  test('but out of what is said about it', () => {
    expectRule('Never read secrets/show.md', [read('/w/secrets/show.md')], [read('/w/README.md')]);
    expectRule('Never edit README.md, read it first', [edit('/w/README.md', 'b')], ['cat README.md']);
  });
});

describe('to delete is a deed of its own', () => {
  const stopped = (folder: string) => [
    `rm ${folder}/a.csv`,
    `rm -rf ${folder}`,
    `rm -r ${folder}/*`,
    `git rm ${folder}/a.csv`,
    `git -C . rm -r ${folder}`,
    `unlink ${folder}/a.csv`,
    `git clean -fd`,
    `find . -name '*.csv' -delete`,
    `find ${folder} -type f -delete`,
    `find ${folder} -name 'a*' -exec rm {} \\;`,
    `mv ${folder}/a.csv /tmp/`,
    `mv ${folder} attic`,
    'rm -rf .',
  ];
  const left = (folder: string) => [
    edit(`/w/${folder}/a.csv`, 'b'),
    { tool: 'Write', input: { file_path: `/w/${folder}/new.csv`, content: 'x' } },
    `echo x > ${folder}/new.csv`,
    `sed -i s/a/b/ ${folder}/a.csv`,
    `mv ${folder}/a.csv ${folder}/b.csv`,
    `git rm --cached ${folder}/a.csv`,
    'rm other/a.csv',
    'git clean -nd',
    'git clean -fd build/',
    'find build -delete',
    `find other -name '*.tmp' -delete`,
    `cat ${folder}/a.csv`,
  ];
  test.each([
    ['Never delete files in src/.', 'src'],
    ['Please never remove anything from data/raw/', 'data/raw'],
    ["Don't ever erase files in docs/", 'docs'],
    ['Ask me before deleting anything in docs/', 'docs'],
    ['Never delete files in src/, edit them instead', 'src'],
    ['You may change them, but never delete files in src/', 'src'],
    ['Lösche niemals Dateien in data/.', 'data'],
    ['Dateien in docs/ darfst du nie entfernen', 'docs'],
    ['Ne supprime jamais de fichiers dans src/', 'src'],
    ['Nunca borres archivos en src/', 'src'],
    ['Non eliminare mai file in src/', 'src'],
    ['不要删除 src/ 里的文件', 'src'],
    ['src/ のファイルは絶対に削除しないで', 'src'],
    ['data/ 파일은 절대 삭제하지 마세요', 'data'],
  ])('%s', (words, folder) => {
    expectRule(words, stopped(folder), left(folder));
  });

  test('of files by their ending', () => {
    for (const words of ['Never delete *.csv files', 'Lösche nie *.csv', 'No elimines nunca *.csv'])
      expectRule(
        words,
        ['rm data/a.csv', 'rm *.csv', 'mv a.csv a.bak', `find . -name '*.csv' -delete`, 'git clean -fdx'],
        [
          { tool: 'Write', input: { file_path: '/w/new.csv', content: 'x' } },
          'mv a.csv old/',
          'rm a.txt',
          'rm -rf build',
          `find . -name '*.log' -delete`,
        ],
      );
  });

  test('and a patch that deletes a file does so', () => {
    const patch = (files: object[]): Example => ({
      tool: 'MultiEdit',
      input: { file_path: '/w/src/a.ts', files },
    });
    const gone = { file_path: '/w/src/a.ts', change: 'delete', old_string: '', new_string: '' };
    const come = { ...gone, change: 'add' };
    expectRule(
      'Never delete files in src/.',
      [patch([gone]), patch([gone, { ...come, file_path: '/w/a.ts' }])],
      [patch([{ ...gone, change: 'update' }]), patch([gone, { ...come, file_path: '/w/src/b.ts' }])],
    );
  });

  test('with another deed beside it, both are stopped', () => {
    expectRule(
      'Never edit or delete files in legacy/',
      [edit('/w/legacy/a.c', 'b'), 'rm legacy/a.c', `find legacy -name '*.c' -delete`],
      [read('/w/legacy/a.c')],
    );
  });
});

describe('to rename is a deed of its own', () => {
  test.each([
    'Never rename migrations/*.sql',
    "don't ever move migrations/*.sql",
    'No renombres nunca migrations/*.sql',
    'Bitte niemals migrations/*.sql umbenennen',
    'Ne renomme jamais migrations/*.sql',
    '不要重命名 migrations/*.sql',
  ])('%s', (words) => {
    expectRule(
      words,
      ['mv migrations/1.sql migrations/2.sql', 'git mv migrations/1.sql old/', 'mv migrations attic'],
      [edit('/w/migrations/1.sql', 'b'), 'rm migrations/1.sql', 'mv a.sql b.sql', 'touch migrations/3.sql'],
    );
  });
});

describe('what is never committed', () => {
  const rule = (words: string) => {
    const made = literalGuard({ ...readRule(words), words });
    if (made === null) throw new Error(`no rule: ${words}`);
    expect(sortsExamples(made)).toBeNull();
    return made;
  };
  const pending = (marks: string, path = '.env') => [
    { index: marks[0] as string, tree: marks[1] as string, path },
    { index: ' ', tree: 'M', path: 'src/a.ts' },
  ];
  const stops = (words: string, command: string, seen: ReturnType<typeof pending> | [] = []) => {
    const call = callOf({ tool_name: 'Bash', tool_input: { command } }, PLACE);
    call.pending = seen;
    return fits(rule(words), call);
  };

  test.each([
    'Never commit .env files.',
    'never ever commit `.env`',
    'please do not commit .env, it holds keys',
    'Committe niemals .env',
    'Ne commite jamais .env',
    'Nunca hagas commit de .env',
    '不要提交 .env 文件',
  ])('%s', (words) => {
    for (const command of [
      'git add .env',
      'git commit -m x .env',
      'git add -f config/.env',
      'git add .env.local',
    ])
      expect([command, stops(words, command)]).toEqual([command, true]);
    for (const command of [
      'git add .env.example',
      'git commit -m "read .env" src/a.ts',
      'cat .env',
      'echo A=1 > .env',
    ])
      expect([command, stops(words, command)]).toEqual([command, false]);
    // with the file in the work tree, what takes all takes it
    for (const command of [
      'git add -A && git commit -qm all',
      'git add .',
      'git stage --all',
      'git -C . add .',
    ])
      expect([command, stops(words, command, pending('??'))]).toEqual([command, true]);
    expect(stops(words, 'git commit -am x', pending(' M'))).toBe(true);
    expect(stops(words, 'git commit -m x', pending('A '))).toBe(true);
    // without, nothing is wrong with it
    for (const command of ['git add -A && git commit -qm all', 'git add .', 'git commit -am x'])
      expect([command, stops(words, command, [])]).toEqual([command, false]);
    for (const [command, marks] of [
      ['git commit -am x', '??'],
      ['git commit -m x', '??'],
      ['git add src', '??'],
      ['git add -u', '??'],
      ['git add -A', ' D'],
      ["git add -A ':!.env'", '??'],
      ['git add -A && git reset -q .env && git commit -m x', '??'],
      ['rm .env && git add -A', '??'],
      ['echo .env >> .gitignore && git add -A', '??'],
      ['cd /other && git add -A', '??'],
    ] as const)
      expect([command, stops(words, command, pending(marks))]).toEqual([command, false]);
  });
});

describe('a script that is named by its deed', () => {
  test.each([
    "don't run the deploy script without asking me",
    'Ask me before you start the deployment script',
    'Never run the deploy script',
    'Frag mich, bevor du das Deploy-Skript startest',
    'Demande-moi avant de lancer le script de déploiement',
    'Pregúntame antes de ejecutar el script de despliegue',
    '运行部署脚本之前先问我',
    'デプロイスクリプトを実行する前に必ず聞いて',
  ])('%s', (words) => {
    expectRule(
      words,
      [
        'npm run deploy',
        'npm run deploy:staging',
        'pnpm deploy',
        'yarn run deploy',
        'bun run deploy',
        './deploy.sh prod',
        'bash scripts/deploy-web.sh',
        'node scripts/deploy.mjs',
        'make deploy',
      ],
      ['kubectl apply -f x.yaml', 'helm upgrade web .', 'terraform apply', 'cat deploy.sh', 'npm run build'],
    );
  });

  test('is not every way to do it, and the deed without it is', () => {
    expectRule('Ask me before you deploy', ['kubectl apply -f x.yaml', 'npm run deploy'], ['npm run build']);
    expectRule(
      'Ask me before running the release script',
      ['npm run release', 'make release'],
      ['npm publish'],
    );
    expectRule(
      'never run the migration script',
      ['npm run migrate', './migrate.sh'],
      ['alembic upgrade head'],
    );
  });
});

describe('a program that is not wanted', () => {
  const ruleFor = (words: string) => {
    const rule = literalGuard({ ...readRule(words), words });
    if (rule === null) throw new Error(`no rule: ${words}`);
    return { rule };
  };
  const denied = (sentences: string[], command: string) =>
    judgeCall(sentences.map(ruleFor), callOf({ tool_name: 'Bash', tool_input: { command } }, PLACE)).some(
      ({ rule }) => rule.then === 'deny',
    );

  test.each([
    ['We always use yarn here, never npm', 'run npm run lint before every commit'],
    ['Use pnpm in this repo, never npm', 'Before you commit, run `npm run lint`'],
    ['Benutze hier immer yarn, nie npm', 'Bevor du committest, führe immer `npm run lint` aus'],
    ['Utilise pnpm, jamais npm', 'Avant chaque commit, lance `npm run lint`'],
  ])('is wanted where another rule names its very command: %s', (never, first) => {
    for (const command of ['npm install x', 'npm ci', 'npm test', 'npm run build', 'npx tsc'])
      expect([command, denied([never, first], command)]).toEqual([command, true]);
    expect(denied([never, first], 'npm run lint')).toBe(false);
    expect(denied([never, first], 'npm run lint && git commit -m x')).toBe(false);
    expect(denied([never, first], 'npm run lint && npm ci')).toBe(true);
    expect(denied([never], 'npm run lint')).toBe(true);
  });
});

describe('always one thing instead of another forbids the other, and a preference does not', () => {
  test.each([
    ['In this project always use pnpm instead of npm for installing packages', 'deny'],
    ['Immer pnpm statt npm benutzen', 'deny'],
    ['Usa siempre uv en vez de pip', 'deny'],
    ['Utilise toujours pnpm au lieu de npm', 'deny'],
    ['use pnpm rather than npm here', 'tell'],
  ])('%s: %s', (words, then) => {
    expect(literalGuard({ ...readRule(words), words })).toMatchObject({ then });
  });
});
