import type { DocumentScalar } from '../documents/document-scalar.js';
import { type DocumentFormat, readDocument } from '../documents/read-document.js';
import type { Candidate, Lines } from './candidate.js';
import { pairsIn, partsOf } from './scalar-candidates.js';
import { commentedOut, looseText, otherText, quotedSettings, spacedSettings } from './text-candidates.js';

/** Parsing more YAML would block other work for too long; its lines are searched instead. */
const MAX_YAML_LENGTH = 262_144;

/** Every value of a text that may be a password, with its key. */
export async function candidatesIn(
  text: string,
  format: DocumentFormat | undefined,
  lines: Lines,
): Promise<Candidate[]> {
  if (!format) return otherText(text, lines);
  if (format === 'yaml' && text.length > MAX_YAML_LENGTH) return looseText(text, lines);
  const { scalars, errors } = await readDocument(text, format);
  if (errors.length > 0) return looseText(text, lines);
  return [
    ...scalars.filter(isPlain).map(ofScalar),
    ...pairsIn(scalars),
    ...scalars.filter(isPlain).flatMap((scalar) => partsOf(scalar, text)),
    ...(format === 'ini' ? [...spacedSettings(text, lines), ...inlineSettings(text, lines)] : []),
    ...(format === 'json' ? [] : commentedOut(text, lines)),
  ];
}

/** `db { user = app, password = "hunter2" }`, as in HOCON. */
const inlineSettings = (text: string, lines: Lines): Candidate[] =>
  quotedSettings(text, lines).map((one) => ({ ...one, isPart: true }));

const isPlain = ({ mark, value }: DocumentScalar): boolean => mark !== 'encpwd' && value !== '';

const ofScalar = ({ path, value, line, mark }: DocumentScalar): Candidate => ({
  path,
  value,
  line,
  isScalar: true,
  isMarked: mark === 'encpwd-plain',
});
