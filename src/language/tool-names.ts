import { readWordLists } from '../text/word-lists.ts';
import text from './tool-names.jsonc' with { type: 'text' };

// Programs and libraries that people name when they say how to work; tool-names.jsonc has the names.

const names = readWordLists(text, 'tool-names.jsonc');

export const PROGRAMS = names('programs');
export const ALSO_WORDS = names('also-words');
export const PACKAGES = names('packages');
export const TASK_WORDS = names('task-words');
export const FOLDERS = names('folders');
export const EVERYDAY = names('everyday');

/** What a program is told to do: “docker run” is a command, “docker is slow” is not. */
const NODE_TASKS =
  /^(?:run|test|start|install|ci|i|add|build|publish|exec|dlx|update|remove|lint|typecheck|format|dev|vitest|check|audit|\w+:[\w:]+)$/;
export const SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  pnpm: NODE_TASKS,
  yarn: NODE_TASKS,
  bun: NODE_TASKS,
  podman: /^(?:compose|build|run|push|pull|exec|system|image|volume)$/,
  tofu: /^(?:apply|plan|destroy|init|import|fmt|validate|state)$/,
  python3: /^(?:-m|manage\.py|[\w/]+\.py)$/,
  gradlew: /^(?:test|build|check|clean|assemble)$/,
  npm: /^(?:run|test|start|install|ci|i|add|build|publish|version|audit|exec|update|uninstall|link|pack)$/,
  git: /^(?:add|commit|push|pull|rebase|merge|stash|reset|checkout|switch|branch|tag|clean|cherry-pick|revert|fetch|worktree|restore|bisect)$/,
  docker: /^(?:compose|build|run|push|pull|exec|system|image|volume)$/,
  cargo: /^(?:run|test|build|fmt|clippy|check|add|publish|update|nextest|install|bench)$/,
  go: /^(?:run|test|build|fmt|vet|mod|get|install|generate)$/,
  python: /^(?:-m|manage\.py|[\w/]+\.py)$/,
  uv: /^(?:run|add|sync|pip|lock|remove|tool)$/,
  poetry: /^(?:run|add|install|lock|update|remove)$/,
  kubectl: /^(?:apply|delete|get|exec|rollout|scale|edit|patch|logs|create)$/,
  helm: /^(?:upgrade|install|uninstall|rollback|template|lint)$/,
  terraform: /^(?:apply|plan|destroy|init|import|fmt|validate|state)$/,
  gh: /^(?:pr|issue|release|repo|workflow|run|api)$/,
  bundle: /^(?:exec|install|update)$/,
  rails: /^(?:db:\w+|test|generate|g|c|s|console|server|new)$/,
  dotnet: /^(?:run|test|build|add|restore|ef|publish|format|tool)$/,
  turbo: /^(?:run|build|test|lint)$/,
  nx: /^(?:run|build|test|lint|affected|run-many)$/,
  mvn: /^(?:test|package|install|verify|clean|deploy)$/,
  gradle: /^(?:test|build|check|clean|assemble)$/,
};
