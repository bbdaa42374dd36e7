import { fits } from './judge.ts';
import { GuardRule } from './rule.ts';
import { exampleCall, sortsExamples } from './verify.ts';

// A model knows what a person meant, and forgets how commands are spelled. What its own examples show is put right.

/**
 * Returns a rule that leaves alone the runners of its own innocent calls: “never a bare rspec”, with `docker compose run
 * app rspec` among the calls that keep it, is about no rspec that docker runs.
 */
export function mendedByKeeps(rule: GuardRule): GuardRule {
  if (sortsExamples(rule) === null) return rule;
  const runners = rule.keeps
    .map((one) => exampleCall(rule, one, 'keeps'))
    .filter((call) => fits(rule, call))
    .flatMap(({ commands }) => commands.flatMap(({ via }) => via[0] ?? []));
  if (runners.length === 0) return rule;
  const when = rule.when.map((match) =>
    match.kind === 'command'
      ? { ...match, without: [...new Set([...(match.without ?? []), ...runners])].slice(0, 8) }
      : match,
  );
  return { ...rule, when };
}

/**
 * Returns the rule that a model read in a sentence, with what is literal in the same sentence: the model knows what is
 * meant, and plain rules forget no spelling of it (`npx` of npm) and take “X, not Y” at its word. Where the model saw a
 * condition, or where both together sort the model's own examples wrongly, the model's rule stands alone.
 */
export function joinRules(model: GuardRule, literal: GuardRule | null): GuardRule {
  if (literal === null || literal.then === 'tell') return model;
  if ([model, literal].some(({ unless, branch, environment }) => unless ?? branch ?? environment))
    return model;
  const known = new Set(model.when.map((match) => JSON.stringify(match)));
  const more = literal.when.filter((match) => !known.has(JSON.stringify(match)));
  const joined = GuardRule.safeParse({
    ...model,
    when: [...model.when, ...more],
    then: model.then === 'tell' ? literal.then : model.then,
  });
  return joined.success && sortsExamples(joined.data) === null ? joined.data : model;
}
