import { escapeLine } from '../command-line/escape-controls.js';
import type { Finding } from './validate-declarations.js';

/** One line: place, field and what is wrong there. */
export function findingText({ file, line, field, message }: Finding, kind = ''): string {
  return escapeLine(`${file}:${line}: ${field === '' ? '' : `${field}: `}${kind}${message}`);
}
