// Runs the built CLI; builds it first when it is missing or older than its source (about 0.1 s; the page about 2 s).
import { pageIsStale, serverIsStale } from '../scripts/stale.js';

const [server, page] = [serverIsStale(), pageIsStale()];
if (server || page) {
  const { buildDist, buildPage } = await import('../scripts/build.js');
  if (server) await buildDist();
  if (page) await buildPage();
}
await import('../dist/cli/main.js');
