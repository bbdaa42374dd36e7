import { expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

// A prompt with one thing to do is shown while it is worked on. Once it has ended it is no plan.

const server = await startTestServer({ LORE_MODEL_DIR: '' });

test('one thing to do is listed while it goes on, and not among the plans that ended', async () => {
  const { key } = await server.member();
  const session = hookSession(server, { key });
  const plans = async (query = '') => {
    await server.settled();
    return (await server.request('GET', `/v1/plans${query}`, { key })).body.plans;
  };
  await session.start();
  await session.prompt('Fix the rounding of the invoice totals in src/total.ts');
  const [open, ...none] = await plans('?closed=false');
  expect(open).toMatchObject({ draftedBy: 'prompt', steps: 1, inProgress: 1 });
  expect(none).toEqual([]);

  await session.stop('Totals are rounded half to even now.');
  expect([await plans(), await plans('?closed=true'), await plans('?status=completed')]).toEqual([
    [],
    [],
    [],
  ]);
  const whole = await server.request('GET', `/v1/plans/${open.id}`, { key });
  expect(whole.body).toMatchObject({ status: 'completed' });

  // going on with the matter makes it two things, and those are a plan
  await session.prompt('Now fix the rounding of the invoice totals in src/tax.ts too');
  await session.stop('The tax is rounded the same way.');
  expect(await plans('?closed=true')).toMatchObject([{ id: open.id, steps: 2, completed: 2 }]);
});
