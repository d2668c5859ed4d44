import { recordFigure } from '@svc/test-servers';
import { loadAndRead } from './support/loads-and-reads.js';

const LOADS = Number(process.env['DRILL_LOADS'] ?? 12);
const READS = Number(process.env['DRILL_READS'] ?? 40);

/** More than a load and its reads take on a busy machine. */
const LOAD_MS = 10_000;

test(
  `${READS} reads during ${LOADS} loads, every third of them killed: none takes a mixture for a whole load`,
  async () => {
    const { typescript, python, mixtures, kills, seenWithout } = await loadAndRead(LOADS, READS);
    recordFigure('reads in TypeScript, in Python', `${typescript}, ${python}`);
    recordFigure('loads, of these killed at a random point', `${LOADS}, ${kills}`);
    recordFigure('mixtures taken for whole loads', String(mixtures));
    recordFigure('mixtures that a plain read saw after a kill', String(seenWithout));
    expect(mixtures).toBe(0);
    expect(typescript + python).toBeGreaterThanOrEqual(READS);
    // Else there was nothing to be mistaken about.
    expect(seenWithout).toBeGreaterThan(0);
  },
  60_000 + LOADS * LOAD_MS,
);
