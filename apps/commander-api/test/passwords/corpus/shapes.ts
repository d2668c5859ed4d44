import { JAVA } from './java.js';
import { KUBERNETES } from './kubernetes.js';
import { SERVERS } from './servers.js';
import { unmark, Values } from './values.js';

/** Writes one file as other people's projects have it, with some values in it. */
export type Shape = (values: Values) => string;

const SHAPES: readonly (readonly [name: string, shape: Shape])[] = [
  ...Object.entries(KUBERNETES),
  ...Object.entries(JAVA),
  ...Object.entries(SERVERS),
];

/** A generated file, and which of its lines (from 1) hold a secret. */
export interface CorpusFile {
  readonly name: string;
  readonly text: string;
  readonly secrets: ReadonlySet<number>;
}

/** Every shape in turn; in half of the files, secrets are referred to and not written. */
export function makeCorpus(seed: number, count: number): CorpusFile[] {
  return Array.from({ length: count }, (_, index) => {
    const [name, shape] = SHAPES[index % SHAPES.length]!;
    const isClean = Math.floor(index / SHAPES.length) % 2 === 1;
    return { name, ...unmark(shape(new Values(seed + index, isClean))) };
  });
}
