import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { onceEach } from '../../wire/found.ts';
import type { SearchResult } from '../../wire/routes.ts';
import { api } from '../data/api.ts';
import { useProjects } from '../data/projects.ts';
import { useSettled } from '../data/settled.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { Item, List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { ProjectFilter } from '../ui/project-filter.tsx';
import { Prose } from '../ui/prose.tsx';
import { Loaded } from '../ui/resource.tsx';
import { Empty } from '../ui/states.tsx';
import { Badge } from '../ui/status-dot.tsx';
import { Ago } from '../ui/time.tsx';
import { addressOfRecord, NAMES_OF_KINDS } from './records/address.ts';

/** Everything that Lore knows, by meaning, by words or by id. */
export function Search() {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get('q') ?? '');
  const [project, setProject] = useState('');
  const [scores, setScores] = useState(false);
  const [far, setFar] = useState('');
  const q = useSettled(typed.trim());
  useEffect(() => setParams(q === '' ? {} : { q }, { replace: true }), [q]);
  const found = useQuery({
    queryKey: [['learnings', 'notes'], 'POST /v1/search', q, project],
    queryFn: ({ signal }) =>
      api('POST /v1/search', { body: { query: q, ...(project && { project }) }, signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Search">
      <search class="flex flex-wrap gap-2 [&>*]:flex-[1_1_10rem] [&>:first-child]:basis-72">
        <Field
          label="Search"
          hideLabel
          type="search"
          placeholder="What is it about? Or an id"
          value={typed}
          onInput={setTyped}
        />
        <ProjectFilter value={project} onChange={setProject} />
      </search>
      {q === '' ? (
        <Card>
          <Empty title="Search all that Lore knows">
            Lessons, notes, findings, facts, decisions, earlier work and what was said. Ask in your own words,
            or give the first 8 characters of an id.
          </Empty>
        </Card>
      ) : (
        <Loaded of={found} lines={8}>
          {({ results, nothingClose }) =>
            nothingClose && far !== q ? (
              <Card>
                <Empty title="Nothing close">
                  <p class="mb-3">Nothing that Lore knows seems to be about this. Other words may help.</p>
                  {results.length > 0 && (
                    <Button onClick={() => setFar(q)}>Show what is least far from it</Button>
                  )}
                </Empty>
              </Card>
            ) : (
              <Card
                flush
                title={nothingClose ? 'Nothing close; least far from it' : 'Best first'}
                aside={
                  <button
                    type="button"
                    aria-pressed={scores}
                    class="-mr-2 min-h-11 px-2 text-accent"
                    onClick={() => setScores(!scores)}
                  >
                    {scores ? 'Hide scores' : 'Show scores'}
                  </button>
                }
              >
                <List label="Found">
                  {onceEach(results).map(({ result, also }) => (
                    <Found key={`${result.kind} ${result.id}`} result={result} also={also} scores={scores} />
                  ))}
                </List>
              </Card>
            )
          }
        </Loaded>
      )}
    </Page>
  );
}

const nameOf = ({ kind }: SearchResult): string => NAMES_OF_KINDS[kind] ?? kind;

const TONES = { high: 'ok', medium: 'accent', low: 'quiet' } as const;

/** @param also what else says the same */
function Found({ result, also, scores }: { result: SearchResult; also: SearchResult[]; scores: boolean }) {
  const { called } = useProjects();
  const { id, kind, title, relevance, score, similarity, confidence, validFrom, metadata } = result;
  const project = typeof metadata.project === 'string' ? called(metadata.project) : null;
  const session = typeof metadata.sessionId === 'string' ? `/sessions/${metadata.sessionId}` : undefined;
  return (
    <Item
      href={addressOfRecord(kind, id) ?? session}
      title={
        <span class="line-clamp-3 text-sm">
          <Prose>{title}</Prose>
        </span>
      }
      detail={
        <span class="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
          <Badge tone={TONES[relevance]}>{relevance}</Badge>
          <span>{[nameOf(result), project, id.slice(0, 8)].filter(Boolean).join(' · ')}</span>
          {also.length > 0 && (
            <span>also: {also.map((one) => `${nameOf(one)} ${one.id.slice(0, 8)}`).join(', ')}</span>
          )}
          {scores && (
            <span class="w-full">
              score {score.toFixed(2)}
              {similarity !== null && ` · similarity ${similarity.toFixed(2)}`} · confidence{' '}
              {Math.round(confidence * 100)} %
            </span>
          )}
        </span>
      }
      aside={<Ago at={validFrom} />}
    />
  );
}
