import type { Ask } from './ask.ts';

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
    description: 'The rules that a person stated, and the active lessons',
    uri: 'lore://rules',
    read: async (ask, project) => ({
      guards: (await ask('GET /v1/guards', { query: { project } })).guards,
      lessons: (await ask('GET /v1/learnings', { query: { project, status: 'active', limit: 50 } }))
        .learnings,
    }),
  },
  {
    name: 'plans',
    title: 'Open plans',
    description: 'The open plans of this project',
    uri: 'lore://plans',
    read: (ask, project) => ask('GET /v1/plans', { query: { project, closed: false, limit: 20 } }),
  },
];
