import { asUser } from '../db/as-user.ts';
import { offerLesson } from '../learnings/offer-lesson.ts';
import { recallForStart } from '../learnings/recall.ts';
import type { Offer } from '../offers/frame.ts';
import { stillOffered } from './known-sessions.ts';
import type { Asked, HookServices } from './types.ts';

/** Offers the best lessons of its project to a session or a subagent that begins. */
export async function offerAtStart(services: HookServices, { claims, event, at }: Asked): Promise<Offer[]> {
  const session = await services.sessions.of(claims, event, at);
  // a resumed session still has its earlier offers in its context
  const offered = event.source === 'resume' ? stillOffered(session, event) : [];
  // the lessons that are told before calls must be in memory before the first call
  const inMemory = services.callLessons.of(claims, session.projectId).catch(() => {});
  const lessons = await asUser(services.db, claims, (tx) => recallForStart(tx, session, offered), {
    readOnly: true,
    retry: false,
  });
  await inMemory;
  return lessons.map((lesson) => offerLesson({ ...lesson, why: null }));
}
