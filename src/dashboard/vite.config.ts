import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Builds the page into dist/dashboard/. The build of the server calls it (scripts/build.js). */
export default defineConfig({
  root: here,
  base: '/',
  logLevel: 'warn',
  plugins: [tailwindcss()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // A policy that allows no inline script and no data: scripts needs every asset as a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: `${here}index.html`, sw: `${here}service-worker.ts` },
      output: {
        // A service worker must have a name that does not change.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
