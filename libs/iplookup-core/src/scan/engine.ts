import { ENGINE } from './engine-bytes.js';

/** What the engine exports; its source is in `assembly/`. Places are offsets in its memory. */
export interface Engine {
  readonly memory: EngineMemory;
  readonly inputAt: () => number;
  readonly setUp: (ipv6: boolean, dropRule: number, ...keys: bigint[]) => void;
  readonly begin: (length: number, final: boolean, separator: number) => void;
  readonly scan: (from: number, line: number) => number;
  readonly keep: (start: number, payload: number) => void;
  readonly kindsOfColumnsAt: () => number;
  readonly cellsAt: () => number;
  readonly setUpValues: (columns: number, cells: number, emptyValue: number, dashIsEmpty: boolean) => void;
  readonly setReading: (on: boolean) => void;
  readonly entryAt: () => number;
  readonly entryCount: (isRecords: boolean) => number;
  readonly placesAt: (isRecords: boolean) => number;
  readonly intern: (isRecords: boolean, bytes: number, length: number) => number;
  readonly numberTexts: () => void;
  readonly numberedRowsAt: (ipv6: boolean) => number;
  readonly numberedTextsAt: () => number;
  readonly payloadsAt: () => number;
  readonly learnTexts: (at: number, end: number, first: number) => number;
  readonly unread: EngineNumber;
  readonly hasPayloads: (ipv6: boolean, count: number) => number;
  readonly addNumbered: (ipv6: boolean, count: number, before: number) => void;
  readonly line: EngineNumber;
  readonly needsRoom: EngineNumber;
  readonly read: EngineNumber;
  readonly emptyRows: EngineNumber;
  readonly partlyEmptyRows: EngineNumber;
  readonly rowsAt: (ipv6: boolean) => number;
  readonly rowsCount: (ipv6: boolean) => number;
  readonly rowsOrdered: (ipv6: boolean) => number;
  readonly rowsContinued: (ipv6: boolean) => number;
  readonly takenRows: () => void;
  readonly textsAt: () => number;
  readonly textsEnd: () => number;
  readonly count: EngineNumber;
  readonly next: EngineNumber;
  readonly used: EngineNumber;
  readonly wordsAt: () => number;
  readonly kindsAt: () => number;
  readonly indexAt: () => number;
  readonly addNode: (left: number, right: number) => number;
  readonly setAddress: (ipv6: boolean, w0: number, w1: number, w2: number, w3: number, value: number) => void;
  readonly finish: (ipv6: boolean) => number;
  readonly inputRowsAt: () => number;
  readonly freshAt: () => number;
  readonly seenAt: () => number;
  readonly positionAt: () => number;
  readonly limitAt: () => number;
  readonly isDone: EngineNumber;
  readonly freshCount: EngineNumber;
  readonly addRows: (ipv6: boolean, from: number, count: number, firstKey: number, done: boolean) => number;
  readonly outputAt: () => number;
  readonly encode: (
    at: number,
    size: number,
    first: number,
    nodes: number,
    places: number,
    recordSize: number,
  ) => number;
  readonly recordRowsAt: () => number;
  readonly firstKeyAt: () => number;
  readonly lastKeyAt: () => number;
  readonly recordsAt: () => number;
  readonly recordsEnd: EngineNumber;
  readonly setUpRecords: (
    templates: number,
    cells: number,
    firstKeyBytes: number,
    lastKeyBytes: number,
  ) => void;
  readonly encodeRecords: (from: number, count: number, at: number, stop: number) => number;
}

export interface EngineMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface EngineNumber {
  readonly value: number;
}

/** The types of Node 20 do not have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { initial: number }) => EngineMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

export const PAGE_BYTES = 1 << 16;

let compiled: object | undefined;
let isSupported = true;

/** @returns the compiled engine, which may be passed to another thread; `undefined` where WebAssembly has no vectors */
export function engineModule(): object | undefined {
  if (!isSupported) return undefined;
  try {
    return (compiled ??= new WebAssembly.Module(Buffer.from(ENGINE, 'base64')));
  } catch {
    isSupported = false;
    return undefined;
  }
}

/** Uses the engine that another thread compiled. */
export function useEngineModule(module: object): void {
  compiled = module;
}

/**
 * Starts an engine with a memory of its own.
 *
 * @param completeChunk moves away the last chunk of nodes
 * @returns `undefined` where WebAssembly has no vectors, or there is not enough address space
 */
export function startEngine(bytes: number, completeChunk: () => void = () => undefined): Engine | undefined {
  const module = engineModule();
  if (module === undefined) return undefined;
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
    const { exports } = new WebAssembly.Instance(module, { env: { memory }, tree: { completeChunk } });
    return exports as Engine;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
