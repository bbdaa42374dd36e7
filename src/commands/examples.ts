/** Returns commands of all kinds, allowed and denied, with which a server that has just started warms up. */
export const exampleCommands = (): string[] => [
  'git status && git diff --stat | head -20',
  'git push --force origin main',
  'npm test -- --run src/a.test.ts',
  "grep -rn 'TODO' src | sort | uniq -c | head",
  "find . -name '*.ts' -not -path './node_modules/*' | xargs wc -l",
  "sed -i 's/a/b/' src/a.ts",
  'cat package.json | jq .scripts',
  'rm -rf /',
  'docker compose up -d db',
  "python3 -c 'print(1)'",
  'curl -s http://localhost:3000/health',
  'NODE_ENV=test node --test',
];
