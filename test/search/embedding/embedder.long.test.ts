// Longer than 400 lines because all of it needs one model and the same way to find the process that embeds.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { packageRoot } from '../../../src/base/files/package-root.ts';
import {
  type Embedder,
  type EmbedderOptions,
  startEmbedder,
} from '../../../src/search/embedding/embedder.ts';
import { onLinux } from '../../support/needs.ts';
import { embeddingProcess } from '../../support/process.ts';

const OFFICIAL = 'Xenova/all-MiniLM-L6-v2';
const SHIPPED = 'Xenova/all-MiniLM-L6-v2#tfjs-uint8';

let root: string;
const modelDir = inject('modelDir');
let shared: Embedder;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lore-embedding-'));
  shared = startEmbedder({ home: await newHome(), modelDir });
});

afterAll(async () => {
  await shared.close();
  await rm(root, { recursive: true, force: true });
});

const newHome = () => mkdtemp(join(root, 'home-'));
const officialCache = (home: string) => join(home, 'models', OFFICIAL);

/** Loads a model, closes the embedder, and returns the status with the events on the way. */
async function load(options: EmbedderOptions) {
  const events: string[] = [];
  const embedder = startEmbedder({ onEvent: (message) => events.push(message), ...options });
  const status = await embedder.ready;
  await embedder.close();
  return { ...status, events };
}

/** Starts a hub on loopback. By default it serves the model; like the official one its config.json has no id of Lore. */
async function withHub(run: (url: string) => Promise<void>, listener: RequestListener = serveModel) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const serveModel: RequestListener = async (request, response) => {
  const file = request.url?.replace(`/${OFFICIAL}/resolve/main/`, '') ?? '';
  if (file === 'config.json') response.end(JSON.stringify({ model_type: 'bert', hidden_size: 384 }));
  else response.end(await readFile(join(modelDir, file)));
};

const similarity = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);

const largestDifference = (a: Float32Array, b: Float32Array) =>
  a.reduce((most, value, n) => Math.max(most, Math.abs(value - (b[n] ?? 0))), 0);

const mine = { userId: 'ann' };

async function embedOne(text: string): Promise<Float32Array> {
  const [vector] = await shared.embed([text], mine);
  return vector as Float32Array;
}

