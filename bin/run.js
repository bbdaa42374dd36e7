// Runs the built CLI. In a clone it builds it first when it is missing or older than its source (about 0.1 s; the page
// about 2 s).
import { existsSync } from 'node:fs';

if (existsSync(new URL('../scripts/', import.meta.url))) {
  const { pageIsStale, serverIsStale } = await import('../scripts/stale.js');
  const [server, page] = [serverIsStale(), pageIsStale()];
  if (server || page) {
    const { buildDist, buildPage } = await import('../scripts/build.js');
    if (server) await buildDist();
    if (page) await buildPage();
  }
}
await import('../dist/cli/process.js');
