// Keeps all files of the page, so that it opens even when the server is away. Answers of the API are never
// kept here.
const worker = self as unknown as ServiceWorkerGlobalScope;

/** The paths of all files of this build, and a hash of them. The build writes both (scripts/build.js). */
declare const __FILES__: string[];
declare const __VERSION__: string;

const FILES = __FILES__;
const SHELL = `shell-${__VERSION__}`;
/**
 * A server that does not answer within this time counts as away. A phone that left its network would wait too
 * long.
 */
const PATIENCE_MS = 3_000;

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll(FILES.map((path) => new Request(path, { cache: 'no-cache' }))))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener('activate', (event) => {
  const others = async () => {
    for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(others());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (FILES.includes(pathname)) event.respondWith(kept(request));
});

/** Returns the page from the server. If the server does not answer, returns the kept page. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    const before = await caches.match('/');
    if (before) return before;
    throw error;
  }
}

/** A file of this build. */
const kept = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request);

// Pressing a notification leads to what it is about: in the page that is open, else in a new one.
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url: unknown = event.notification.data?.url;
  const open = async () => {
    const [page] = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const to = typeof url === 'string' ? url : '/';
    if (!page) return worker.clients.openWindow(to);
    page.postMessage({ open: to });
    return page.focus();
  };
  event.waitUntil(open());
});
