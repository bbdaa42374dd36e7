// "Run the tests", "commit this", "deploy to staging": such a prompt only says which routine is next. A dozen
// lessons may share its two words, and nothing shows which of them matters. The one that matters is told at
// the call that it is about.

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

const FILLERS = words(`
  a all an and as at can could everything for from go here i in into is it its just let lets let's me my new now of ok
  on once our out over please that the them then these they this those to up us we what will with would yes you your
  again also so far have done great thanks`);
const DEEDS = words(`
  add apply bring build bump check clean commit compile continue create deploy do execute finish fix format generate get
  install launch lint make merge migrate open prepare publish pull push put rebase rebuild redeploy release rerun reset
  restart run send set ship start stop submit sync tag test try update upgrade verify`);
const OBJECTS = words(`
  app application branch build change changes code commit commits container containers dependencies deps environment
  errors failing file files formatter linter lint main migration migrations packages pr production prod project pull
  release remote repo request requests server service services stack staging suite test tests unit version work`);
const ROUTINE = new Set([...FILLERS, ...DEEDS, ...OBJECTS]);
const MAX_WORDS = 10;

/** Returns whether a prompt names a routine and nothing of the project. English only. */
export function isRoutinePrompt(prompt: string): boolean {
  const said = prompt.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’._/-]*/gu) ?? [];
  return said.length <= MAX_WORDS && said.every((word) => ROUTINE.has(word.replace(/[.'’]+$/, '')));
}
