// Keeps all files of the page, so that it opens even when the server is away. Answers of the API are never
// kept here. It also shows what the server pushes while the page is closed.
const worker = self as unknown as ServiceWorkerGlobalScope;

/** The paths of all files of this build, and a hash of them. The build writes both (scripts/build.js). */
declare const __FILES__: string[];
declare const __VERSION__: string;

const FILES = __FILES__;
const SHELL = `shell-${__VERSION__}`;
/** Holds the key of this device for answers from a notification (data/sign-in.ts). */
const DEVICE = 'device';
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
    for (const name of await caches.keys()) if (name !== SHELL && name !== DEVICE) await caches.delete(name);
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

/** What the server pushes of a blocked command (src/realtime/push/push.ts). */
type Told = { state: 'waits' | 'kept' | 'allowed' | 'gone'; code: string; project: string; command: string };

const TITLES: Record<Told['state'], string> = {
  waits: 'Blocked command',
  kept: 'Stays blocked',
  allowed: 'Was allowed',
  gone: 'No longer waits',
};

worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(tell(event.data.json() as Told));
});

/**
 * Shows a blocked command, or what became of it in its place. Browsers want something shown for every push, unless the
 * page itself is in view.
 */
async function tell(told: Told): Promise<void> {
  const { state, code } = told;
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!pages.some(({ visibilityState }) => visibilityState === 'visible')) return show(told, TITLES[state]);
  for (const shown of await worker.registration.getNotifications({ tag: code })) shown.close();
}

function show(told: Told, title: string): Promise<void> {
  const { state, code, project, command } = told;
  const waits = state === 'waits';
  return worker.registration.showNotification(`${title}${project ? ` · ${project}` : ''}`, {
    body: command,
    tag: code,
    icon: '/icon-192.png',
    silent: !waits,
    data: { url: `/safety?check=${code}`, told },
    // only the safe answer: what overrules safety is not pressed in passing
    ...(waits && { actions: [{ action: 'keep', title: 'Keep blocked' }] }),
  });
}

// Pressing a notification leads to what it is about: in the page that is open, else in a new one.
worker.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  notification.close();
  const { url, told } = notification.data as { url?: unknown; told?: Told };
  event.waitUntil(action === 'keep' && told ? keepBlocked(told) : open(typeof url === 'string' ? url : '/'));
});

async function open(to: string): Promise<unknown> {
  const [page] = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!page) return worker.clients.openWindow(to);
  page.postMessage({ open: to });
  return page.focus();
}

/** Keeps a command blocked. If that cannot be sent, the notification comes again, and says so. */
async function keepBlocked(told: Told): Promise<void> {
  const kept = await caches.match('/device-key', { cacheName: DEVICE });
  const answer = await fetch('/v1/commands/overrule', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await kept?.text()}` },
    body: JSON.stringify({ code: told.code, decision: 'deny' }),
  }).catch(() => null);
  // the server pushes what became of it to all devices, this one too
  if (answer?.ok) return;
  await show(told, answer === null ? 'Not sent: Lore cannot be reached' : 'Not accepted: open it');
}
