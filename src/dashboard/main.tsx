import { QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { navigate } from 'wouter-preact/use-browser-location';
import { App } from './app.tsx';
import { queries } from './data/api.ts';
import { keepQueries } from './data/kept.ts';
import { findServer } from './data/server.ts';
import { pairFromAddress, signInFromAddress } from './data/sign-in.ts';

// A stranger's page must not show this one as its own. Lore's server says so too, another host may not.
if (window.top !== window) throw new Error('Lore is not shown inside of another page.');
await findServer();
// The code of a pairing leaves the address before anything is drawn or asked.
pairFromAddress();
// A link that is pasted into this tab changes only what stands behind the #. Nothing of whoever was here before may stay.
addEventListener('hashchange', () => location.hash.startsWith('#pair=') && location.reload());
signInFromAddress();
keepQueries();
render(
  <QueryClientProvider client={queries}>
    <App />
  </QueryClientProvider>,
  document.getElementById('app') as HTMLElement,
);
// A page that was open during an update asks for files that are gone: it begins anew, but never twice in a row.
addEventListener('vite:preloadError', () => {
  if (performance.now() > 10_000) location.reload();
});
if ('serviceWorker' in navigator) {
  navigator.serviceWorker.register('/sw.js');
  // a notification was pressed
  navigator.serviceWorker.addEventListener('message', ({ data }) => navigate(data.open));
}
