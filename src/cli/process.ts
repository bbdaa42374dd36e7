// Runs the command line of this process. Nothing else of the CLI touches the process.
import { homedir } from 'node:os';
import { isAwayForNow } from '../base/errors/database-failure.ts';
import { main } from './main.ts';

// `lore … | head` closes the pipe before everything is written
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// that a database is away, which nobody waited to hear, must not end a server that guards sessions
process.on('uncaughtException', (error) => {
  console.error(error);
  if (process.argv[2] !== 'start' || !isAwayForNow(error)) process.exit(1);
});

process.exitCode = await main(process.argv.slice(2), {
  ...{ stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
  ...{ env: process.env, cwd: process.cwd(), home: homedir(), ppid: process.ppid },
  onSignal: (signal, listener) => void process.on(signal, listener),
  exit: (code) => process.exit(code),
});
// an embedded database that could not be opened may leave a timer running, and that would keep the process alive
if (process.exitCode !== 0) setTimeout(() => process.exit(), 100).unref();
