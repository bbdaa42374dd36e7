import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BertTokenizer } from '@xenova/transformers';
import onnx from 'onnxruntime-node';
import { CONVERTED_MODEL } from './convert-model.ts';
import { OFFICIAL_MODEL } from './find-model.ts';

export type Model = {
  id: string;
  /** The mean-pooled, L2-normalised vector of a text's first 256 word pieces. Blocks the thread for 4 to 80 ms. */
  embed: (text: string) => Promise<Float32Array>;
};

const DIMENSIONS = 384;

// What the model was trained with: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2#intended-uses
const MAX_TOKENS = 256;

/**
 * Loads a model from a folder with `config.json`, `tokenizer.json` and `onnx/model_quantized.onnx`.
 *
 * The tokenizer is transformers.js's; its pipeline is not used because it leaves onnxruntime one thread per core, falls
 * back to WebAssembly on a corrupt model, cuts the closing [SEP] off long texts (cosine 0.986 to the vector with it) and
 * takes a quarter longer.
 *
 * @throws {Error} when a file is missing, corrupt, or of another model; file system errors keep their `code`.
 */
export async function loadModel(folder: string): Promise<Model> {
  const config = await readJson(folder, 'config.json');
  if (config.hidden_size !== DIMENSIONS || config.model_type !== 'bert') {
    throw new Error(`config.json: not a BERT model with ${DIMENSIONS} dimensions`);
  }
  const vocabulary = await readJson(folder, 'tokenizer.json');
  const tokenizer = orThrow('tokenizer.json', () => new BertTokenizer(vocabulary, {}));
  const weights = join(folder, 'onnx/model_quantized.onnx');
  await access(weights, constants.R_OK);
  // One thread: two wait for each other by spinning, so on a busy 2-core machine 24 tokens took 16 ms instead of 8, and
  // the server's main thread, Postgres and the agent need the other core. Without the arena the process is 36 MB smaller
  // and no slower.
  const session = await onnx.InferenceSession.create(weights, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
  });

  // One text at a time: the official model quantises activations by the largest in the batch, so that a vector would
  // depend on its batch mates. Batches of 8 would be 40 % faster on texts of 27 tokens and 8 % on texts of 65, and a
  // query would wait for eight texts instead of one.
  async function embed(text: string): Promise<Float32Array> {
    const all: number[] = tokenizer.encode(text);
    const tokens = all.length > MAX_TOKENS ? [...all.slice(0, MAX_TOKENS - 1), ...all.slice(-1)] : all;
    const shaped = (values: BigInt64Array) => new onnx.Tensor('int64', values, [1, tokens.length]);
    const output = await session.run({
      input_ids: shaped(BigInt64Array.from(tokens, BigInt)),
      attention_mask: shaped(new BigInt64Array(tokens.length).fill(1n)),
      token_type_ids: shaped(new BigInt64Array(tokens.length)),
    });
    const states = output.last_hidden_state?.data;
    if (!(states instanceof Float32Array)) throw new Error('onnx/model_quantized.onnx: no last_hidden_state');
    return meanAndNormalise(states);
  }

  const probe = await embed('probe');
  if (!probe.every(Number.isFinite)) throw new Error('onnx/model_quantized.onnx: gives no numbers');
  return { id: config._name_or_path === CONVERTED_MODEL ? CONVERTED_MODEL : OFFICIAL_MODEL, embed };
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
