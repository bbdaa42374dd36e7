import type { ShellStep } from './steps.ts';

/** What commands are for, by their words. The first that fits counts. */
const PURPOSES: [string, RegExp][] = [
  [
    'test',
    /^(?:tests?|specs?|pytest|jest|vitest|mocha|rspec|phpunit|ctest|playwright|cypress|nextest|e2e|tox|nox)$/,
  ],
  [
    'lint',
    /^(?:lint|linter|eslint|ruff|flake8|rubocop|clippy|golangci|golangci-lint|biome|stylelint|phpstan|vet)$/,
  ],
  ['check', /^(?:tsc|typecheck|types|mypy|pyright)$/],
  ['build', /^(?:build|compile|webpack|esbuild|rollup|assemble|bundle)$/],
  ['format', /^(?:format|fmt|prettier|black|gofmt|rustfmt)$/],
  ['start', /^(?:start|serve|dev|up|runserver|server)$/],
  ['migrate', /^(?:migrate|migrations?|alembic|flyway|liquibase|goose|dbmate)$/],
  ['install', /^(?:install|add|sync|ci|restore|i)$/],
  ['deploy', /^(?:deploy|release|publish|rollout)$/],
  ['generate', /^(?:generate|gen|codegen|protoc|buf|openapi)$/],
  ['seed', /^(?:seed|seeds|fixtures|loaddata)$/],
];

/** Returns what a command is for, as far as its first words tell; null if they do not. */
export function purposeOf(part: Pick<ShellStep, 'program' | 'args'>): string | null {
  const words = [part.program, ...part.args.slice(0, 3).filter((arg) => !arg.startsWith('-'))];
  const pieces = words.flatMap((word) => [word, ...word.split(/[:\-_/.]/)]);
  return PURPOSES.find(([, pattern]) => pieces.some((piece) => pattern.test(piece)))?.[0] ?? null;
}
