/** True when an Accept header (RFC 9110 section 12.5.1) ranks application/json above text/plain. */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = accept.toLowerCase().split(',').map(parseRange);
  return quality(ranges, 'application/json') > quality(ranges, 'text/plain');
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const value = given === undefined ? 1 : Number(given.slice(2));
  return { type, quality: value >= 0 && value <= 1 ? value : 0 };
}

/** The most specific range that covers the type decides. */
function quality(ranges: readonly MediaRange[], type: string): number {
  const candidates = [type, `${type.split('/')[0]}/*`, '*/*'];
  for (const candidate of candidates) {
    const range = ranges.find((one) => one.type === candidate);
    if (range) return range.quality;
  }
  return 0;
}
