import type { GapFiller } from '../mmdb/gap-filler.js';
import { type AddedRows, type LookupTree, NO_KEYS } from '../mmdb/lookup-tree.js';
import type { RecordSize } from '../mmdb/mmdb-format.js';
import { childOf, type Chunk, checkNodeCount } from '../mmdb/node-store.js';
import type { AddressTree } from '../mmdb/tree-builder.js';
import { type Engine, startEngine } from './engine.js';
import { SpareWords } from './spare-words.js';

/** More than what comes before the marks of used records. */
const FIXED_BYTES = 4 << 20;

/** As in `assembly/tree.ts`. */
const CHUNK_BITS = 13;
const CHUNK_NODES = 1 << CHUNK_BITS;
const OUTPUT_CHUNKS = 16;

/** Rows added at a time: those of an array of a row store. */
const MAX_ROWS = 1 << 14;
const MAX_ROW_WORDS = 10;

/**
 * A search tree whose last nodes are in the engine's memory; complete chunks of nodes are moved out of it, into the memory
 * of rows that it contains already.
 */
export class EngineTree implements LookupTree {
  private readonly chunks: Chunk[] = [];
  private readonly spare = new SpareWords();
  private readonly current: Chunk;
  private readonly rows: Uint32Array;
  private readonly fresh: Uint32Array;
  private readonly position: Uint32Array;
  private readonly limit: Uint32Array;

  private constructor(
    private readonly engine: Engine,
    private readonly placesAt: number,
  ) {
    const view = (at: number, length: number): Uint32Array =>
      new Uint32Array(engine.memory.buffer, at, length);
    this.current = {
      words: view(engine.wordsAt(), 2 * CHUNK_NODES),
      kinds: view(engine.kindsAt(), CHUNK_NODES >>> 4),
      index: view(engine.indexAt(), CHUNK_NODES >>> 5),
    };
    this.rows = view(engine.inputRowsAt(), MAX_ROWS * MAX_ROW_WORDS);
    this.fresh = view(engine.freshAt(), MAX_ROWS);
    this.position = view(engine.positionAt(), 4);
    this.limit = view(engine.limitAt(), 4);
  }

  /**
   * @param records number of records
   * @param places number of values that the tree may refer to
   * @returns `undefined` if this computer cannot run the engine
   */
  static start(records: number, places: number): EngineTree | undefined {
    const placesAt = FIXED_BYTES + 4 * Math.ceil(records / 4);
    // At least one place is read.
    const engine = startEngine(placesAt + 4 * Math.max(1, places), () => tree?.completeChunk());
    const tree = engine && new EngineTree(engine, placesAt);
    return tree;
  }

  get count(): number {
    return this.engine.count.value;
  }

  add(left: number, right: number): number {
    return this.engine.addNode(left, right);
  }

  child(node: number, bit: number): number {
    return childOf(this.chunks[node >>> CHUNK_BITS] ?? this.current, node, node & (CHUNK_NODES - 1), bit);
  }

  builder(width: 1 | 4): AddressTree {
    const { engine } = this;
    if (width === 1)
      return {
        set: (words, at, value) => engine.setAddress(false, 0, 0, 0, words[at]!, value),
        finish: () => engine.finish(false) >>> 0,
      };
    return {
      set: (words, at, value) =>
        engine.setAddress(true, words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!, value),
      finish: () => engine.finish(true) >>> 0,
    };
  }

  addRows({ store, row, firstKey, use, addOne }: AddedRows, filler: GapFiller): number {
    const { engine, fresh, position, limit } = this;
    const count = Math.min(MAX_ROWS, store.count - row);
    const at = store.offset(row);
    this.rows.set(store.chunkOf(row).subarray(at, at + count * store.stride));
    const key = firstKey === NO_KEYS ? NO_KEYS : firstKey + row;
    for (let done = 0; done < count;) {
      filler.describe(position, limit);
      done = engine.addRows(store.width === 4, done, count, key, filler.isDone);
      for (let i = 0; i < engine.freshCount.value; i++) use(fresh[i]!);
      filler.moveTo(position, engine.isDone.value !== 0);
      if (done < count) addOne(row + done++);
    }
    return row + count;
  }

  /** Number of arrays that were accepted and not used yet. */
  get spareArrays(): number {
    return this.spare.count;
  }

  reuse(words: Uint32Array): void {
    this.spare.add(words);
  }

  *encode(places: Uint32Array, recordSize: RecordSize): Generator<Uint8Array> {
    const { engine, count, chunks, current, placesAt } = this;
    new Uint32Array(engine.memory.buffer, placesAt).set(places);
    const start = engine.outputAt();
    for (let chunk = chunks.length; chunk >= 0;) {
      let end = start;
      for (const stop = Math.max(-1, chunk - OUTPUT_CHUNKS); chunk > stop; chunk--) {
        const complete = chunks[chunk];
        if (complete !== undefined) {
          current.words.set(complete.words);
          current.kinds.set(complete.kinds);
        }
        const size = complete === undefined ? engine.next.value : CHUNK_NODES;
        end = engine.encode(end, size, chunk * CHUNK_NODES, count, placesAt, recordSize);
      }
      yield Buffer.from(engine.memory.buffer, start, end - start);
    }
  }

  private completeChunk(): void {
    checkNodeCount(this.count);
    const { words, kinds, index } = this.current;
    this.chunks.push({
      words: this.keep(words.subarray(0, this.engine.used.value)),
      kinds: this.keep(kinds),
      index: this.keep(index),
    });
  }

  private keep(words: Uint32Array): Uint32Array {
    const kept = this.spare.take(words.length);
    kept.set(words);
    return kept;
  }
}