describe('vectors', () => {
  test.each([
    [
      'how to fix expired JWT tokens',
      'authentication fails with a timeout after the session ends',
      'center a div with flexbox',
    ],
    [
      'npm install fails with ERESOLVE',
      'peer dependency conflict when adding a package',
      'rotate the database backups nightly',
    ],
    [
      'deadlock detected in postgres',
      'two transactions lock the same rows in opposite order',
      'the logo has the wrong colour',
    ],
    [
      'git rebase conflict',
      'merge conflict while moving commits onto main',
      'the API answers 429 too many requests',
    ],
  ])('%s: the related text ranks above the unrelated one', async (query, related, unrelated) => {
    const [q, r, u] = (await shared.embed([query, related, unrelated], mine)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    expect(similarity(q, r)).toBeGreaterThan(similarity(q, u) + 0.1);
  });

  test('have 384 dimensions and length 1, also for texts without words', async () => {
    for (const vector of await shared.embed(['plain words', '', ' \n\t', '\ud800', '漢字 😀', '\0'], mine)) {
      expect(vector).toHaveLength(384);
      expect(similarity(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  test('do not depend on the texts embedded in the same call', async () => {
    const text = fc.array(fc.constantFrom('error', 'TypeError:', 'retry', 'src/db/open.ts', '42', '…'), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (words) => {
        const texts = words.map((some) => some.join(' '));
        const together = await shared.embed(texts, mine);
        for (const [n, vector] of together.entries()) {
          expect(largestDifference(vector, await embedOne(texts[n] as string))).toBeLessThan(1e-5);
        }
      }),
      { numRuns: 10 },
    );
  });

  test('are made from the first 256 word pieces, including [CLS] and [SEP]', async () => {
    const words = Array.from({ length: 300 }, (_, n) => ['lock', 'index', 'cache'][n % 3]);
    const [whole, first254, first253, endless] = (await shared.embed(
      [
        words.join(' '),
        words.slice(0, 254).join(' '),
        words.slice(0, 253).join(' '),
        `${words.join(' ')}${' more'.repeat(100_000)}`,
      ],
      mine,
    )) as [Float32Array, Float32Array, Float32Array, Float32Array];
    expect(largestDifference(whole, first254)).toBe(0);
    expect(largestDifference(whole, endless)).toBe(0);
    expect(largestDifference(whole, first253)).toBeGreaterThan(1e-5);
  });

  test('are an empty list for no texts', async () => {
    expect(await shared.embed([], mine)).toEqual([]);
  });

  test('of a text are the same each time, alone or among others', async () => {
    const [first] = await shared.embed(['asked for twice'], mine);
    const [other, again, twice] = await shared.embed(
      ['something else', 'asked for twice', 'asked for twice'],
      mine,
    );
    expect(again).toEqual(first);
    expect(twice).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test('are remembered for each user apart', async () => {
    const text = 'a question that takes its time '.repeat(40);
    const time = async (userId: string) => {
      const start = performance.now();
      await shared.embed([text], { userId, priority: 'query' });
      return performance.now() - start;
    };
    const first = await time('bob');
    const again = await time('bob');
    const stranger = await time('eve');
    // from memory it takes microseconds, through the other process milliseconds
    expect(again).toBeLessThan(first / 2);
    expect(stranger).toBeGreaterThan(again * 2);
  });

  test('of a query come before those of a batch sent earlier', async () => {
    const order: string[] = [];
    const batch = shared
      .embed(
        Array.from({ length: 50 }, (_, n) => `a long batch, text ${n}`),
        mine,
      )
      .then(() => order.push('batch'));
    const query = shared
      .embed(['a question'], { ...mine, priority: 'query' })
      .then(() => order.push('query'));
    await Promise.all([batch, query]);
    expect(order).toEqual(['query', 'batch']);
  });
});

describe.concurrent('the model is loaded', () => {
  test('from the model folder before the cache, under its own id', async () => {
    const home = await newHome();
    await cp(modelDir, officialCache(home), { recursive: true });
    const nested = join(await newHome(), OFFICIAL);
    await cp(modelDir, nested, { recursive: true });
    const status = await load({ home, modelDir: join(nested, '../..') });
    expect(status).toMatchObject({ state: 'ready', source: 'model-dir', model: SHIPPED });
  });

  test('from the next source when the model folder is broken; that folder is not changed', async () => {
    const home = await newHome();
    const broken = await newHome();
    await writeFile(join(broken, 'config.json'), '{"hidden_size": 768}');
    const status = await load({ home, modelDir: broken });
    expect(status).toMatchObject({ state: 'ready', source: 'shipped' });
    expect(status.events.join()).toContain('384 dimensions');
    expect(await readdir(broken)).toEqual(['config.json']);
  });

  test('from the hub if it is named, and later from the cache', async () => {
    const home = await newHome();
    await withHub(async (hubUrl) => {
      const status = await load({ home, hubUrl, name: OFFICIAL });
      expect(status).toMatchObject({ state: 'ready', source: 'hub', model: OFFICIAL });
    });
    expect(await load({ home })).toMatchObject({ source: 'cache', model: OFFICIAL });
  });

  test('without asking the hub if none is named', async () => {
    await withHub(
      async (hubUrl) => {
        const status = await load({ home: await newHome(), hubUrl });
        expect(status).toMatchObject({ state: 'ready', source: 'shipped', model: SHIPPED, events: [] });
      },
      (_, response) => response.destroy(),
    );
  });

  test.each<[string, RegExp, RequestListener | undefined]>([
    ['accepts connections and never answers', /no answer/, () => {}],
    ['is something else', /could not be loaded/, (_, response) => response.end('<html>Please log in</html>')],
  ])('from nowhere when a model is named and the hub %s', async (_, reason, listener) => {
    const home = await newHome();
    await withHub(async (hubUrl) => {
      const status = await load({ home, hubUrl, name: OFFICIAL });
      expect(status).toMatchObject({ state: 'unavailable', reason: expect.stringMatching(reason) });
    }, listener);
    expect(await readdir(join(home, 'models/Xenova'))).toEqual([]);
  });

  test('from the next source when the cached files are cut off or broken; they are removed', async () => {
    for (const breakIt of [
      (folder: string) => truncate(join(folder, 'onnx/model_quantized.onnx'), 10_000_000),
      (folder: string) => writeFile(join(folder, 'tokenizer.json'), '{"model": {'),
    ]) {
      const home = await newHome();
      await cp(modelDir, officialCache(home), { recursive: true });
      await breakIt(officialCache(home));
      expect(await load({ home })).toMatchObject({ state: 'ready', source: 'shipped', model: SHIPPED });
      expect(await readdir(join(home, 'models/Xenova'))).toEqual([]);
    }
  });

  test('whole or not at all when a download is killed', async () => {
    const home = await newHome();
    let sent = () => {};
    const half = new Promise<void>((resolve) => {
      sent = resolve;
    });
    await withHub(
      async (hubUrl) => {
        const killed = startEmbedder({ home, hubUrl, name: OFFICIAL });
        await half;
        await killed.close();
        expect(await readdir(join(home, 'models/Xenova'))).toEqual([expect.stringMatching(/^\.unfinished/)]);
      },
      async (request, response) => {
        if (!request.url?.endsWith('.onnx')) return serveModel(request, response);
        const weights = await readFile(join(modelDir, 'onnx/model_quantized.onnx'));
        response.setHeader('content-length', weights.length);
        response.write(weights.subarray(0, weights.length / 2), sent);
      },
    );
    await withHub(async (hubUrl) => {
      expect(await load({ home, hubUrl, name: OFFICIAL })).toMatchObject({ state: 'ready', source: 'hub' });
    });
    expect(await readdir(join(home, 'models/Xenova'))).toEqual(['all-MiniLM-L6-v2']);
  });

  test('from nowhere when no file is there, and the status says why', async () => {
    const shipped = join(root, 'not-built');
    const embedder = startEmbedder({ home: await newHome(), shipped });
    const early = embedder.embed(['sent while loading'], mine);
    await expect(early).rejects.toThrow(/unavailable.*not-built/);
    expect(await embedder.ready).toMatchObject({ state: 'unavailable', model: null });
    await expect(embedder.embed(['sent later'], mine)).rejects.toThrow(/unavailable.*not-built/);
    await embedder.close();
  });
});

describe.concurrent('the embedding process', () => {
  test('is not waited for by somebody who has given up', async () => {
    const embedder = startEmbedder({ home: await newHome(), modelDir });
    await embedder.ready;
    const stopping = new AbortController();
    const texts = Array.from({ length: 500 }, (_, n) => `given up ${n}`);
    const lost = embedder.embed(texts, { ...mine, signal: stopping.signal });
    stopping.abort(new Error('the server stops'));
    await expect(lost).rejects.toThrow('the server stops');
    await expect(embedder.embed(['late'], { ...mine, signal: stopping.signal })).rejects.toThrow('stops');
    expect(await embedder.embed(['others'], mine)).toHaveLength(1);
    await embedder.close();
  });

  // Only Linux lists the children of a process without another package.
  onLinux.test('is started at once when it dies, after a pause when it dies again, and says so', async () => {
    const home = await newHome();
    const embedder = startEmbedder({ home, modelDir });
    await embedder.ready;
    // Five hundred different texts, and the process is known before: it cannot have answered when it is killed.
    const texts = Array.from({ length: 500 }, (_, n) => `lost ${n}`);
    const first = embeddingProcess(home) as number;
    const lost = embedder.embed(texts, mine);
    process.kill(first, 'SIGKILL');
    await expect(lost).rejects.toThrow(/unavailable.*SIGKILL/);
    expect(await embedder.embed(['again'], mine)).toHaveLength(1);
    expect(embedder.status()).toMatchObject({ state: 'ready', model: SHIPPED });
    const second = embeddingProcess(home) as number;
    const lostToo = embedder.embed(texts, mine);
    process.kill(second, 'SIGKILL');
    await expect(lostToo).rejects.toThrow(/unavailable.*SIGKILL/);
    // the pause is a random share of four seconds
    await expect(embedder.embed(['meanwhile'], mine)).rejects.toThrow(/it is started again in [0-4] s/);
    await vi.waitFor(() => expect(embedder.status()).toMatchObject({ state: 'ready' }), { timeout: 20_000 });
    expect(await embedder.embed(['once more'], mine)).toHaveLength(1);
    await embedder.close();
  });

  onLinux.test('is started again when it found no model, and finds one that came later', async () => {
    const [home, late] = [await newHome(), join(root, 'late-model')];
    const embedder = startEmbedder({ home, modelDir: late, shipped: join(root, 'none') });
    expect(await embedder.ready).toMatchObject({ state: 'unavailable' });
    await cp(modelDir, late, { recursive: true });
    await vi.waitFor(() => expect(embedder.status()).toMatchObject({ state: 'ready' }), { timeout: 20_000 });
    await embedder.close();
  });

  onLinux.test('is gone after close, which rejects what waits and may be repeated', async () => {
    const home = await newHome();
    const embedder = startEmbedder({ home, modelDir });
    await vi.waitFor(() => expect(embeddingProcess(home)).toBeDefined(), { timeout: 10_000 });
    const waiting = embedder.embed(Array(500).fill('never'), mine);
    await Promise.all([expect(waiting).rejects.toThrow('closed'), embedder.close()]);
    expect(embeddingProcess(home)).toBeUndefined();
    await embedder.close();
    await expect(embedder.embed(['late'], mine)).rejects.toThrow('closed');
  });

  describe('of the built package', () => {
    let program: string;

    beforeAll(async () => {
      const built = await mkdtemp(join(root, 'built-'));
      await writeFile(join(built, 'package.json'), '{"type": "module"}');
      await symlink(fileURLToPath(new URL('node_modules', packageRoot)), join(built, 'node_modules'));
      await build({
        absWorkingDir: fileURLToPath(packageRoot),
        entryPoints: ['src/search/embedding/embedder.ts', 'src/search/embedding/process.ts'],
        outdir: join(built, 'dist/search/embedding'),
        bundle: true,
        splitting: true,
        packages: 'external',
        platform: 'node',
        format: 'esm',
      });
      program = join(built, 'dist/program.js');
      await writeFile(
        program,
        `import { startEmbedder } from './search/embedding/embedder.js';
        const [, , home, modelDir, end] = process.argv;
        const embedder = startEmbedder({ home, modelDir });
        const [vector] = await embedder.embed(['hello'], { userId: 'ann' });
        console.log(vector.length);
        if (end === 'close') await embedder.close();`,
      );
    });

    test('lets the program end when the embedder is closed', async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        program,
        await newHome(),
        modelDir,
        'close',
      ]);
      expect(stdout).toBe('384\n');
    });

    onLinux.test('ends with a program that is killed', async () => {
      const home = await newHome();
      const parent = spawn(process.execPath, [program, home, modelDir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(parent.stdout, 'data');
      expect(embeddingProcess(home)).toBeDefined();
      parent.kill('SIGKILL');
      await vi.waitFor(() => expect(embeddingProcess(home)).toBeUndefined(), { timeout: 10_000 });
    });
  });
});
