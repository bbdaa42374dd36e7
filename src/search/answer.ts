import { sql } from 'drizzle-orm';
import { badRequest } from '../base/errors/problem.ts';
import { estimateTokens } from '../base/text/tokens.ts';
import type { InBackground } from '../base/timing/loop.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { NO_PROJECT } from '../db/columns.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { type AskedChannels, namesOfChannels } from '../kinds/channels.ts';
import { type Citation, citationsOf, freshen } from '../kinds/citations.ts';
import type { Models } from '../llm/choose.ts';
import { findProject } from '../sessions/projects.ts';
import { type Amendment, listAmendments } from './amendments.ts';
import { type JudgedResult, whichApply } from './applicability.ts';
import type { QueryVector } from './embedding/embed-query.ts';
import { type Filtered, filteredBy } from './filtered.ts';
import type { Finds } from './finds.ts';
import {
  metadataOf,
  type Relevance,
  recordsNamed,
  type SearchRequest,
  type SearchResult,
  searchDocuments,
  workNamed,
} from './search.ts';

export type SearchServices = {
  db: Database;
  inBackground: InBackground;
  embedQuery(claims: Claims, text: string): Promise<QueryVector>;
  finds: Pick<Finds, 'found'>;
  models: Pick<Models, 'fast'>;
};

/** A question of a person or an agent. `project` is a name. */
export type Question = Omit<SearchRequest, 'vector' | 'projectId'> & {
  project?: string | undefined;
  minRelevance?: Relevance | undefined;
  /** cuts the results where their contents together would have more tokens */
  tokenBudget?: number | undefined;
  /** whether the model says which of the first results apply */
  judge?: boolean | undefined;
  /** whether to tell which records a result amends, and which amend it */
  explain?: boolean | undefined;
} & AskedChannels;

/** A result with what the record tells about itself. */
export type Answer = JudgedResult & {
  metadata: Record<string, unknown>;
  /** only if it was to be explained: which records it amends, and which amend it */
  amendments?: Amendment[];
};

/** The most links that an explained search tells of; there are at most 100 results. */
const MAX_LINKS = 500;

const RANK: Record<Relevance, number> = { high: 2, medium: 1, low: 0 };

/**
 * Returns the caller's records that answer a question, best first. They are found by meaning and words,
 * judged if asked for, filtered by `minRelevance` and cut at the token budget. The model is asked outside any transaction.
 *
 * @returns `degraded` is true if only words were searched, because there was no vector of the question; `nothingClose` if
 *   no result is likely to be about it
 * @throws Problem (400) when an unknown kind is asked for
 */
export async function answerQuestion(
  services: SearchServices,
  claims: Claims,
  question: Question,
): Promise<{ results: Answer[]; degraded: boolean; nothingClose: boolean; filtered?: Filtered }> {
  const {
    project,
    tokenBudget,
    minRelevance = 'low',
    judge,
    explain,
    channelType,
    owner,
    ...request
  } = question;
  const vector = await services.embedQuery(claims, request.query);
  const found = await asUser<Found>(
    services.db,
    claims,
    async (tx) => {
      await mustBeKinds(tx, request.kinds);
      const scope = project === undefined ? undefined : await findProject(tx, project);
      // if the project does not exist yet, the user's own records are found all the same
      const projectId = project === undefined ? undefined : (scope?.id ?? NO_PROJECT);
      const channels = await namesOfChannels(tx, { channelType, owner }, request.channels);
      const named = await recordsNamed(tx, request.query, projectId);
      const work = request.kinds === undefined ? await workNamed(tx, request.query, projectId) : [];
      const searched =
        named.length > 0
          ? { results: named, degraded: false }
          : await searchDocuments(tx, { ...request, channels, projectId, vector });
      const answer = { ...searched, results: [...work, ...searched.results] };
      const ids = answer.results.map(({ id }) => id);
      // sent together, so that they take one trip to the database
      const [metadata, citations, links, filtered] = await Promise.all([
        metadataOf(tx, answer.results),
        citationsOf(tx, ids),
        explain ? listAmendments(tx, { records: ids, limit: MAX_LINKS }) : [],
        explain ? filteredBy(tx, { ...request, channels, projectId }) : undefined,
      ]);
      return { ...answer, metadata, citations, links, filtered };
    },
    { readOnly: true },
  );
  const { fast } = services.models;
  const judged = judge && fast ? await whichApply(fast, claims, request.query, found.results) : found.results;
  let tokens = 0;
  const results = judged
    .filter((result) => RANK[result.relevance] >= RANK[minRelevance])
    .filter((result) => {
      tokens += estimateTokens(result.content);
      return tokenBudget === undefined || tokens <= tokenBudget;
    });
  services.finds.found(
    claims.userId,
    results.filter(({ kind }) => kind === 'note').map(({ id }) => id),
  );
  const shown = new Set(results.map(({ id }) => id));
  const stale = freshen(
    services,
    claims,
    found.citations.filter(({ id }) => shown.has(id)),
  );
  return {
    degraded: found.degraded,
    nothingClose: results.every(({ relevance }) => relevance === 'low'),
    ...(found.filtered && { filtered: found.filtered }),
    results: results.map((result) => {
      const own = stale.get(result.id);
      const amendments = found.links.filter(({ newer, older }) => [newer.id, older.id].includes(result.id));
      return {
        ...result,
        // plans and sessions, which are not in the index, tell only of their project
        metadata: {
          ...(found.metadata.get(result.id) ?? { project: result.project }),
          ...(own && { stale: own }),
        },
        ...(explain && { amendments }),
      };
    }),
  };
}

/** What one transaction of a search finds. */
type Found = {
  results: SearchResult[];
  degraded: boolean;
  metadata: Map<string, Record<string, unknown>>;
  citations: Citation[];
  links: Amendment[];
  filtered: Filtered | undefined;
};

/**
 * Refuses kinds under which nothing is indexed: for a misspelled kind the answer must not be that nothing was
 * found.
 */
async function mustBeKinds(tx: Tx, asked: string[] | undefined): Promise<void> {
  if (asked === undefined) return;
  const rows = await query<{ kind: string }>(tx, sql`select searchable_kinds() as kind`);
  const kinds = rows.map(({ kind }) => kind);
  const unknown = asked.find((kind) => !kinds.includes(kind));
  if (unknown !== undefined)
    throw badRequest('kinds', `there is no kind “${unknown}”; there are ${kinds.join(', ')}`);
}
