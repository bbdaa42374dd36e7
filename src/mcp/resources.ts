import type { Ask } from './ask.ts';
import { withQuery } from './ask.ts';

/** What a client may show or attach by itself. Everything in it can be had by tools, too. */
export type Resource = {
  name: string;
  title: string;
  description: string;
  uri: string;
  read(ask: Ask, project: string | undefined): Promise<unknown>;
};

export const RESOURCES: readonly Resource[] = [
  {
    name: 'rules',
    title: 'Rules of this project',
    description: 'The rules that a person stated, and the lessons in force',
    uri: 'lore://rules',
    read: async (ask, project) => ({
      guards: (await ask<{ guards: unknown[] }>('GET', withQuery('/v1/guards', { project }))).guards,
      lessons: (
        await ask<{ learnings: unknown[] }>(
          'GET',
          withQuery('/v1/learnings', { project, status: 'active', limit: 50 }),
        )
      ).learnings,
    }),
  },
  {
    name: 'plans',
    title: 'Open plans',
    description: 'The open plans of this project',
    uri: 'lore://plans',
    read: (ask, project) => ask('GET', withQuery('/v1/plans', { project, closed: 'false', limit: 20 })),
  },
];
