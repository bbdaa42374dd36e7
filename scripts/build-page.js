// Builds the page by itself, as a folder that any static host can serve at the root of an origin:
//   npm run build:page
//   npm run build:page -- <folder>    default: dist/page
// config.json in it says where the API is; one that is there already stays. See docs/supabase.md.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPageInto } from './build.js';

/** What the server says in a header, as far as a page can say it of itself. Which server it asks is not known yet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  'connect-src http: https: ws: wss:',
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const CONFIG = { api: 'http://127.0.0.1:4747', supabase: null };

/** Writes the page into a folder, which is emptied first. */
export async function buildStaticPage(folder) {
  const config = join(folder, 'config.json');
  const before = existsSync(config) ? readFileSync(config) : `${JSON.stringify(CONFIG, null, 2)}\n`;
  const index = join(folder, 'index.html');
  await buildPageInto(folder, () => {
    const page = readFileSync(index, 'utf8');
    const meta = `<meta http-equiv="content-security-policy" content="${POLICY}" />`;
    writeFileSync(index, page.replace('<meta charset="utf-8" />', `$&\n    ${meta}`));
  });
  // hosts show this for addresses that only the page knows, such as /plans
  copyFileSync(index, join(folder, '404.html'));
  writeFileSync(config, before);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? 'dist/page');
  await buildStaticPage(folder);
  console.log(
    `${folder}\nSay in its config.json where Lore is, and name its origin in LORE_PAGE_ORIGINS of the server.`,
  );
}
