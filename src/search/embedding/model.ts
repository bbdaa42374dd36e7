import { access, constants, readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PreTrainedTokenizer } from '@xenova/transformers/src/tokenizers.js';
import onnx from 'onnxruntime-node';
import { packageRoot } from '../../base/files/package-root.ts';

export type Model = {
  id: string;
  /** Returns the mean-pooled, L2-normalised vectors of the texts' first 256 word pieces. Blocks the thread. */
  embed: (texts: string[]) => Promise<Float32Array[]>;
  /** How many texts of similar length are best embedded in one call. */
  together: number;
};

/** Id of the model that comes with Lore (scripts/build-model.js). Its vectors are close to the official ones (mean cosine 0.974). */
const SHIPPED_MODEL = 'Xenova/all-MiniLM-L6-v2#tfjs-uint8';

const SHIPPED = fileURLToPath(new URL('dist/model', packageRoot));

const DIMENSIONS = 384;

// The length used in training: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2#intended-uses
const MAX_TOKENS = 256;

/**
 * Loads a model from a folder with `config.json`, `tokenizer.json` and `onnx/model_quantized.onnx`. Its id is what a hub calls
 * it, the last two names of the folder's path; the model that comes with Lore has one of its own.
 *
 * @param folder default: where the build puts the model that comes with Lore
 * The tokenizer is that of transformers.js. Its pipeline is not used, because it lets onnxruntime use one thread per
 * core, falls back to WebAssembly on a corrupt model, cuts the closing [SEP] off long texts (cosine 0.986 to the vector
 * with it) and takes a quarter longer.
 *
 * @throws {Error} when a file is missing, corrupt or of another model; file system errors keep their `code`
 */
export async function loadModel(folder = SHIPPED): Promise<Model> {
  const config = await readJson(folder, 'config.json');
  if (config.hidden_size !== DIMENSIONS || config.model_type !== 'bert') {
    throw new Error(`config.json: not a BERT model with ${DIMENSIONS} dimensions`);
  }
  const vocabulary = await readJson(folder, 'tokenizer.json');
  // Word pieces or, as multilingual models have it, a unigram vocabulary, which wants to know the token of the end.
  const tokenizer = orThrow(
    'tokenizer.json',
    () => new PreTrainedTokenizer(vocabulary, { eos_token: '</s>' }),
  );
  const weights = join(folder, 'onnx/model_quantized.onnx');
  await access(weights, constants.R_OK);
  // One thread, because two wait for each other by spinning: on a busy machine with two cores, 24 tokens took 16 ms
  // instead of 8. The other core is needed by the server's main thread, Postgres and the agent. Without the arena the
  // process is 36 MB smaller and not slower.
  const session = await onnx.InferenceSession.create(weights, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
  });

  const encode = (text: string): number[] => {
    const all: number[] = tokenizer.encode(text);
    return all.length > MAX_TOKENS ? [...all.slice(0, MAX_TOKENS - 1), ...all.slice(-1)] : all;
  };
  // Shorter texts are padded and masked. This changes the vectors of the shipped model by less than 1e-6.
  async function embed(texts: string[]): Promise<Float32Array[]> {
    const tokens = texts.map(encode);
    const width = Math.max(...tokens.map((text) => text.length));
    const shaped = (value: (token: number | undefined) => number) =>
      new onnx.Tensor(
        'int64',
        BigInt64Array.from(
          tokens.flatMap((text) => Array.from({ length: width }, (_, n) => BigInt(value(text[n])))),
        ),
        [texts.length, width],
      );
    const inputs: Record<string, onnx.Tensor> = {
      input_ids: shaped((token) => token ?? 0),
      attention_mask: shaped((token) => (token === undefined ? 0 : 1)),
      token_type_ids: shaped(() => 0),
    };
    // Not every model has token types.
    const wanted = session.inputNames.map((input) => [input, inputs[input]] as const);
    const output = await session.run(Object.fromEntries(wanted) as Record<string, onnx.Tensor>);
    const states = output.last_hidden_state?.data;
    if (!(states instanceof Float32Array)) throw new Error('onnx/model_quantized.onnx: no last_hidden_state');
    return tokens.map((text, n) => {
      const start = n * width * DIMENSIONS;
      return meanAndNormalise(states.subarray(start, start + text.length * DIMENSIONS));
    });
  }

  const [probe] = await embed(['probe']);
  if (!probe?.every(Number.isFinite))
    throw new Error('onnx/model_quantized.onnx: the vector has values that are not numbers');
  const shipped = config._name_or_path === SHIPPED_MODEL;
  // The official model quantises activations by the largest one in the batch, so a vector would depend on the other
  // texts in it. It embeds one text at a time.
  return {
    id: shipped ? SHIPPED_MODEL : resolve(folder).split(sep).slice(-2).join('/'),
    embed,
    together: shipped ? 4 : 1,
  };
}

function meanAndNormalise(states: Float32Array): Float32Array {
  const sum = new Float32Array(DIMENSIONS);
  for (let i = 0; i < states.length; i++) sum[i % DIMENSIONS] = (sum[i % DIMENSIONS] ?? 0) + (states[i] ?? 0);
  const norm = Math.hypot(...sum);
  return sum.map((value) => value / norm);
}

async function readJson(folder: string, file: string) {
  const text = await readFile(join(folder, file), 'utf8');
  return orThrow(file, () => JSON.parse(text));
}

function orThrow<T>(file: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}
