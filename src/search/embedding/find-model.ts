import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../base/files/package-root.ts';

export type ModelSource = 'model-dir' | 'cache' | 'hub' | 'shipped';

export type ModelOptions = {
  /** The data folder. Models are cached in `<home>/models`. */
  home: string;
  /**
   * Name of a model on the hub, of the same shape: a BERT model with 384 dimensions whose vector is the mean of its
   * tokens'. Default: the model that comes with Lore.
   */
  name?: string | undefined;
  /** Folder with a model, directly or under its name. It is tried first and never changed. */
  modelDir?: string | undefined;
  /** Where models are downloaded from; default https://huggingface.co. */
  hubUrl?: string | undefined;
  /** Folder of the model that comes with Lore; default: where the build puts it. */
  shipped?: string | undefined;
};

/** Name of the official weights on the hub. It is also their model id. */
export const OFFICIAL_MODEL = 'Xenova/all-MiniLM-L6-v2';

const SHIPPED = fileURLToPath(new URL('dist/model', packageRoot));
const HUB_URL = 'https://huggingface.co';
const FILES = ['config.json', 'tokenizer.json', 'onnx/model_quantized.onnx'];
const MAX_ANSWER_MS = 5_000;
const MAX_STALL_MS = 20_000;

/**
 * Loads a model from the first source that has a good one: `modelDir`; the cache of what was downloaded; the hub, if a
 * model is named; else the one that comes with Lore. A cached model that is corrupt is removed.
 *
 * @param load loads the model in a folder
 * @param event is told what went wrong on the way, for people
 * @returns the model and the source that it came from
 * @throws {Error} when no source has a model; the message says what was wrong with each
 */
export async function findModel<Model>(
  options: ModelOptions,
  load: (folder: string) => Promise<Model>,
  event: (message: string) => void,
): Promise<{ source: ModelSource; model: Model }> {
  const { name, modelDir, hubUrl = HUB_URL, shipped = SHIPPED } = options;
  const wanted = name ?? OFFICIAL_MODEL;
  const cached = join(options.home, 'models', wanted);
  const sources: [source: ModelSource, from: string, folder: () => Promise<string> | string | false][] = [
    ['model-dir', `model folder ${modelDir}`, () => modelDir !== undefined && within(modelDir, wanted)],
    ['cache', 'cache', () => existsSync(cached) && cached],
    ['hub', hubUrl, () => name !== undefined && download(hubUrl, name, cached)],
    ['shipped', 'the model that comes with Lore', () => name === undefined && shipped],
  ];
  const reasons: string[] = [];
  for (const [source, from, find] of sources) {
    try {
      const folder = await find();
      if (folder !== false) return { source, model: await load(folder) };
    } catch (error) {
      const reason = `${from}: ${describe(error)}`;
      reasons.push(reason);
      event(reason);
      // Files that could not be read (too many open files, no permission) may still be good.
      const corrupt = !(error instanceof Error && 'code' in error) || error.code === 'ENOENT';
      if ((source === 'cache' || source === 'hub') && corrupt && existsSync(cached)) {
        await rm(cached, { recursive: true, force: true });
        event(`Removed the corrupt model in ${cached}`);
      }
    }
  }
  throw new Error(
    `${name === undefined ? 'No model could' : `${name} could not`} be loaded (${reasons.join('; ')})`,
  );
}

function within(folder: string, name: string): string {
  const nested = join(folder, name);
  return existsSync(nested) ? nested : folder;
}

/**
 * Downloads a model into `folder`, with all its files or not at all: they are written to a temporary folder beside it,
 * which is then renamed.
 *
 * @returns `folder`
 */
async function download(hubUrl: string, name: string, folder: string): Promise<string> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  // what a killed process left of an earlier try goes first
  const temporary = join(parent, '.unfinished');
  await rm(temporary, { recursive: true, force: true });
  try {
    await mkdir(join(temporary, 'onnx'), { recursive: true });
    for (const file of FILES) {
      const url = `${hubUrl.replace(/\/+$/, '')}/${name}/resolve/main/${file}`;
      await downloadFile(url, join(temporary, file));
    }
    await rename(temporary, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder;
}

async function downloadFile(url: string, to: string): Promise<void> {
  const abort = new AbortController();
  const limit = (ms: number, what: string) =>
    setTimeout(() => abort.abort(new Error(`${what} in ${ms / 1_000} s`)), ms);
  let timer = limit(MAX_ANSWER_MS, 'no answer');
  try {
    const response = await fetch(url, { signal: abort.signal });
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
    // The length of a compressed answer is not the length of the file.
    const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
    const total = length === null ? null : Number(length);
    const output = await open(to, 'wx');
    try {
      let loaded = 0;
      for await (const chunk of response.body) {
        clearTimeout(timer);
        timer = limit(MAX_STALL_MS, 'nothing more came');
        await output.write(chunk);
        loaded += chunk.length;
      }
      if (total !== null && loaded !== total) throw new Error(`${url}: got ${loaded} bytes of ${total}`);
      await output.sync();
    } finally {
      await output.close();
    }
  } finally {
    clearTimeout(timer);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch says only "fetch failed". Its cause says why, sometimes only by a code.
  const cause = error.cause instanceof Error ? error.cause : error;
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
