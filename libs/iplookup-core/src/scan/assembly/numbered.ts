import { HEAD_BYTES } from './byte-table';
import { Numbered } from './layout';
import { NONE } from './payloads';
import { addRow, payloadOfText } from './rows';

/** Rows that another thread read, whose values are the numbers of texts that it found. */

/** Where the rows are, with lines from 1 on. */
export function numberedRowsAt(ipv6: bool): usize {
  return ipv6 ? Numbered.ipv6At : Numbered.ipv4At;
}

/** Where new texts are, as in the other thread's table. */
export function numberedTextsAt(): usize {
  return Numbered.textsAt;
}

/** Where the payloads of all texts are. */
export function payloadsAt(): usize {
  return Numbered.payloadsAt;
}

/** Where the text is that {@link learnTexts} left to the host, or 0. */
export let unread: usize = 0;

/**
 * Finds the payloads of new texts.
 *
 * @param first number of the first one
 * @returns the number of the first one that is left to the host, or of the one after the last
 */
export function learnTexts(at: usize, end: usize, first: u32): u32 {
  let number = first;
  unread = 0;
  for (let text = at; text < end; number++) {
    const length = load<u32>(text);
    const payload = payloadOfText(text + HEAD_BYTES, length);
    if (payload == NONE) {
      unread = text;
      break;
    }
    store<u32>(Numbered.payloadsAt + ((<usize>number) << 2), payload);
    text = (text + HEAD_BYTES + length + 3) & ~3;
  }
  return number;
}

/** True if the payloads of all rows are known. */
export function hasPayloads(ipv6: bool, count: u32): bool {
  const step: usize = ipv6 ? 40 : 16;
  let at = numberedRowsAt(ipv6) + step - 8;
  for (let i: u32 = 0; i < count; i++, at += step)
    if (load<u32>(Numbered.payloadsAt + ((<usize>load<u32>(at)) << 2)) == NONE) return false;
  return true;
}

/** Adds rows as if they had been read here, with lines after `before`. */
export function addNumbered(ipv6: bool, count: u32, before: u32): void {
  const step: usize = ipv6 ? 40 : 16;
  let at = numberedRowsAt(ipv6);
  for (let i: u32 = 0; i < count; i++, at += step) {
    const payload = load<u32>(Numbered.payloadsAt + ((<usize>load<u32>(at + step - 8)) << 2));
    addRow(ipv6, at, payload, before + load<u32>(at + step - 4));
  }
}
