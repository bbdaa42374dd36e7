import { QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { App } from './app.tsx';
import { queries } from './data/queries.ts';
import { pairFromAddress } from './data/sign-in.ts';

// The code of a pairing leaves the address before anything is drawn or asked.
pairFromAddress();
render(
  <QueryClientProvider client={queries}>
    <App />
  </QueryClientProvider>,
  document.getElementById('app') as HTMLElement,
);
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/sw.js');
