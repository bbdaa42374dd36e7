// The service worker answers from a notification while the page is closed, and a worker cannot read the page's storage.
// So as long as pushes come, the key of this device is also where the worker finds it (service-worker.ts).

const CACHE = 'device';
const PATH = '/device-key';

/** Lets the service worker use the key of this device. */
export async function lendKey(key: string): Promise<void> {
  await (await caches.open(CACHE)).put(PATH, new Response(key));
}

/** Takes the key back from the service worker. */
export async function takeKeyBack(): Promise<void> {
  // not every page has caches: they need https or this machine
  if ('caches' in window) await caches.delete(CACHE);
}
