import { MAX_YAML_DEPTH, yamlTooDeepAt } from '@svc/foundation';
import type * as Yaml from 'yaml';
import { decryptPassword } from './decrypt-password.js';
import { ENCPWD_TAG } from './encpwd-tag.js';
import { encryptPassword } from './encrypt-password.js';
import { DecryptionError } from './password-errors.js';
import type { PasswordKeys } from './password-key.js';

/** The result of a rotation: the new text, or the errors that prevented it. */
export interface Rotation {
  /** The text with every password re-encrypted and everything else unchanged, byte for byte. */
  readonly text: string;
  readonly rotated: number;
  /** One per unreadable value; unless empty, `text` must not be used. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

/** Decrypts every `!encpwd` scalar of a YAML text and encrypts it under the first key. */
export async function rotatePasswords(text: string, keys: PasswordKeys): Promise<Rotation> {
  return replacePasswords(text, async (encrypted) =>
    encryptPassword(await decryptPassword(encrypted, keys), keys[0]),
  );
}

/** What is wrong with the `!encpwd` scalars of a YAML text that none of the keys decrypts. */
export async function unreadablePasswords(text: string, keys: PasswordKeys): Promise<Rotation['errors']> {
  const { errors } = await replacePasswords(text, async (encrypted) => {
    await decryptPassword(encrypted, keys);
    return encrypted;
  });
  return errors;
}

type Renew = (encrypted: string) => Promise<string>;

async function replacePasswords(text: string, renew: Renew): Promise<Rotation> {
  // Loaded lazily: encrypting or decrypting a single password, the common case, does not need it.
  const yaml = await import('yaml');
  const { LineCounter, parseAllDocuments } = yaml;
  const tooDeep = yamlTooDeepAt(yaml, text);
  if (tooDeep !== undefined) {
    const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
    const message = 'not valid YAML (BLOCK_AS_IMPLICIT_KEY)';
    const compact = tooDeep.compact.map((offset) => ({ line: lineOf(offset), message }));
    const deep = { line: lineOf(tooDeep.offset), message: `nested more than ${MAX_YAML_DEPTH} levels deep` };
    return { text, rotated: 0, errors: compact.length > 0 ? compact : [deep] };
  }
  const lines = new LineCounter();
  const documents = [
    ...parseAllDocuments(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: 'silent',
    }),
  ];
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  const errors = documents.flatMap((document) =>
    document.errors.map(({ pos, code }) => ({ line: lineOf(pos[0]), message: `not valid YAML (${code})` })),
  );
  if (errors.length > 0) return { text, rotated: 0, errors };
  const parts: string[] = [];
  let end = 0;
  const { scalars, others } = taggedNodes(yaml, documents);
  errors.push(...others.map((node) => ({ line: lineOf(node.range![0]), message: NOT_A_SCALAR })));
  for (const scalar of scalars) {
    const [start, valueEnd] = scalar.range!;
    try {
      parts.push(text.slice(end, start), await replaceIn(scalar, text.slice(start, valueEnd), renew));
      end = valueEnd;
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      errors.push({ line: lineOf(start), message: error.message });
    }
  }
  if (errors.length > 0) return { text, rotated: 0, errors: errors.sort((a, b) => a.line - b.line) };
  return { text: parts.join('') + text.slice(end), rotated: scalars.length, errors };
}

const NOT_A_SCALAR = `${ENCPWD_TAG} is on a map or list; it must tag a single encrypted password`;

/** All tagged nodes: scalars, and collections, which cannot hold a password. */
function taggedNodes(
  { isCollection, isScalar, visit }: typeof Yaml,
  documents: readonly Yaml.Document.Parsed[],
): { scalars: Yaml.Scalar[]; others: Yaml.Node[] } {
  const scalars: Yaml.Scalar[] = [];
  const others: Yaml.Node[] = [];
  for (const document of documents) {
    visit(document, (_key, node) => {
      if (isScalar(node) && node.tag === ENCPWD_TAG) scalars.push(node);
      else if (isCollection(node) && node.tag === ENCPWD_TAG) others.push(node);
    });
  }
  return { scalars, others };
}

/** @param source the scalar's source text, with its quotes or block header */
async function replaceIn(scalar: Yaml.Scalar, source: string, renew: Renew): Promise<string> {
  const value = String(scalar.value).trim();
  const encrypted = await renew(value);
  // Only double quotes allow escapes; in every other style the value appears literally, after any comment.
  const start = source.lastIndexOf(value);
  if (start < 0) return `"${encrypted}"`;
  return source.slice(0, start) + encrypted + source.slice(start + value.length);
}
