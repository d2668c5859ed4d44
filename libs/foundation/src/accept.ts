/** A media range with its quality (RFC 9110 section 12.5.1). */
interface MediaRange {
  readonly type: string;
  /** From 0 (not acceptable) to 1. */
  readonly quality: number;
}

/**
 * The format that a caller prefers, or the first of equally preferred ones.
 *
 * @param accept the Accept header; without one, everything is accepted
 * @param formats each format's media types
 * @returns undefined when the caller accepts none of them
 */
export function preferredFormat<Format extends string>(
  accept: string | undefined,
  formats: Readonly<Record<Format, readonly string[]>>,
): Format | undefined {
  const names = Object.keys(formats) as Format[];
  if (accept === undefined || accept.trim() === '') return names[0];
  const ranges = rangesOf(accept);
  const liked = names.map((name) => ({
    name,
    quality: Math.max(...formats[name].map((type) => qualityOf(type, ranges))),
  }));
  return liked.sort((a, b) => b.quality - a.quality).find(({ quality }) => quality > 0)?.name;
}

/** True if an Accept header names the media type itself, not just a matching wildcard. */
export function asksFor(accept: string | undefined, type: string): boolean {
  return rangesOf(accept ?? '').some((range) => range.type === type && range.quality > 0);
}

function rangesOf(accept: string): MediaRange[] {
  return accept.split(',').map((text) => {
    const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = given === undefined ? 1 : Number(given.slice(2));
    return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
}

/** The most specific range applies. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  const range = [type, family, '*/*']
    .map((name) => ranges.find((range) => range.type === name))
    .find(Boolean);
  return range?.quality ?? 0;
}
