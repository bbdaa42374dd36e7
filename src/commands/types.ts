import type { z } from 'zod';
import type { Invocation } from '../shell/types.ts';
import type { Surroundings } from '../shell/zones.ts';
import type { Options } from './options.ts';
import type { Allowed, Doubt, LoadedWhen, Outward, Rule as RuleForm } from './rule-text.ts';

// What rules and verdicts are made of.

/** Where a command is compared with conditions. */
export type MatchContext = {
  place: Surroundings;
  options: Options;
  /** Returns whether a command is known to change nothing that it names. Left out: every command is. */
  onlyLooks?: (invocation: Invocation) => boolean;
};

/** A rule: a reason to deny. The examples of a built-in one are in test/fixtures/policy-examples. */
export type Rule = z.infer<typeof RuleForm> & { when: LoadedWhen[] };

/** A kind of command known to be harmless. One that matches allows a command. */
export type Knowledge = z.infer<typeof Allowed> & {
  /** it only looks or prints, so it may also get arguments that are known only when it runs (`xargs`) */
  looks?: true;
  /** it changes no file that its words name, so it may name what guards Lore */
  keeps?: true;
  when: LoadedWhen[];
};

export type { Doubt, Outward };

export type Policy = {
  rules: Rule[];
  knowledge: Knowledge[];
  doubts: Doubt[];
  outward: Outward[];
  options: Options;
};

/** A shape, and the programs of the project whose content belongs to it. */
export type Shape = { text: string; files: string[] };

export type PartVerdict = {
  /** the simple command */
  text: string;
  via: string[];
  decision: 'allow' | 'deny' | 'unknown';
  rule?: string;
  severity?: Rule['severity'];
  reason: string;
  instead?: string;
  /** it may show a secret or lose a file: a person is asked, because the client itself would run it unasked */
  asks?: true;
  /** no model decides on it, because it knows less of it than a person */
  personal?: true;
  /** the files for which a person is asked */
  secrets?: string[];
  /** what it does beyond this machine, if no rule knows it */
  outward?: string;
  /** a file of a person's own rules allows it */
  byPerson?: true;
  /** its shape, if all that speaks against it is that no rule knows it, see `shapeOf` */
  shape?: Shape;
};

/** Returns the decision on a line by those on its parts. */
export const decisionOf = (parts: PartVerdict[]): PolicyVerdict['decision'] =>
  parts.some((part) => part.decision === 'deny')
    ? 'deny'
    : parts.every((part) => part.decision === 'allow')
      ? 'allow'
      : 'unknown';

/** Files that a line or a session makes where nothing was, and those that it writes. */
export type OwnFiles = { made: Set<string>; written: Set<string> };

export type PolicyVerdict = {
  decision: 'allow' | 'deny' | 'unknown';
  parts: PartVerdict[];
  /**
   * what the line would run, in the order of `parts`; parts that are not commands come at the end of `parts`
   */
  invocations: Invocation[];
  /** the same with what the scripts of the line run, which no part speaks of */
  withScripts: Invocation[];
  /** what some command that the rules allow, or that a script of the line runs, does beyond this machine; see `Outward` */
  outward?: string;
  /** the files that the line makes where nothing was, and those that it writes */
  own: OwnFiles;
};
