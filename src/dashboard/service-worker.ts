// Keeps the shell of the page, so that it opens when the server is away. What the API says is never kept here.
const worker = self as unknown as ServiceWorkerGlobalScope;

const SHELL = 'shell';

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.add('/'))
      .then(() => worker.skipWaiting()),
  );
});
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(fresh('/', event));
  else if (pathname.startsWith('/assets/')) event.respondWith(kept(request));
  else if (/^\/(icon|manifest)/.test(pathname)) event.respondWith(fresh(request, event));
});

/** From the server; when that does not answer, as it was. */
async function fresh(request: Request | string, event: FetchEvent): Promise<Response> {
  const cache = await caches.open(SHELL);
  try {
    const response = await fetch(request);
    if (response.ok) event.waitUntil(cache.put(request, response.clone()));
    return response;
  } catch (error) {
    const before = await cache.match(request);
    if (before) return before;
    throw error;
  }
}

/** A file whose name tells its content: once read, it is kept. */
async function kept(request: Request): Promise<Response> {
  const cache = await caches.open(SHELL);
  const before = await cache.match(request);
  if (before) return before;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}
