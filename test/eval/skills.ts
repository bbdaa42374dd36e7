// Does the right skill come with a prompt, and none with any other? Starts a server on an empty folder, gives it the
// skills of eval/sets/skills, and sends prompts through the hook: one for each skill, in other words than its
// description, and those of eval/sets/histories, which were written without skills in mind. It measures, has no bars, and
// takes half a minute.
//   npm run eval:skills
import { jsonLines } from '../support/json-lines.ts';
import { readStories } from './learning/stories.ts';
import { withLore } from './server.ts';

type Skill = { name: string; description: string; prompt: string };

const skills = jsonLines<Skill>('test/eval/sets/skills/skills.jsonl');
const { stories, prompts } = readStories('test/eval/sets/histories');
/** The prompts of the histories, and those that are unrelated to all of them. */
const others = new Set([
  ...stories.flatMap(({ A, B }) => [...A.flatMap((it) => (it.t === 'prompt' ? it.text : [])), B.prompt]),
  ...prompts.unrelated,
  ...prompts.near,
]);

await withLore(async ({ ask, hook, settled }) => {
  for (const { name, description } of skills)
    await ask('PUT', `/v1/skills/${name}`, {
      file: `---\ndescription: ${JSON.stringify(description)}\n---\n# ${name}\n`,
    });
  await settled();
  /** Each prompt is the first of a session. */
  const offeredFor = async (prompt: string): Promise<string | undefined> => {
    const session = { session_id: crypto.randomUUID(), cwd: '/home/dev/app' };
    const { additionalContext } = await hook({ ...session, hook_event_name: 'UserPromptSubmit', prompt });
    return /lore skills activate ([\w-]+)/.exec(additionalContext ?? '')?.[1];
  };
  let [right, wrong, none, disturbed] = [0, 0, 0, 0];
  for (const { name, prompt } of skills) {
    const offered = await offeredFor(prompt);
    if (offered === name) right++;
    else if (offered === undefined) none++;
    else wrong++;
    if (offered !== name) console.log(`${offered ?? 'nothing'} instead of ${name}: ${prompt}`);
  }
  for (const prompt of others) {
    const offered = await offeredFor(prompt);
    if (offered === undefined) continue;
    disturbed++;
    console.log(`${offered}, unasked: ${prompt}`);
  }
  console.log({ skills: skills.length, right, wrong, none, otherPrompts: others.size, disturbed });
});
