/** A piece of text: plain, or the name of a document with its URL. */
export interface Piece {
  readonly text: string;
  readonly href?: string;
}

const DOCUMENT =
  /RFC (?<rfc>\d+)(?: (?<part>section|appendix) (?<number>[\w.]*\w))?|OpenID Connect (?:Dynamic Client )?Registration(?: 1\.0)?(?: section (?<openid>[\w.]*\w))?/g;

const OPENID_REGISTRATION = 'https://openid.net/specs/openid-connect-registration-1_0.html';

/** Finds the RFCs and specifications that a text cites. */
export function referencesIn(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(DOCUMENT)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push({ text: match[0], href: addressOf(match.groups ?? {}) });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

function addressOf({ rfc, part, number }: Record<string, string | undefined>): string {
  if (rfc === undefined) return OPENID_REGISTRATION;
  const place = part === undefined ? '' : `#${part}-${number}`;
  return `https://www.rfc-editor.org/rfc/rfc${rfc}.html${place}`;
}
