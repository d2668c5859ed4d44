import { JAVA } from './java.js';
import { KUBERNETES } from './kubernetes.js';
import { SERVERS } from './servers.js';
import { UNSEEN } from './unseen.js';
import { type Shape, unmark, Values } from './values.js';

/** What the rules were adjusted to, and what they were not. */
export const SHAPES = { known: { ...KUBERNETES, ...JAVA, ...SERVERS }, unseen: UNSEEN } as const;

/** A generated file, and which of its lines (from 1) hold a secret. */
export interface CorpusFile {
  readonly name: string;
  readonly text: string;
  readonly secrets: ReadonlySet<number>;
}

/** Every shape in turn; in half of the files, secrets are referred to and not written. */
export function makeCorpus(kind: keyof typeof SHAPES, seed: number, count: number): CorpusFile[] {
  const shapes: readonly [string, Shape][] = Object.entries(SHAPES[kind]);
  return Array.from({ length: count }, (_, index) => {
    const [name, shape] = shapes[index % shapes.length]!;
    const isClean = Math.floor(index / shapes.length) % 2 === 1;
    return { name, ...unmark(shape(new Values(seed + index, isClean))) };
  });
}
