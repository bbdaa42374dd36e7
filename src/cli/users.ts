import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import { type Output, print } from './print.ts';

export async function addUser(config: Config, output: Output, name: string): Promise<void> {
  const made = await callServer<{ userId: string; key: string }>(config, 'POST', '/v1/users', { name });
  if (output.json) return print(made);
  console.log(
    `${made.key}\nThis is the only time the key is shown. ${name} sets it as LORE_KEY, and LORE_URL=${config.url}.`,
  );
}
